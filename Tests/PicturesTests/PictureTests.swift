import Pictures
import SignInTesting
import SignInWire
import Testing

@Suite("Pictures from outside")
struct PictureTests {
  private static let limit = 200_000

  private func cleaned(
    _ content: [UInt8], _ format: Picture.Format, limit: Int = limit
  ) -> Result<[UInt8], PictureFault> {
    do throws(PictureFault) {
      return .success(try Picture.cleaned(content, format, byteLimit: limit))
    } catch {
      return .failure(error)
    }
  }

  private func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// Exif metadata with an orientation and a text that must not stay.
  private func exif(_ orientation: UInt8) -> [UInt8] {
    Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
      + [0, 0, 0, 0] + Array("GPS 59.91 N".utf8)
  }

  private func crc(_ bytes: [UInt8]) -> [UInt8] {
    var value: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return big(Int(value ^ 0xFFFF_FFFF), 4)
  }

  private func chunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(kind.utf8) + content
    return big(content.count, 4) + body + crc(body)
  }

  private func jpeg(_ orientation: UInt8) -> [UInt8] {
    let sample = SamplePicture.content(.jpeg)
    let segment = Array("Exif\0\0".utf8) + exif(orientation)
    let comment = Array("GPS 59.91 N".utf8)
    return Array(sample[..<2]) + [0xFF, 0xE1] + big(segment.count + 2, 2) + segment
      + [0xFF, 0xFE] + big(comment.count + 2, 2) + comment + sample[2...]
  }

  private func png(_ orientation: UInt8) -> [UInt8] {
    let sample = SamplePicture.content(.png)
    return Array(sample[..<33]) + chunk("eXIf", exif(orientation))
      + chunk("tEXt", Array("Comment\0GPS 59.91 N".utf8)) + sample[33...]
  }

  private func webp(_ orientation: UInt8) -> [UInt8] {
    let data = exif(orientation)
    let padded = data.count.isMultiple(of: 2) ? data : data + [0]
    var made = SamplePicture.content(.webp)
    made[20] |= 0x0C
    made += Array("EXIF".utf8) + big(data.count, 4).reversed() + padded
    made += Array("XMP ".utf8) + big(4, 4).reversed() + Array("GPS ".utf8)
    made.replaceSubrange(4..<8, with: big(made.count - 8, 4).reversed())
    return made
  }

  @Test("L-52 the points stay, and nothing else of an upright picture")
  func metadata() throws {
    let cases: [([UInt8], Picture.Format, PhotoFormat)] = [
      (jpeg(1), .jpeg, .jpeg), (png(1), .png, .png), (webp(1), .webp, .webp),
    ]
    for (content, format, sample) in cases {
      let made = try cleaned(content + Array("GPS".utf8), format).get()
      #expect(made == SamplePicture.content(sample), "\(sample)")
    }
    #expect(try cleaned(SamplePicture.losslessWebP, .webp).get() == SamplePicture.losslessWebP)
  }

  /// Bytes of another place in the picture, which must not stay.
  private func expectLost(_ secret: [UInt8], _ content: [UInt8], _ format: Picture.Format) {
    switch cleaned(content, format) {
    case .success(let made): #expect(!made.contains(secret))
    case .failure(let fault): #expect(fault == .damaged)
    }
  }

  @Test("L-52 no part of a PNG picture keeps other bytes than the points")
  func hiddenInPNG() {
    let secret = Array("GPS 59.91 N".utf8)
    let sample = SamplePicture.content(.png)
    let long = Array(repeating: secret, count: 70).flatMap { $0 }
    for kind in [
      "sBIT", "gAMA", "cHRM", "sRGB", "tRNS", "PLTE", "IHDR", "IDAT", "bKGD", "IEND", "GpSs",
    ] {
      for content in [secret, secret + [0], long] {
        // Behind the head, behind the points, and twice.
        let part = chunk(kind, content)
        for place in [33, 75] {
          for added in [part, part + part] {
            var made = sample
            made.insert(contentsOf: added, at: place)
            expectLost(secret, made, .png)
          }
        }
      }
    }
    let stream = Array(sample[54..<71])
    var longer = sample
    longer.replaceSubrange(46..<75, with: chunk("IDAT", stream + secret))
    expectLost(secret, longer, .png)
  }

  @Test("L-52 no part of a WebP picture keeps other bytes than the points")
  func hiddenInWebP() throws {
    let secret = Array("GPS 59.91 N.".utf8)
    func part(_ kind: String, _ content: [UInt8]) -> [UInt8] {
      var made = Array(kind.utf8)
      made += big(content.count, 4).reversed()
      made += content
      if !content.count.isMultiple(of: 2) { made.append(0) }
      return made
    }
    func file(_ parts: [UInt8]) -> [UInt8] {
      var made = Array("RIFF".utf8)
      made += big(parts.count + 4, 4).reversed()
      made += Array("WEBP".utf8)
      return made + parts
    }
    let lossless = Array(SamplePicture.losslessWebP[20..<39])
    let picture = part("VP8L", lossless)
    let head = part("VP8X", [0x10, 0, 0, 0, 1, 0, 0, 0, 0, 0])
    let marked = part("VP8X", [0x10] + Array("GPS".utf8) + [1, 0, 0, 0, 0, 0])
    for content in [
      file(part("VP8L", lossless + secret)), file(head + part("ALPH", secret) + picture),
      file(picture + part("VP8L", secret)), file(head + picture + part("VP8L", secret)),
      file(head + picture + part("ALPH", secret)), file(head + part("GpSs", secret) + picture),
    ] {
      expectLost(secret, content, .webp)
    }
    expectLost(Array("GPS".utf8), file(marked + picture), .webp)
    let made = try cleaned(file(part("VP8L", lossless + secret)), .webp).get()
    #expect(made == SamplePicture.losslessWebP)
    var lossy = SamplePicture.content(.webp)
    lossy.replaceSubrange(21..<24, with: Array("GPS".utf8))
    expectLost(Array("GPS".utf8), lossy, .webp)
  }

  @Test("L-52 a PNG picture keeps its points with a palette, in grey, in colour and with alpha")
  func forms() throws {
    func made(_ points: [[UInt8]]) throws -> [UInt8] {
      let head: [UInt8] = big(points.count, 4) + big(1, 4) + [8, 6, 0, 0, 0]
      let line: [UInt8] = [0] + points.joined()
      // A block of zlib without compression.
      let (count, inverse) = (line.count, ~line.count & 0xFFFF)
      var block: [UInt8] = [0x78, 0x01, 0x01]
      block += big(count, 2).reversed()
      block += big(inverse, 2).reversed()
      block += line + adler(line)
      var content = Array(SamplePicture.content(.png)[..<8])
      content += chunk("IHDR", head)
      content += chunk("IDAT", block)
      content += chunk("IEND", [])
      return try cleaned(content, .png).get()
    }
    let few: [[UInt8]] = (0..<300).map { [UInt8($0 % 2), 2, 3, UInt8($0 % 2)] }
    let many: [[UInt8]] = (0..<300).map { [UInt8($0 % 256), UInt8($0 / 256), 9, 255] }
    let cases: [(UInt8, [[UInt8]])] = [
      (3, few), (2, many), (0, [[1, 1, 1, 255], [2, 2, 2, 255]]),
      (4, [[1, 1, 1, 255], [2, 2, 2, 7]]), (2, [[1, 2, 3, 255]]), (6, [[1, 2, 3, 4]]),
    ]
    for (type, points) in cases {
      let once = try made(points)
      #expect(once[25] == type)
      #expect(try cleaned(once, .png).get() == once)
    }
  }

  private func adler(_ bytes: [UInt8]) -> [UInt8] {
    var (low, high) = (1, 0)
    for byte in bytes {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return big(high << 16 | low, 4)
  }

  @Test("L-52 a picture is turned as its metadata says", arguments: 2...8)
  func orientation(_ orientation: UInt8) throws {
    let swaps = orientation >= 5
    let size: [UInt8] = swaps ? [0, 0, 0, 1, 0, 0, 0, 2] : [0, 0, 0, 2, 0, 0, 0, 1]
    let made = try cleaned(png(orientation), .png).get()
    #expect(Array(made[16..<24]) == size)
    // Turned back, the picture is the first one again.
    let back: UInt8 = orientation == 6 ? 8 : orientation == 8 ? 6 : orientation
    let again = Array(made[..<33]) + chunk("eXIf", exif(back)) + made[33...]
    let upright = try cleaned(SamplePicture.content(.png), .png).get()
    let restored = try cleaned(again, .png).get()
    #expect(restored.suffix(40) == upright.suffix(40))
    for (content, format) in [(jpeg(orientation), Picture.Format.jpeg), (webp(orientation), .webp)]
    {
      let turned = try cleaned(content, format).get()
      // A WebP picture can lose a little each time.
      let again = try cleaned(turned, format).get()
      #expect(again == turned || format == .webp)
      #expect(!turned.contains(Array("GPS".utf8)))
    }
  }

  @Test("L-52 a picture at the limits is accepted, and one above is refused before it is decoded")
  func limits() {
    func sized(_ width: Int, _ height: Int) -> [UInt8] {
      let sample = SamplePicture.content(.png)
      let head = Array(sample[8..<33])
      let changed = big(width, 4) + big(height, 4) + head[16..<21]
      return Array(sample[..<8]) + chunk("IHDR", Array(changed)) + sample[33...]
    }
    // The points are missing, so a picture of an allowed size is damaged.
    for (width, height, fault) in [
      (Picture.sideLimit, 1, PictureFault.damaged), (Picture.sideLimit + 1, 1, .tooManyPoints),
      (1, Picture.sideLimit + 1, .tooManyPoints), (4096, Picture.pointLimit / 4096, .damaged),
      (4096, Picture.pointLimit / 4096 + 1, .tooManyPoints),
      (Int(Int32.max), Int(Int32.max), .tooManyPoints), (0, 1, .damaged),
    ] {
      #expect(cleaned(sized(width, height), .png) == .failure(fault), "\(width) × \(height)")
    }
    let count = SamplePicture.content(.png).count
    #expect(cleaned(SamplePicture.content(.png), .png, limit: count - 1) == .failure(.tooLarge))
    #expect(
      cleaned(SamplePicture.content(.png), .png, limit: count)
        == .success(SamplePicture.content(.png)))
  }

  @Test("L-52 a picture that ends early is damaged, wherever it ends")
  func damaged() {
    for (format, kind) in [
      (PhotoFormat.jpeg, Picture.Format.jpeg), (.png, .png), (.webp, .webp),
    ] {
      let sample = SamplePicture.content(format)
      for count in 0..<sample.count where format != .webp || count < sample.count - 1 {
        let result = cleaned(Array(sample.prefix(count)), kind)
        #expect(result == .failure(.damaged), "\(format) \(count)")
      }
    }
  }

  @Test("L-52 a JPEG picture has at most 64 scans")
  func scans() throws {
    let sample = SamplePicture.content(.jpeg)
    func commented(_ scans: Int) -> [UInt8] {
      let text = Array(repeating: [0xFF, 0xDA] as [UInt8], count: scans - 1).flatMap { $0 }
      return Array(sample[..<2]) + [0xFF, 0xFE] + big(text.count + 2, 2) + text + sample[2...]
    }
    #expect(try cleaned(commented(Picture.scanLimit), .jpeg).get() == sample)
    #expect(cleaned(commented(Picture.scanLimit + 1), .jpeg) == .failure(.damaged))
  }
}
