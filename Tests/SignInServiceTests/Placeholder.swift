import Testing

@Suite("SignInService")
struct PlaceholderSignInService {}
