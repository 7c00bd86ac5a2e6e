enum SignInWirePlaceholder {}
