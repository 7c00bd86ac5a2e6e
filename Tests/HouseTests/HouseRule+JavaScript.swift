import Foundation

/// Imports between JavaScript modules.
extension HouseRule {
  /// The modules of an import circle, and the modules that import one of them.
  ///
  /// In a circle, a module can run before the modules that it imports.
  static func importCircles(_ files: [SourceFile]) -> [String] {
    var imports: [String: [String]] = [:]
    for file in files where file.path.hasSuffix(".js") {
      let folder = URL(filePath: "/\(file.path)").deletingLastPathComponent()
      imports[file.path] = file.text.matches(of: /\b(?:from|import)\s*\(?'(\.[^']+)'/).map {
        String(folder.appending(path: String($0.1)).standardized.path.dropFirst())
      }
    }
    // A module without remaining imports is in no circle.
    while let free = imports.first(where: { $0.value.allSatisfy { imports[$0] == nil } }) {
      imports[free.key] = nil
    }
    return imports.keys.sorted()
  }
}
