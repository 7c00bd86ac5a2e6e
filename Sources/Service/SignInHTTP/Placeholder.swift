enum SignInHTTPPlaceholder {}
