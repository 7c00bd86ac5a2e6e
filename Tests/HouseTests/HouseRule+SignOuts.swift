extension HouseRule {
  /// The calls that end one kind of what a sign-out ends.
  private static let partsOfSignOut = ["removeSignInAttempts(of:", "removeInvitation(of:"]

  /// Finds decisions that end some of what is open of an account, and not the rest (L-51).
  static func partialSignOuts(_ file: SourceFile) -> [Finding] {
    guard file.layer == "Service", !file.path.contains("/Sessions/SignOut") else {
      return []
    }
    return partsOfSignOut.flatMap { call in
      find(call, in: file, advice: "call signOut, which also ends everything else")
    }
  }
}
