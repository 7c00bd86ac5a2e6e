import SignInModel

extension Throttle {
  /// The window of the completed sign-ins that give room to a network address.
  public static let earningSeconds: Int64 = Limit.daySeconds
  /// Each completed sign-in within the window raises a limit of its address by this number.
  ///
  /// So an address is never refused while more than a third of its sign-ins are completed.
  public static let roomPerSignIn: Int64 = 2
  /// A limit becomes at most this many times as high.
  public static let largestRoom: Int64 = 10
}

extension Throttle.Limit {
  /// The limit of an address where people completed this number of sign-ins within the window.
  public func raised(byCompleted count: Int64) -> Throttle.Limit {
    let room = count.timesClamping(Throttle.roomPerSignIn)
    let highest = self.count.timesClamping(Throttle.largestRoom)
    return Throttle.Limit(
      min(self.count.plusClamping(room), highest), inSeconds: windowSeconds)
  }
}
