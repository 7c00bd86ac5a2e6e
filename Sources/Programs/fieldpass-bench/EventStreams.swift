import CLinux
import Glibc
import SignInWire

/// Many calls that wait for news of their session, each on a connection of its own.
///
/// They hold a socket each and nothing else, so that they can be very many.
final class EventStreams {
  private var sockets: [Int32] = []

  /// Raises the number of sockets this process may have.
  static func prepare() { fp_prepare_process() }

  var count: Int { sockets.count }

  func open(_ request: [UInt8], port: UInt16) throws(BenchFault) {
    let socket = try HTTPConnection.connected(to: port)
    sockets.append(socket)
    let sent = request.withUnsafeBytes { fp_send(socket, $0.baseAddress, $0.count) }
    guard sent == request.count else { throw .system("a waiting call could not be sent") }
  }

  /// How many were answered already, which none should be while nothing has happened.
  var answered: Int {
    sockets.count { socket in
      var byte: UInt8 = 0
      return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) >= 0
    }
  }

  /// Waits for every answer; how many were 200.
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
