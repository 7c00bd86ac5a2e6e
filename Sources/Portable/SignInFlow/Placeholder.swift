enum SignInFlowPlaceholder {}
