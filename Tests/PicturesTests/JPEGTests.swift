import Pictures
import SignInTesting
import SignInWire
import Testing

@Suite("JPEG pictures from outside")
struct JPEGTests {
  private static let limit = 200_000

  /// A grey picture with a scan of noise, and a scan whose last block has one coefficient.
  ///
  /// The library reads a coefficient of up to fifteen `bits`, and writes one of at most twelve in
  /// several scans.
  private static func picture(side: Int, bits: UInt8) -> [UInt8] {
    let blocks = side / 8 * (side / 8)
    let sides = [UInt8(side >> 8), UInt8(side & 0xFF), UInt8(side >> 8), UInt8(side & 0xFF)]
    let none = [UInt8](repeating: 0, count: 12)
    var made: [UInt8] = [0xFF, 0xD8]
    made += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    made += segment(0xC2, [8] + sides + [1, 1, 0x11, 0])
    // Twelve differences with codes of four bits.
    made += segment(0xC4, [0, 0, 0, 0, 12] + none + Array(0..<12))
    made += segment(0xDA, [1, 1, 0, 0, 0, 0])
    var noise = BitString()
    for block in 0..<blocks {
      let value = block * 7919 & 0x1FF
      noise.append(10, bits: 4)
      // Each second difference is negative, so that the sums stay small.
      noise.append(block.isMultiple(of: 2) ? 0x200 | value : value, bits: 10)
    }
    made += noise.filled
    // One bit for the end of a block, and two for the coefficient.
    made += segment(0xC4, [0x10, 1, 1, 0, 0] + none + [0, bits])
    made += segment(0xDA, [1, 1, 0, 1, 63, 0])
    var last = BitString()
    for block in 0..<blocks {
      if block == blocks - 1 {
        last.append(0b10, bits: 2)
        last.append(1 << (Int(bits) - 1), bits: Int(bits))
      }
      last.append(0, bits: 1)
    }
    return made + last.filled + [0xFF, 0xD9]
  }

  /// A black picture of 24 × 8 points, whose components have these sampling factors.
  private static func black(_ factors: [UInt8]) -> [UInt8] {
    let count = UInt8(factors.count)
    var frame: [UInt8] = [8, 0, 8, 0, 24, count]
    var scan: [UInt8] = [count]
    for (index, factor) in factors.enumerated() {
      frame += [UInt8(index + 1), factor, 0]
      scan += [UInt8(index + 1), 0]
    }
    scan += [0, 63, 0]
    // One code of one bit, for no difference and for the end of a block.
    let code: [UInt8] = [1] + [UInt8](repeating: 0, count: 15) + [0]
    var made: [UInt8] = [0xFF, 0xD8]
    made += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    made += segment(0xC0, frame)
    made += segment(0xC4, [0] + code)
    made += segment(0xC4, [0x10] + code)
    made += segment(0xDA, scan)
    let widest = factors.reduce(1) { max($0, Int($1 >> 4)) }
    let inMany = factors.reduce(0) { $0 + Int($1 >> 4) * Int($1 & 15) }
    let blocks = factors.count == 1 ? 1 : inMany
    var points = BitString()
    for _ in 0..<((3 + widest - 1) / widest * blocks) { points.append(0, bits: 2) }
    return made + points.filled + [0xFF, 0xD9]
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count + 2
    return [0xFF, marker, UInt8(count >> 8), UInt8(count & 0xFF)] + content
  }

  /// The bits of a scan.
  private struct BitString {
    private var bytes: [UInt8] = []
    private var rest = 0
    private var count = 0

    mutating func append(_ value: Int, bits: Int) {
      for bit in (0..<bits).reversed() {
        rest = rest << 1 | value >> bit & 1
        count += 1
        if count == 8 {
          bytes += rest == 0xFF ? [0xFF, 0] : [UInt8(rest)]
          (rest, count) = (0, 0)
        }
      }
    }

    /// The bytes, of which the last one is filled with ones.
    var filled: [UInt8] {
      var copy = self
      while copy.count > 0 { copy.append(1, bits: 1) }
      return copy.bytes
    }
  }

  private func cleaned(_ content: [UInt8], limit: Int = limit) -> Result<[UInt8], PictureFault> {
    do throws(PictureFault) {
      return .success(try Picture.cleaned(content, .jpeg, byteLimit: limit))
    } catch {
      return .failure(error)
    }
  }

  @Test("L-52 a fault in the middle of writing a JPEG picture ends its writing and nothing else")
  func faultInTheMiddle() throws {
    // Several kilobytes are written before the coefficient is reached.
    let usual = try cleaned(Self.picture(side: 512, bits: 10)).get()
    #expect(usual.count > 4096)
    for _ in 0..<4 {
      #expect(cleaned(Self.picture(side: 512, bits: 14)) == .failure(.damaged))
    }
    #expect(try cleaned(Self.picture(side: 512, bits: 10)).get() == usual)
  }

  @Test("L-52 a JPEG picture may have as many bytes as the limit says, and no more")
  func limit() throws {
    for content in [SamplePicture.content(.jpeg), Self.picture(side: 512, bits: 10)] {
      let made = try cleaned(content).get()
      #expect(cleaned(content, limit: made.count) == .success(made))
      #expect(cleaned(content, limit: made.count - 1) == .failure(.tooLarge))
    }
  }

  @Test("L-52 a JPEG picture that the library cannot decode to points is refused")
  func undecodable() throws {
    // Grey, colours, colours of which two points share one, and the colours of a printer.
    let known: [[UInt8]] = [
      [0x11], [0x11, 0x11, 0x11], [0x21, 0x11, 0x11], [0x11, 0x11, 0x11, 0x11],
    ]
    for factors in known {
      let made = try cleaned(Self.black(factors)).get()
      #expect(try cleaned(made).get() == made)
    }
    // Two components have no known colours. Three points cannot share two.
    #expect(cleaned(Self.black([0x11, 0x11])) == .failure(.damaged))
    #expect(cleaned(Self.black([0x21, 0x31, 0x11])) == .failure(.damaged))
  }
}
