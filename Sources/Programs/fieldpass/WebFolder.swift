import Cryptography
import Glibc
import SignInHTTP
import SignInModel

/// Loads the web apps into memory at the start.
enum WebFolder {
  /// The folder `web` beside this program.
  static var standard: String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    let program = String(
      decoding: path[..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self
    )
    return String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)]) + "/web"
  }

  /// The names of the apps in the standard folder, for a command; nil if there is no such folder.
  static var standardApps: Set<String>? {
    let files = Files.list(standard)
    guard !files.isEmpty else { return nil }
    let ending = "/index.html"
    return Set(files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.utf8.count)) })
  }

  static func load(_ folder: String) throws(FileFault) -> WebAssets {
    var files: [String: WebAssets.File] = [:]
    let paths = Files.list(folder)
    for path in paths where !path.hasSuffix(".br") {
      let bytes = try Files.read(folder + "/" + path)
      let isCompressed = paths.contains(path + ".br")
      let tag = Base64URL.encode(Array(SHA256Digest.of(bytes).prefix(12)))
      files[path] = WebAssets.File(
        bytes: bytes, brotli: isCompressed ? try Files.read(folder + "/" + path + ".br") : nil,
        tag: "\"\(tag)\""
      )
    }
    return WebAssets(files: files)
  }
}
