// swift-format-ignore-file

// The declarations of Foundation and Dispatch that the targets for Apple platforms use, with the
// versions of Apple's documentation. They only compile and never run.

public struct Data: Sendable, RandomAccessCollection {
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let atomic = WritingOptions(rawValue: 1)
  }

  public init() {}
  public init(_ bytes: some Sequence<UInt8>) {}
  public init(contentsOf url: URL) throws {}
  public func write(to url: URL, options: WritingOptions = []) throws {}
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public subscript(position: Int) -> UInt8 { 0 }
}

open class JSONDecoder: @unchecked Sendable {
  public init() {}
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    fatalError()
  }
}

public typealias TimeInterval = Double

public struct Date: Sendable, Hashable, Comparable {
  public init() {}
  public init(timeIntervalSince1970 seconds: TimeInterval) {}
  public var timeIntervalSince1970: TimeInterval { 0 }
  public static func < (left: Date, right: Date) -> Bool { false }
}

public struct Locale: Sendable {
  public init(identifier: String) {}
  public static var preferredLanguages: [String] { [] }
}

public protocol LocalizedError: Error {
  var errorDescription: String? { get }
  var failureReason: String? { get }
  var recoverySuggestion: String? { get }
  var helpAnchor: String? { get }
}

extension LocalizedError {
  public var errorDescription: String? { nil }
  public var failureReason: String? { nil }
  public var recoverySuggestion: String? { nil }
  public var helpAnchor: String? { nil }
}

public struct TimeZone: Sendable { public init?(secondsFromGMT seconds: Int) { nil } }

open class DateFormatter: NSObject, @unchecked Sendable {
  public var locale: Locale! = nil
  public var timeZone: TimeZone! = nil
  public var dateFormat: String! = nil
  public enum Style: Sendable { case none, short }
  public var dateStyle = Style.none
  public var timeStyle = Style.none
  public func string(from date: Date) -> String { "" }
  public func date(from text: String) -> Date? { nil }
}

public struct UUID: Sendable {
  public init() {}
  public var uuidString: String { "" }
}

open class NSObject {
  public init() {}
}

open class NSError: NSObject, @unchecked Sendable, Error {
  public var code: Int { 0 }
}

public struct CocoaError: Error {
  public struct Code: Equatable, Sendable { public static let fileReadNoSuchFile = Code() }
  public var code: Code { Code() }
}

public struct URLError: Error {
  public struct Code: Equatable, Sendable {
    public static let timedOut = Code()
    public static let badURL = Code()
    public static let badServerResponse = Code()
    public static let cannotConnectToHost = Code()
    public static let cannotFindHost = Code()
    public static let notConnectedToInternet = Code()
    public static let dataNotAllowed = Code()
    public static let internationalRoamingOff = Code()
    public static let callIsActive = Code()
  }
  public var code: Code { Code() }
  public init(_ code: Code) {}
}

public final class ProcessInfo: Sendable {
  public static let processInfo = ProcessInfo()
  public var systemUptime: TimeInterval { 0 }
}

// MARK: Files

public func NSHomeDirectory() -> String { "" }

public struct URLResourceValues: Sendable {
  public init() {}
  public var isExcludedFromBackup: Bool? {
    get { nil }
    set {}
  }
}

public struct URL: Sendable, Hashable {
  public init?(string: String) { nil }
  public init(fileURLWithPath path: String) {}
  public var absoluteString: String { "" }
  public init(fileURLWithPath path: String, isDirectory: Bool) {}
  @available(iOS 16.0, macOS 13.0, *)
  public init(filePath: String) {}
  public var path: String { "" }
  public func appendingPathComponent(_ name: String) -> URL { self }
  @available(iOS 16.0, macOS 13.0, *)
  public func appending(path: String) -> URL { self }
  public mutating func setResourceValues(_ values: URLResourceValues) throws {}
}

public struct URLComponents: Sendable {
  public init?(url: URL, resolvingAgainstBaseURL: Bool) { nil }
  public init?(string: String) { nil }
  public var percentEncodedQuery: String? { nil }
  public var queryItems: [URLQueryItem]? {
    get { nil }
    set {}
  }
  public var url: URL? { nil }
}

public struct URLQueryItem: Sendable {
  public init(name: String, value: String?) {
    self.name = name
    self.value = value
  }
  public var name: String
  public var value: String?
}

public struct FileAttributeKey: Hashable, Sendable {
  public static let protectionKey = FileAttributeKey()
}

public struct FileProtectionType: Sendable { public static let none = FileProtectionType() }

open class FileManager: @unchecked Sendable {
  public class var `default`: FileManager { FileManager() }
  public func createDirectory(at url: URL, withIntermediateDirectories: Bool) throws {}
  public func linkItem(at url: URL, to other: URL) throws {}
  public func removeItem(at url: URL) throws {}
  public func setAttributes(
    _ attributes: [FileAttributeKey: Any], ofItemAtPath path: String
  ) throws {}
}

// MARK: Requests

public struct URLRequest: Sendable {
  public enum CachePolicy: Sendable { case reloadIgnoringLocalCacheData }

  public init(url: URL) {}
  public var url: URL?
  public var allHTTPHeaderFields: [String: String]?
  public func value(forHTTPHeaderField name: String) -> String? { nil }
  public var httpMethod: String?
  public var httpBody: Data?
  public var timeoutInterval: TimeInterval = 0
  public var cachePolicy = CachePolicy.reloadIgnoringLocalCacheData
  public mutating func setValue(_ value: String?, forHTTPHeaderField name: String) {}
}

open class URLResponse: NSObject, @unchecked Sendable {}

open class HTTPURLResponse: URLResponse, @unchecked Sendable {
  public init?(
    url: URL, statusCode: Int, httpVersion: String?, headerFields: [String: String]?
  ) {
    super.init()
  }

  public var statusCode: Int { 0 }
  public var allHeaderFields: [AnyHashable: Any] { [:] }
  public func value(forHTTPHeaderField name: String) -> String? { nil }
}

open class URLCache: NSObject, @unchecked Sendable {}
open class HTTPCookieStorage: NSObject, @unchecked Sendable {}

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
  public class var ephemeral: URLSessionConfiguration { URLSessionConfiguration() }
  public var urlCache: URLCache?
  public var httpCookieStorage: HTTPCookieStorage?
  public var httpShouldSetCookies = true
}

public protocol URLSessionDelegate: AnyObject, Sendable {}

public protocol URLSessionTaskDelegate: URLSessionDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void)
}

open class OperationQueue: NSObject, @unchecked Sendable {}

open class URLSessionTask: NSObject, @unchecked Sendable {
  public func resume() {}
  public func cancel() {}
}

open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

open class URLSession: NSObject, @unchecked Sendable {
  public init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
    delegateQueue queue: OperationQueue?
  ) {}
  public func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask { URLSessionDataTask() }
  @available(iOS 15.0, macOS 12.0, *)
  public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    (Data(), URLResponse())
  }
}

// MARK: Dispatch and locks

open class DispatchQueue: @unchecked Sendable {
  public init(label: String) {}
  public func async(execute work: @escaping @Sendable () -> Void) {}
}

open class NSLock: NSObject, @unchecked Sendable {
  public func lock() {}
  public func unlock() {}
  @available(iOS 16.0, macOS 13.0, *)
  public func withLock<Value>(_ body: () throws -> Value) rethrows -> Value { try body() }
}
