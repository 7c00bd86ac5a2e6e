import SignInWire

extension PolicyKey {
  @inline(never) var hindi: String {
    switch self {
    case .disclosure: "बताएँ कि खाता मौजूद है या नहीं"
    case .registrationApproval: "पंजीकरण की मंज़ूरी"
    case .contactChange: "पते और नंबर में बदलाव"
    case .erasureWait: "खाता मिटाने का इंतज़ार"
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

  @inline(never) var hindiExplanation: String {
    switch self {
    case .disclosure: "“नहीं” होने पर अनजान खाते को भी जाने-पहचाने खाते जैसा ही जवाब मिलता है।"
    case .registrationApproval:
      "पंजीकरण करने वालों को कौन मंज़ूरी देता है। एडमिनिस्ट्रेटर के बिना, कोड से नंबर साबित होता है।"
    case .contactChange: "खाते का ईमेल पता और नंबर कौन बदलता है।"
    case .erasureWait: "लोग खाता मिटाने का अनुरोध कितने समय तक वापस ले सकते हैं।"
    case .codeDigits: "हर कोड में कितने अंक होते हैं।"
    case .codeLife: "कोड कितनी देर तक इस्तेमाल किया जा सकता है।"
    case .codeResend: "दूसरा कोड भेजने से पहले कितना इंतज़ार करना होता है।"
    case .lockoutFailures: "लगातार कितने गलत जवाबों के बाद खाता लॉक होता है।"
    case .firstLock: "पहला लॉक कितनी देर रहता है। हर अगला लॉक दोगुना लंबा होता है।"
    case .longestLock: "कोई भी लॉक इससे लंबा नहीं होता।"
    case .lockoutStop:
      "लगातार इतने गलत जवाबों के बाद खाता केवल एडमिनिस्ट्रेटर या पासवर्ड रीसेट से अनलॉक होता है।"
    case .addressSends:
      "एक नेटवर्क पते से कितने संदेश भेजे जा सकते हैं। पूरे हुए साइन इन गिने नहीं जाते और सीमा बढ़ाते हैं।"
    case .addressFailures:
      "एक नेटवर्क पते से कितने गलत जवाब और कितने रजिस्ट्रेशन हो सकते हैं। पूरे हुए साइन इन सीमा बढ़ाते हैं।"
    case .deviceSends:
      "एक डिवाइस से कितने संदेश भेजे जा सकते हैं। साइन इन पूरा होने पर गिनती फिर शुरू होती है।"
    case .numberHourly:
      "एक नंबर को एक घंटे में अधिकतम इतने संदेश मिलते हैं। हर जाने-पहचाने डिवाइस की गिनती अलग होती है।"
    case .numberDaily:
      "एक नंबर को एक दिन में अधिकतम इतने संदेश मिलते हैं। यह प्रति घंटे की संख्या से कम नहीं होता।"
    case .prefixDaily: "उन नंबरों को कितने संदेश जाते हैं जिनके केवल आखिरी चार अंक अलग हैं।"
    case .organizationDaily: "एक संगठन के लोगों को एक दिन में अधिकतम इतने संदेश मिलते हैं।"
    case .appDaily: "ऐप एक दिन में सभी लोगों को कुल अधिकतम इतने संदेश भेजता है।"
    case .priceDaily:
      "ऐप के संदेशों पर एक दिन में कितना खर्च हो सकता है। केवल कीमत वाले नंबर गिने जाते हैं।"
    case .conversionCheckedAfter:
      "एक दिन में इतने संदेशों के बाद नंबरों के ब्लॉक की निगरानी होती है।"
    case .minimumConversion:
      "अगर कोड का इससे कम हिस्सा डाला जाता है, तो निगरानी वाले ब्लॉक को और संदेश नहीं मिलते।"
    case .countries:
      "संदेश केवल इन देशों के कोड वाले नंबरों पर जाते हैं। +1-242 कोड +1 का एक हिस्सा है।"
    case .signInText: "साइन इन के कोड वाला संदेश। कोड की जगह {code} होता है।"
    case .signInEnglish, .signInHindi, .signInNorwegian, .resetEnglish, .resetHindi,
      .resetNorwegian:
      "यह भाषा इस्तेमाल करने वाले लोगों के लिए संदेश।"
    case .resetText: "नया पासवर्ड सेट करने के कोड वाला संदेश। कोड की जगह {code} होता है।"
    case .accessToken: "ऐप एक एक्सेस टोकन को कितनी देर इस्तेमाल कर सकता है।"
    case .session: "इस समय के बाद फिर से साइन इन करना होता है, भले ही ऐप इस्तेमाल हो रहा हो।"
    case .idle: "इतने समय तक ऐप इस्तेमाल न करने पर फिर से साइन इन करना होता है।"
    case .background: "बैकग्राउंड में इतने समय के बाद ऐप अनलॉक करना होता है।"
    case .unlock: "ऐप पर लौटने पर लोग उसे कैसे अनलॉक करते हैं।"
    case .offline:
      "सिंक किया गया डेटा बिना कनेक्शन कितनी देर पढ़ा जा सकता है। 0 होने पर कॉपी नहीं रहती।"
    case .passwordReset:
      "भूला हुआ पासवर्ड कैसे बदला जाता है। एडमिनिस्ट्रेटर का पासवर्ड दूसरा "
        + "एडमिनिस्ट्रेटर बदलता है।"
    case .passwordResetWait:
      "अनजान डिवाइस पर चुना गया नया पासवर्ड कितने इंतज़ार के बाद लागू होता है।"
    }
  }
}
