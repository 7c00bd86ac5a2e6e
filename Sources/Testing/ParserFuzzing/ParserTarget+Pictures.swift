internal import Pictures
internal import SignInModel
internal import SignInTesting
internal import SignInWire

extension ParserTarget {
  /// What is accepted has no more bytes than allowed, and is accepted again without a change.
  ///
  /// A WebP picture can change, because it can lose a little each time.
  static func readPicture(_ bytes: [UInt8]) -> Bool {
    guard let format = PhotoFormat(of: bytes) else { return false }
    let kind: Picture.Format =
      switch format {
      case .jpeg: .jpeg
      case .png: .png
      case .webp: .webp
      }
    do throws(PictureFault) {
      let cleaned = try Picture.cleaned(bytes, kind, byteLimit: ProductPhoto.byteLimit)
      precondition(cleaned.count <= ProductPhoto.byteLimit, "a cleaned picture is too large")
      precondition(PhotoFormat(of: cleaned) == format, "a cleaned picture has another format")
      let again = try Picture.cleaned(cleaned, kind, byteLimit: ProductPhoto.byteLimit)
      precondition(
        again == cleaned || format == .webp, "a cleaned picture changes when it is cleaned again")
      return true
    } catch {
      return false
    }
  }

  static var pictureSeeds: [[UInt8]] {
    PhotoFormat.allCases.map { SamplePicture.content($0) } + [SamplePicture.losslessWebP]
  }
}
