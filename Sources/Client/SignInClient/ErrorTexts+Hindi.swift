import Foundation

extension SignInError {
  var hindi: String {
    switch self {
    case .invalidCredentials: "ईमेल या पासवर्ड गलत है।"
    case .emailMalformed: "ईमेल पता पूरा नहीं है।"
    case .phoneMalformed: "मोबाइल नंबर पूरा नहीं है।"
    case .nameMalformed: "नाम 1 से 100 अक्षरों का होना चाहिए।"
    case .wrongCode(let left): "कोड गलत है। बची हुई कोशिशें: \(left)।"
    case .codeExpired: "आपके कोड का समय खत्म हो गया है।"
    case .codeSuperseded: "यह पुराना कोड है। नया कोड भेज दिया गया है।"
    case .codeIncomplete(let digits): "कोड में \(digits) अंक होने चाहिए।"
    case .notRegistered: "इस जानकारी का कोई खाता नहीं है।"
    case .accountDeactivated: "आपका खाता निष्क्रिय कर दिया गया है।"
    case .lockedOut: "आपका खाता कुछ समय के लिए लॉक है।"
    case .signsInElsewhere: "यह खाता अपने संगठन के साइन इन का इस्तेमाल करता है।"
    case .provider(let fault): fault.hindi
    case .resendTooSoon: "हमने आपको अभी-अभी एक कोड भेजा है।"
    case .rateLimited: "बहुत ज़्यादा कोशिशें हुईं।"
    case .deliveryFailed: "हम कोड नहीं भेज पाए।"
    case .signInExpired: "आपके साइन इन का समय खत्म हो गया है।"
    case .passwordChangeUnconfirmed: "जवाब नहीं मिला, इसलिए हो सकता है कि आपका पासवर्ड बदल चुका हो।"
    case .notSignedIn: "आप साइन इन नहीं हैं।"
    case .appLocked: "ऐप लॉक है।"
    case .storageUnavailable: "इस डिवाइस पर सहेजा गया सेशन अभी पढ़ा नहीं जा सकता।"
    case .sessionExpired: "आपका सेशन खत्म हो गया है।"
    case .sessionEndedElsewhere: "आपका सेशन किसी दूसरे डिवाइस से या एडमिनिस्ट्रेटर ने खत्म किया है।"
    case .passwordChangedElsewhere: "आपका पासवर्ड बदल दिया गया है।"
    case .sessionUnsafe: "आपके खाते की सुरक्षा के लिए हमने आपका सेशन खत्म कर दिया।"
    case .sessionDamaged: "इस डिवाइस पर सेव किया हुआ सेशन खराब हो गया है।"
    case .appLockChanged: "इस डिवाइस का फ़िंगरप्रिंट या चेहरा बदल गया है।"
    case .unlockCancelled: "ऐप अब भी लॉक है।"
    case .unlockBusy: "आपका डिवाइस आपकी पहचान की पुष्टि नहीं कर पाया।"
    case .noConnection: "इंटरनेट कनेक्शन नहीं है।"
    case .serviceUnreachable: "सेवा से संपर्क नहीं हो पा रहा है।"
    case .noAnswerInTime: "सेवा से समय पर जवाब नहीं मिला।"
    case .serviceBusy: "सेवा अभी व्यस्त है।"
    case .serverFault: "हमारी ओर से कुछ गड़बड़ी हुई।"
    case .addressNotAllowed: "इस पते की अनुमति नहीं है। यह https:// से शुरू होना चाहिए।"
    case .requestMalformed: "अनुरोध मान्य नहीं है।"
    case .notPossibleNow: "यह अभी संभव नहीं है।"
    case .cancelled: "अनुरोध रद्द कर दिया गया।"
    case .refused(let code): Self.hindi(code)
    }
  }

  private static func hindi(_ code: String) -> String {
    switch code {
    case "password_too_short": "पासवर्ड बहुत छोटा है।"
    case "password_too_long": "पासवर्ड बहुत लंबा है।"
    case "password_too_common": "पासवर्ड का अनुमान लगाना आसान है।"
    case "reset_by_administrator": "यह पासवर्ड केवल आपका एडमिनिस्ट्रेटर रीसेट कर सकता है।"
    case "registration_closed": "साइन अप बंद है।"
    case "country_not_supported": "इस देश के नंबर यहाँ नहीं चलते।"
    case "not_a_member": "आप उस संगठन के सदस्य नहीं हैं।"
    case "insufficient_scope": "इस ऐप को इसकी अनुमति नहीं है।"
    default: "सेवा ने अनुरोध स्वीकार नहीं किया: \(code)।"
    }
  }
}

extension ErrorSuggestion {
  func hindi(_ time: (Date) -> String) -> String {
    switch self {
    case .tryAgain: "कृपया फिर से कोशिश करें।"
    case .tryAgainAt(let moment): "कृपया \(time(moment)) बजे फिर से कोशिश करें।"
    case .correctEntry: "कृपया जाँचें कि आपने क्या डाला है।"
    case .chooseAnother: "कृपया कोई दूसरा पासवर्ड चुनें।"
    case .requestCode: "कृपया नया कोड मँगाएँ।"
    case .signInAgain: "कृपया फिर से साइन इन करें।"
    case .unlock: "कृपया ऐप अनलॉक करें।"
    case .usePassword: "कृपया अपने पासवर्ड से साइन इन करें।"
    case .unlockAgain: "कृपया फिर से कोशिश करें, या साइन इन करें।"
    case .checkConnection: "कृपया अपना कनेक्शन जाँचें और फिर से कोशिश करें।"
    case .contactAdministrator: "कृपया अपने एडमिनिस्ट्रेटर से संपर्क करें।"
    }
  }
}
