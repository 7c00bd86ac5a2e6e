enum SignInTestingPlaceholder {}
