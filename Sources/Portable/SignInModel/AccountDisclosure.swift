/// Whether a sign-in reveals that an account does not exist (T-03 conceals it, R-02 reveals it).
public enum AccountDisclosure: String, CaseIterable, Sendable {
  case concealed
  case disclosed
}
