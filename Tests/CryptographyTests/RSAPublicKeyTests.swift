import Cryptography
import SignInModel
import Testing

@Suite("RSA public keys")
struct RSAPublicKeyTests {
  private func key(modulus: String = RSAExamples.modulus) throws -> RSAPublicKey {
    try RSAPublicKey(
      modulus: Base64URL.decode(modulus), exponent: Base64URL.decode(RSAExamples.exponent))
  }

  @Test("A signature is verified in its own scheme only")
  func schemes() throws {
    let key = try key()
    let text = Array(RSAExamples.text.utf8)
    let (rs256, ps256) = (
      try Base64URL.decode(RSAExamples.rs256), try Base64URL.decode(RSAExamples.ps256)
    )

    #expect(key.verifies(rs256, of: text, by: .pkcs1))
    #expect(key.verifies(ps256, of: text, by: .pss))
    #expect(!key.verifies(rs256, of: text, by: .pss))
    #expect(!key.verifies(ps256, of: text, by: .pkcs1))
    #expect(!key.verifies(try Base64URL.decode(RSAExamples.shortSalt), of: text, by: .pss))
  }

  @Test("Another text, another signature and a signature of another length are refused")
  func wrong() throws {
    let key = try key()
    let text = Array(RSAExamples.text.utf8)
    let right = try Base64URL.decode(RSAExamples.rs256)
    var changed = right
    changed[100] ^= 1

    #expect(!key.verifies(right, of: text + [0x21], by: .pkcs1))
    #expect(!key.verifies(changed, of: text, by: .pkcs1))
    #expect(!key.verifies([0] + right, of: text, by: .pkcs1))
    #expect(!key.verifies(Array(right.dropLast()), of: text, by: .pkcs1))
    #expect(!key.verifies([], of: text, by: .pkcs1))
    #expect(!key.verifies([UInt8](repeating: 0xFF, count: 256), of: text, by: .pkcs1))
  }

  @Test(
    "A modulus of fewer or more bits than the limits is refused",
    arguments: [
      RSAPublicKey.modulusBits.lowerBound - 1, RSAPublicKey.modulusBits.lowerBound,
      RSAPublicKey.modulusBits.upperBound, RSAPublicKey.modulusBits.upperBound + 1,
    ])
  func modulusBits(_ bits: Int) {
    // The first byte has the remaining bits. Leading zeros do not count.
    let first = UInt8(truncatingIfNeeded: 1 << ((bits - 1) % 8))
    let modulus = [0, first] + [UInt8](repeating: 0xFF, count: (bits - 1) / 8)

    // Within the limits the modulus itself is checked. Here it is not a product of two primes.
    let found = fault(modulus, [1, 0, 1])
    let isRefused = found == .modulusLength(bits: bits)
    #expect(isRefused != RSAPublicKey.modulusBits.contains(bits))
  }

  @Test("An exponent that is even, too small or too long is refused")
  func exponents() throws {
    let modulus = try Base64URL.decode(RSAExamples.modulus)

    #expect(fault(modulus, [1, 0, 1]) == nil)
    #expect(fault(modulus, [0, 0, 1, 0, 1]) == nil)
    #expect(fault(modulus, [0xFF, 0xFF, 0xFF, 0xFF]) == nil)
    for wrong: [UInt8] in [
      [], [3], [0xFF, 0xFF], [1, 0, 2], [1, 0, 0, 0, 1], [UInt8](repeating: 1, count: 9),
    ] {
      #expect(fault(modulus, wrong) == .exponent, "\(wrong)")
    }
    #expect(fault([], [1, 0, 1]) == .modulusLength(bits: 0))
  }

  private func fault(_ modulus: [UInt8], _ exponent: [UInt8]) -> RSAKeyFault? {
    do throws(RSAKeyFault) {
      _ = try RSAPublicKey(modulus: modulus, exponent: exponent)
      return nil
    } catch {
      return error
    }
  }
}

