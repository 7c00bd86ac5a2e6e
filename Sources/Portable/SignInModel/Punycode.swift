#if os(Linux)
  /// The ASCII form of labels of international domains (RFC 3492).
  enum Punycode {
    private static let base = 36
    private static let leastThreshold = 1
    private static let greatestThreshold = 26
    private static let firstBias = 72
    private static let firstScalar: UInt32 = 128

    /// The label without `xn--`; `nil` if a number becomes too great.
    static func encode(_ label: [Unicode.Scalar]) -> [UInt8]? {
      var output = label.filter(\.isASCII).map { UInt8($0.value) }
      let basics = output.count
      if basics > 0 { output.append(UInt8(ascii: "-")) }
      var (next, delta, bias, written) = (Int(firstScalar), 0, firstBias, basics)
      while written < label.count {
        guard let least = label.map({ Int($0.value) }).filter({ $0 >= next }).min() else {
          return nil
        }
        let (step, isBeyond) = (least - next).multipliedReportingOverflow(by: written + 1)
        if isBeyond { return nil }
        delta += step
        next = least
        for scalar in label {
          if scalar.value < next { delta += 1 }
          guard scalar.value == next else { continue }
          append(delta, bias: bias, to: &output)
          bias = adapted(delta, written + 1, isFirst: written == basics)
          delta = 0
          written += 1
        }
        delta += 1
        next += 1
      }
      return output
    }

    /// The characters of a label without `xn--`; `nil` if it is not one.
    static func decode(_ text: [UInt8]) -> [Unicode.Scalar]? {
      let mark = text.lastIndex(of: UInt8(ascii: "-"))
      var output = text[..<(mark ?? 0)].map { Unicode.Scalar($0) }
      var (next, index, bias) = (Int(firstScalar), 0, firstBias)
      var rest = text[(mark.map { $0 + 1 } ?? 0)...]
      while !rest.isEmpty {
        let before = index
        var (weight, position) = (1, base)
        while true {
          guard let letter = rest.popFirst(), let digit = value(letter) else { return nil }
          let (step, isBeyond) = digit.multipliedReportingOverflow(by: weight)
          let (sum, isTooGreat) = index.addingReportingOverflow(step)
          if isBeyond || isTooGreat { return nil }
          index = sum
          let threshold = threshold(position, bias)
          if digit < threshold { break }
          let (greater, isOver) = weight.multipliedReportingOverflow(by: base - threshold)
          if isOver { return nil }
          weight = greater
          position += base
        }
        bias = adapted(index - before, output.count + 1, isFirst: before == 0)
        let (sum, isBeyond) = next.addingReportingOverflow(index / (output.count + 1))
        guard !isBeyond, let value = UInt32(exactly: sum), let scalar = Unicode.Scalar(value) else {
          return nil
        }
        next = sum
        index %= output.count + 1
        output.insert(scalar, at: index)
        index += 1
      }
      return output
    }

    private static func append(_ delta: Int, bias: Int, to output: inout [UInt8]) {
      var (rest, position) = (delta, base)
      while true {
        let threshold = threshold(position, bias)
        if rest < threshold { break }
        output.append(letter(threshold + (rest - threshold) % (base - threshold)))
        rest = (rest - threshold) / (base - threshold)
        position += base
      }
      output.append(letter(rest))
    }

    private static func threshold(_ position: Int, _ bias: Int) -> Int {
      min(max(position - bias, leastThreshold), greatestThreshold)
    }

    /// RFC 3492, section 6.1.
    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
      var delta = isFirst ? delta / 700 : delta / 2
      delta += delta / count
      var position = 0
      while delta > (base - leastThreshold) * greatestThreshold / 2 {
        delta /= base - leastThreshold
        position += base
      }
      return position + (base - leastThreshold + 1) * delta / (delta + 38)
    }

    private static func letter(_ digit: Int) -> UInt8 {
      UInt8(digit < 26 ? digit + 0x61 : digit - 26 + 0x30)
    }

    private static func value(_ letter: UInt8) -> Int? {
      switch letter {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(letter) - 0x61
      case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(letter) - 0x30 + 26
      default: nil
      }
    }
  }
#endif
