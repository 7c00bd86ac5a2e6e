enum SignInScreensPlaceholder {}
