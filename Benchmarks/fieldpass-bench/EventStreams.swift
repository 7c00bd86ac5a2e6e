import CLinux
import Glibc
import SignInWire

/// Many requests that wait for account updates, each on its own connection.
///
/// Each needs only a socket, so that there can be very many.
final class EventStreams {
  private var sockets: [Int32] = []

  /// Raises the limit of sockets of this process.
  static func prepare() { fp_prepare_process() }

  var count: Int { sockets.count }

  func open(_ request: [UInt8], port: UInt16) throws(BenchFault) {
    let socket = try HTTPConnection.connected(to: port)
    sockets.append(socket)
    let sent = request.withUnsafeBytes { fp_send(socket, $0.baseAddress, $0.count) }
    guard sent == request.count else { throw .system("a waiting request could not be sent") }
  }

  /// The number of answered requests.
  ///
  /// Before any account update it should be zero.
  var answered: Int {
    sockets.count { socket in
      var byte: UInt8 = 0
      return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) >= 0
    }
  }

  /// Waits for every answer and returns the number of 200 answers.
  func awaitAnswers() -> Int {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let good = Array("HTTP/1.1 200".utf8)
    return sockets.count { socket in
      let count = recv(socket, &buffer, buffer.count, 0)
      return count > good.count && buffer.starts(with: good)
    }
  }

  deinit { for socket in sockets { close(socket) } }
}
