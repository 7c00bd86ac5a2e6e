import Testing

@Suite("SignInRules")
struct PlaceholderSignInRules {}