/// Made by Python's `cryptography` 50.0.2 with a key of 2048 bits, which no longer exists.
enum RSAExamples {
  static let modulus =
    "w5WDzBoIBYZgtDrG34c3C38HW1B1RaUa_X9EX_hMoErUBRFLOUN2xJIid8n6Z-fkmtwJoWkbK7AMwF-W"
    + "XzyGbVij8wk7H9GLbua_CNlMY6HvtVGq2VgVbWG44RrxFrHDNbMksOt8CIXLE4HeN4lP37axNE6n5d6e"
    + "4JHYYU6Nejc-Mv1TD6YC2vJnRNScPouXkhDbGcgrP0VhTco7Z1g4rVxs-H1nR87eJk-A8ygQFN18hrNz"
    + "nfZfj3XwG8FrSTIQZX3SZR4YhBHFBhmCrNfEQjgJJhg_0k_aS_32tCQTBfH8NVw6LQVnfkkQKBw_2pzh"
    + "qwSNSuOJiTGkib3dqIc1Uw"
  static let exponent = "AQAB"
  /// The signed text.
  static let text = "Fieldpass"
  static let rs256 =
    "ZEsO6TT-54VdSHLnCTKF-V0oiu_rpkrmF0LY1H1cN_fbnmDpD1ELTMd1MLBplot3vqDxoe4qCFPv8BGA"
    + "wRMI21_JGaB_UC0x_wAOa9pzg9vqdNNABwzaurY81fGYZJI_pI61_v42J-Pe7_RLMm_dJ_cDQA1YZWaS"
    + "IrPalxv_W48u7nFtp63B0Ti7AB-fQVmy2S8iKGq5OxytiTdpacTsjutSauqNB4N3T-jArpqeDihOq1Dz"
    + "A4iBLNjeDws06U29wkasXTfAmq-Gbu2D07OyU0JX_ljWe8X2vtkOO9SxVJRaGS4S4_Y6YAtkZ8e3OdBv"
    + "lgDtDJ6j86Se2iFcgvptdA"
  static let ps256 =
    "Q_a6czSJ-4GfVx6X7xgPoWp5SQerGAU-lf7XortsEL-xbhg9u1x_mHnhHZJ2_MzN_MFmfabHb_C7EyoX"
    + "2-M1O3bGTS-smeZYSGlq7q5icImLWGRIdXBENuOhUHCIZUv78u_bOgg8H89zkLXq8f87gdDcJRyeYKFk"
    + "_5alt3kKGpA3fFyh32T9sQ66IKR9r-c21j1u5M7C6R0DiByV49LbjJB6fro9-oGs_LgfWxTNn6UVh1ja"
    + "EP0RUrJtre4S2ZOQCpzEfNJHrqgib3SzeJagaIg5m_wATrykUkRAZS8QNIJGM3Nzj-1xp3QHGsoGYI_n"
    + "mYbrTIlWlj7f28sobc5Kdg"
  /// PSS with a salt of 20 bytes.
  ///
  /// PS256 has a salt of 32 bytes.
  static let shortSalt =
    "pUv1OLzePT-IL8O9BYGd1anmgrqj1-NqwoMS60r96DLFiqcEsw0rqkPCi7LbRbNiOdVrBktIeEI5MsgZ"
    + "vrv2mCsFGoHUaHj0pmaFrgqk-jwACc7gs-WaSTFN9_a0xSdJ8S8cFlPtp1g_dytHQ4jOKLsdS8a4GfZJ"
    + "nVdMqMuNRT-Xsdax7I1fsJ1FPZlU8myikZ9PTSxa0M_jru5eB3maIKjv2bxDpF7b2JHpxGhrg9koX_Rb"
    + "2qyp-wF9x52DqD2uIE6_2gGqLJNCioVtQgZ1xRLwzQGBhkRhftADcH1k1myRtBgFscUY3-nPaBo1OLHO"
    + "nJEZ5zu4DsQeB5hWTq0fIw"
}
