import HTTPServer
import SignInWire

/// The files of the web apps, in memory.
public struct WebAssets: Sendable {
  public struct File: Sendable {
    public let bytes: [UInt8]
    /// The Brotli-compressed file; `nil` if compression saves little.
    public let brotli: [UInt8]?
    /// A strong ETag, with its quotes.
    public let tag: String

    public init(bytes: [UInt8], brotli: [UInt8]?, tag: String) {
      self.bytes = bytes
      self.brotli = brotli
      self.tag = tag
    }
  }

  /// The key is the path below the web folder, such as `technician-app/index.html`.
  private let files: [String: File]

  public init(files: [String: File]) { self.files = files }

  /// The names of the apps that have a page.
  public var apps: Set<String> { Self.apps(in: files.keys) }

  /// The names of the apps whose page is among these paths below the web folder.
  public static func apps(in paths: some Sequence<String>) -> Set<String> {
    Set(
      paths.compactMap { path -> String? in
        let parts = path.split(separator: "/")
        guard parts.count > 1, parts.last == "index.html" else { return nil }
        return parts.dropLast().joined(separator: "/")
      })
  }

  /// Answers a request for a file of a web app.
  ///
  /// `/app/NAME/…` is `NAME/…` in the web folder. NAME is an app if it is the id of a configured
  /// one and its folder has an `index.html`.
  /// A browser that opens another address below an app gets the page of the app, which shows the
  /// place with this address. The demo page and the inbox page exist only in development.
  func answer(
    _ request: HTTPRequest, isDevelopment: Bool, isConfigured: (String) -> Bool
  ) -> HTTPResponse {
    if request.path == PageAddress.changePassword { return changePassword(isConfigured) }
    var path = request.path
    var app: Substring?
    if path.hasPrefix(PageAddress.apps) {
      path.removeFirst(PageAddress.apps.utf8.count)
      let folder = path.prefix { $0 != "/" }
      app = folder
      guard files["\(folder)/index.html"] != nil, isConfigured(String(folder)) else {
        return .problem(.notFound)
      }
      // Without the final slash, a browser would resolve relative links one level too high.
      if folder.endIndex == path.endIndex {
        return HTTPResponse(
          status: 308, fields: [HTTPField("Location", PageAddress.app(path) + request.suffix)])
      }
    } else if path == PageAddress.icon || isDevelopment {
      path.removeFirst()
    } else {
      return .problem(.notFound)
    }
    if path.isEmpty || path.hasSuffix("/") { path += "index.html" }
    if files[path] == nil, let app, Self.isPage(request), Self.isPlace(path) {
      path = "\(app)/index.html"
    }
    return answer(request, file: path)
  }

  /// Leads to the form in the first app whose people have a password.
  private func changePassword(_ isConfigured: (String) -> Bool) -> HTTPResponse {
    let apps = ["technician-app", "product-app", "mentor-app", "console"]
    let app = apps.first { files["\($0)/index.html"] != nil && isConfigured($0) }
    guard let app else {
      return .problem(.notFound)
    }
    return HTTPResponse(
      status: 302, fields: [HTTPField("Location", PageAddress.passwordForm(of: app))])
  }

  /// Whether the path is below the folder of the app.
  private static func isPlace(_ path: String) -> Bool {
    !path.split(separator: "/").contains { $0 == "." || $0 == ".." }
  }

  /// Whether a browser opens a page, and does not load a part of one.
  ///
  /// Browsers say it in `Sec-Fetch-Dest` (Fetch Metadata, section 2.1). Older ones are recognized
  /// by `Accept`, unless only programs use the path: some libraries send the same field.
  static func isPage(_ request: HTTPRequest, isProgram: () -> Bool = { false }) -> Bool {
    if let destination = request.values(of: "sec-fetch-dest").first {
      return ["document", "iframe", "frame"].contains(destination)
    }
    return request.values(of: "accept").contains { $0.contains("text/html") } && !isProgram()
  }

  func developmentInbox(_ request: HTTPRequest) -> HTTPResponse {
    answer(request, file: "dev/messages.html")
  }

  private func answer(_ request: HTTPRequest, file path: String) -> HTTPResponse {
    guard let file = files[path] else { return .problem(.notFound) }
    guard request.method == .get || request.method == .head else {
      return .refusedMethod(allowing: "GET, HEAD")
    }
    var fields = [
      HTTPField("ETag", file.tag), HTTPField("Cache-Control", "no-cache"),
      HTTPField("Vary", "Accept-Encoding"),
    ]
    if request.entityTags.contains("W/" + file.tag) {
      return HTTPResponse(status: 304, fields: fields)
    }
    fields.append(HTTPField("Content-Type", Self.mediaType(of: path)))
    if let brotli = file.brotli, request.accepts(coding: "br") {
      fields.append(HTTPField("Content-Encoding", "br"))
      return HTTPResponse(status: 200, fields: fields, body: brotli)
    }
    return HTTPResponse(status: 200, fields: fields, body: file.bytes)
  }

  private static func mediaType(of path: String) -> String {
    let types = [
      "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
      "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
      "json": "application/json", "webmanifest": "application/manifest+json",
      "wasm": "application/wasm", "svg": "image/svg+xml", "png": "image/png",
      "ico": "image/x-icon", "woff2": "font/woff2", "txt": "text/plain; charset=utf-8",
    ]
    let ending = path.split(separator: ".").last.map { String($0) } ?? ""
    return types[ending] ?? "application/octet-stream"
  }
}
