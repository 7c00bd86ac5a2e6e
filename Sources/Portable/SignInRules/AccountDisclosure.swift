/// Whether a sign-in tells that an account does not exist (T-03 hides it, R-02 tells it).
public enum AccountDisclosure: String, CaseIterable, Sendable {
  case concealed
  case disclosed
}
