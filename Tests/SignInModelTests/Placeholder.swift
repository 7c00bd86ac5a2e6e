import Testing

@Suite("SignInModel")
struct PlaceholderSignInModel {}
