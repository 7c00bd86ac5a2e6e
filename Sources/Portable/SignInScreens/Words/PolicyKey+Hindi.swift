import SignInWire

extension PolicyKey {
  @inline(never) var hindi: String {
    switch self {
    case .disclosure: "बताएँ कि खाता मौजूद है या नहीं"
    case .codeDigits: "कोड की लंबाई"
    case .codeLife: "कोड की समय-सीमा"
    case .codeResend: "नया कोड भेजने से पहले इंतज़ार"
    case .lockoutFailures: "लॉक होने से पहले असफल कोशिशें"
    case .firstLock: "पहले लॉक की अवधि"
    case .longestLock: "सबसे लंबे लॉक की अवधि"
    case .lockoutStop: "एडमिनिस्ट्रेटर के अनलॉक करने से पहले असफल कोशिशें"
    case .addressSends: "प्रति नेटवर्क पता प्रति घंटे संदेश"
    case .addressFailures: "प्रति नेटवर्क पता प्रति घंटे असफल कोशिशें"
    case .deviceSends: "प्रति डिवाइस प्रति घंटे संदेश"
    case .numberHourly: "प्रति नंबर प्रति घंटे संदेश"
    case .numberDaily: "प्रति नंबर प्रति दिन संदेश"
    case .prefixDaily: "नंबरों के प्रति ब्लॉक प्रति दिन संदेश"
    case .organizationDaily: "प्रति संगठन प्रति दिन संदेश"
    case .appDaily: "प्रति ऐप प्रति दिन संदेश"
    case .priceDaily: "संदेशों का दैनिक बजट"
    case .conversionCheckedAfter: "निगरानी से पहले प्रति ब्लॉक संदेश"
    case .minimumConversion: "निगरानी वाले ब्लॉक में डाले गए कोड का न्यूनतम हिस्सा"
    case .countries: "संदेश पाने वाले देश"
    case .signInText: "साइन इन का संदेश"
    case .signInEnglish: "साइन इन का संदेश, English"
    case .signInHindi: "साइन इन का संदेश, हिन्दी"
    case .signInNorwegian: "साइन इन का संदेश, Norsk"
    case .resetText: "पासवर्ड रीसेट का संदेश"
    case .resetEnglish: "पासवर्ड रीसेट का संदेश, English"
    case .resetHindi: "पासवर्ड रीसेट का संदेश, हिन्दी"
    case .resetNorwegian: "पासवर्ड रीसेट का संदेश, Norsk"
    case .accessToken: "एक्सेस टोकन की समय-सीमा"
    case .session: "सेशन की समय-सीमा"
    case .idle: "इस्तेमाल न होने की समय-सीमा"
    case .background: "बैकग्राउंड में लॉक होने का समय"
    case .unlock: "ऐप लॉक"
    case .offline: "ऑफ़लाइन एक्सेस"
    case .passwordReset: "पासवर्ड रीसेट"
    case .passwordResetWait: "अनजान डिवाइस पर पासवर्ड रीसेट का इंतज़ार"
    }
  }
}
