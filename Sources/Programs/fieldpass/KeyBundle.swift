import JSONText
import SignInModel
import SignInService

/// The keys of a data folder in one file.
///
/// They are needed to restore a backup of the database.
///
/// The content is secret: a person with it and the database can sign tokens and decrypt sealed
/// data.
struct KeyBundle: Equatable {
  /// The version of the file format.
  private static let form: Int64 = 1
  /// The size limit in bytes.
  ///
  /// A master key and the keys of many rotations need far less.
  static let byteLimit = 1 << 20

  struct File: Equatable {
    let name: String
    let bytes: [UInt8]
  }

  let files: [File]

  /// Reads the keys of a data folder.
  init(of data: String) throws(FileFault) { try self.init(inFolder: data + "/keys") }

  /// Reads the keys in a folder `keys`, or in a copy of one.
  init(inFolder folder: String) throws(FileFault) {
    var files: [File] = []
    for name in Files.list(folder) where KeyFiles.isKeyFile(name) {
      files.append(File(name: name, bytes: try Files.readPrivate(folder + "/" + name)))
    }
    guard Self.isComplete(files) else {
      throw FileFault(
        "`\(folder)` does not contain the keys of a data folder",
        hint: "there must be `master.key` and `signing.pem`"
      )
    }
    self.files = files
  }

  private static func isComplete(_ files: [File]) -> Bool {
    KeyFile.allCases.allSatisfy { key in files.contains { $0.name == key.rawValue } }
  }

  /// Reads the keys from the bytes of a file.
  ///
  /// - Throws: A fault that names `path` if the bytes have another format, or if keys are missing.
  init(reading bytes: [UInt8], of path: String) throws(FileFault) {
    guard bytes.count <= Self.byteLimit, let files = Self.files(in: bytes),
      Self.isComplete(files)
    else {
      throw FileFault(
        "`\(path)` does not contain the keys of a data folder",
        hint: "name the file that `fieldpass backup --keys` wrote"
      )
    }
    self.files = files
  }

  /// The content of the file.
  var bytes: [UInt8] {
    JSON.members([
      JSONMember("fieldpass_keys", Self.form),
      JSONMember(
        "files",
        .array(
          files.map { file in
            .members([
              JSONMember("name", file.name), JSONMember("content", Base64URL.encode(file.bytes)),
            ])
          })),
    ]).utf8
  }

  private static func files(in bytes: [UInt8]) -> [File]? {
    do throws(JSONMalformed) {
      let json = try JSONReader.read(bytes)
      guard json["fieldpass_keys"]?.number(in: form...form) != nil,
        let entries = json["files"]?.elements
      else {
        return nil
      }
      var files: [File] = []
      for entry in entries {
        guard let name = entry["name"]?.text, KeyFiles.isKeyFile(name),
          let content = entry["content"]?.text
        else { return nil }
        do throws(Malformed) {
          files.append(File(name: name, bytes: try Base64URL.decode(content)))
        } catch {
          return nil
        }
      }
      return Set(files.map(\.name)).count == files.count ? files : nil
    } catch {
      return nil
    }
  }
}
