import SignInEngine

/// The sentences about products and service requests in the console, with keys that never change.
enum ProductSentence: String, Sendable, CaseIterable, TranslatedSentence {
  case owner = "held.owner"
  case awaiting = "held.awaiting"
  case warranty = "held.warranty"
  case noProducts = "held.none"
  case notReached = "held.not_reached"
  case notReachedAdvice = "held.not_reached.advice"
  case searchProducts = "held.search"
  case noProductWith = "held.none.with"
  case noProductAdvice = "held.none.advice"
  case productsOf = "held.of"
  case allProducts = "held.all"
  case requestNumber = "service_request.number"
  case product = "service_request.product"
  case description = "service_request.description"
  case noRequests = "service_request.none"
  case showProduct = "service_request.show_product"
  case transferTitle = "held.transfer.title"
  case transferText = "held.transfer.text"
  case alreadyOwner = "held.transfer.already_owner"
  case accountUnknown = "held.transfer.account_unknown"
  case productGone = "held.transfer.gone"

  var english: String {
    switch self {
    case .owner: "Owner"
    case .awaiting: "Waits for {email}"
    case .warranty: "Warranty"
    case .noProducts: "No products yet"
    case .notReached: "Not among the newest entries"
    case .notReachedAdvice: "Only the newest entries were read. Go back, and choose Show more."
    case .searchProducts: "Serial number or name"
    case .noProductWith: "No product with “{text}” was found"
    case .noProductAdvice: "A search finds the start of a serial number or of a name."
    case .productsOf: "Products of {name}"
    case .allProducts: "All products"
    case .requestNumber: "Number"
    case .product: "Product"
    case .description: "Description"
    case .noRequests: "No service requests yet"
    case .showProduct: "Show product"
    case .transferTitle: "Transfer {name}?"
    case .transferText:
      "An owner loses the product immediately. If no active account of a product owner has the "
        + "email, the product waits for one. To take the transfer back, transfer the product again."
    case .alreadyOwner: "This person owns the product already."
    case .accountUnknown: "You see no account with this email."
    case .productGone: "This product no longer exists."
    }
  }

  var hindi: String {
    switch self {
    case .owner: "मालिक"
    case .awaiting: "{email} का इंतज़ार"
    case .warranty: "वारंटी"
    case .noProducts: "अभी कोई प्रोडक्ट नहीं"
    case .notReached: "सबसे नई एंट्री में नहीं है"
    case .notReachedAdvice: "केवल सबसे नई एंट्री पढ़ी गईं। वापस जाएँ और “और दिखाएँ” चुनें।"
    case .searchProducts: "सीरियल नंबर या नाम"
    case .noProductWith: "“{text}” वाला कोई प्रोडक्ट नहीं मिला"
    case .noProductAdvice: "खोज सीरियल नंबर या नाम की शुरुआत से मिलान करती है।"
    case .productsOf: "{name} के प्रोडक्ट"
    case .allProducts: "सभी प्रोडक्ट"
    case .requestNumber: "नंबर"
    case .product: "प्रोडक्ट"
    case .description: "विवरण"
    case .noRequests: "अभी कोई सर्विस रिक्वेस्ट नहीं"
    case .showProduct: "प्रोडक्ट दिखाएँ"
    case .transferTitle: "{name} ट्रांसफ़र करें?"
    case .transferText:
      "मालिक के पास से प्रोडक्ट तुरंत हट जाता है। अगर इस ईमेल वाला प्रोडक्ट मालिक का कोई सक्रिय खाता "
        + "नहीं है, तो प्रोडक्ट उसका इंतज़ार करता है। वापस लेने के लिए प्रोडक्ट फिर से ट्रांसफ़र करें।"
    case .alreadyOwner: "प्रोडक्ट पहले से इसी व्यक्ति का है।"
    case .accountUnknown: "आपको इस ईमेल वाला कोई खाता नहीं दिखता।"
    case .productGone: "यह प्रोडक्ट अब मौजूद नहीं है।"
    }
  }

  var norwegian: String {
    switch self {
    case .owner: "Eier"
    case .awaiting: "Venter på {email}"
    case .warranty: "Garanti"
    case .noProducts: "Ingen produkter ennå"
    case .notReached: "Ikke blant de nyeste oppføringene"
    case .notReachedAdvice: "Bare de nyeste ble hentet. Gå tilbake, og velg Vis flere."
    case .searchProducts: "Serienummer eller navn"
    case .noProductWith: "Ingen produkter med «{text}» ble funnet"
    case .noProductAdvice: "Et søk finner starten på et serienummer eller et navn."
    case .productsOf: "Produktene til {name}"
    case .allProducts: "Alle produkter"
    case .requestNumber: "Nummer"
    case .product: "Produkt"
    case .description: "Beskrivelse"
    case .noRequests: "Ingen serviceforespørsler ennå"
    case .showProduct: "Vis produktet"
    case .transferTitle: "Overføre {name}?"
    case .transferText:
      "En eier mister produktet med en gang. Hvis ingen aktiv konto for en produkteier har "
        + "e-postadressen, venter produktet på en. Overfør produktet igjen for å ta det tilbake."
    case .alreadyOwner: "Denne personen eier allerede produktet."
    case .accountUnknown: "Du ser ingen konto med denne e-postadressen."
    case .productGone: "Dette produktet finnes ikke lenger."
    }
  }
}

extension Localizer {
  func tell(_ sentence: ProductSentence) -> String { sentence.text(in: format.locale.language) }
}
