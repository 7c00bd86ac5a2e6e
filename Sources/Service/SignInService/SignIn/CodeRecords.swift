public import SignInModel
public import SignInRules

public protocol CodeRecords {
  /// The newest code for this place, consumed or not.
  ///
  /// At most one exists.
  func codeChallenge(at place: CodeChallenge.Key) throws(StoreFault) -> CodeChallenge?
  /// Saves the code, and replaces the earlier code of the same place if there is one.
  func save(_ challenge: CodeChallenge) throws(StoreFault)
  /// Removes the codes of this holder, for every purpose.
  func removeCodeChallenges(
    of account: AccountID, heldBy holder: CodeChallenge.Holder
  ) throws(StoreFault)
}
