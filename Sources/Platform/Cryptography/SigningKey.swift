/// Why a key could not be read.
public enum KeyFault: Error, Equatable, Sendable {
  case unreadable
  case notP256
}
