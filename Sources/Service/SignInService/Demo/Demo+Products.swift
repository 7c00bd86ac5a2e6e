public import SignInModel
import SignInWire

extension Demo {
  /// The product owner's sixty products.
  ///
  /// On the day of `now`, some warranties are valid, some expire soon and some have expired. There
  /// are names in both writing directions, and products without dates.
  public static func products(at now: Instant) -> [Product] {
    let today = CalendarDay(now)
    return products.enumerated().map { number, product in
      let digits = String(number + 1)
      let text = String(repeating: "0", count: 3 - digits.utf8.count) + digits
      return Product(
        entry: ProductEntry(
          id: ProductID("product-\(text)"), name: product.name, model: product.model,
          serialNumber: product.serial, category: product.category,
          warrantyProvider: product.provider,
          purchasedOn: product.boughtDaysAgo.map { today.adding(days: -$0) },
          warrantyExpiresOn: product.endsInDays.map { today.adding(days: $0) }
        ),
        createdAt: Instant(seconds: 1_767_225_600), holder: .owner(AccountID("owner")), position: 0
      )
    }
  }

  private struct DemoProduct: Sendable {
    let name: String
    let model: String
    let serial: String
    let category: String
    let provider: String?
    let boughtDaysAgo: Int64?
    let endsInDays: Int64?

    init(
      _ name: String, _ model: String, _ serial: String, _ category: String, _ provider: String?,
      bought boughtDaysAgo: Int64?, ends endsInDays: Int64?
    ) {
      self.name = name
      self.model = model
      self.serial = serial
      self.category = category
      self.provider = provider
      self.boughtDaysAgo = boughtDaysAgo
      self.endsInDays = endsInDays
    }
  }

  private static let products: [DemoProduct] = [
    DemoProduct(
      "Dishwasher SilentLine 60", "BOX-DW-660S", "BOX5668638952", "Dishwasher", "Borealis Home",
      bought: 400, ends: 1060),
    DemoProduct(
      "Washing machine EcoWash 9 kg", "NM-WA9-1400", "NM6862733419", "Washing machine",
      "Nordmark Care",
      bought: 720, ends: 375),
    DemoProduct(
      "Tumble dryer with heat pump", "NM-TD8-HP", "NM4735326516", "Tumble dryer", "Nordmark Care",
      bought: 735, ends: -5),
    DemoProduct(
      "Fridge-freezer FreshZone, 367 litres, with ice maker, water filter and reversible doors"
        + " (stainless steel, right-hinged, second kitchen on the ground floor)",
      "BOX-FF-367-IWR-SS", "BOX4074085628", "Fridge", "Borealis Home",
      bought: 1105, ends: 25),
    DemoProduct(
      "ثلاجة بابين مع موزع ماء", "BOX-FF-420-AR", "BOX4227777416", "Fridge", "Borealis Home",
      bought: 310, ends: 785),
    DemoProduct(
      "Oven PyroClean 71", "BOX-OV-71P", "BOX2127379420", "Oven", "Borealis Home",
      bought: 1800, ends: -705),
    DemoProduct(
      "Induction hob, four zones", "BOX-IH-604", "BOX7601177687", "Hob", "Borealis Home",
      bought: 1800, ends: -340),
    DemoProduct(
      "Cooker hood AirFlow", "BOX-CH-90", "BOX7902699428", "Cooker hood", nil,
      bought: 1795, ends: -335),
    DemoProduct(
      "Microwave with grill", "BOX-MW-25G", "BOX2624232221", "Microwave", "Borealis Home",
      bought: 60, ends: 671),
    DemoProduct(
      "Coffee machine Barista One", "CAF-B1-2024", "CAF1958127700", "Coffee machine", "Caffetta",
      bought: 28, ends: 703),
    DemoProduct(
      "Kettle", "CAF-K17", "CAF4441536420", "Kettle", nil,
      bought: nil, ends: 12),
    DemoProduct(
      "Toaster, four slices", "CAF-T4", "CAF4822647286", "Toaster", "Caffetta",
      bought: 340, ends: 26),
    DemoProduct(
      "Stand mixer Professional", "MIX-SM-5Q", "MIX6514315714", "Food mixer", "Mixwell",
      bought: 900, ends: 925),
    DemoProduct(
      "Hand blender", "MIX-HB-800", "MIX3350484629", "Food mixer", "Mixwell",
      bought: 900, ends: -170),
    DemoProduct(
      "Vacuum cleaner Cyclone 3", "DUS-C3", "DUS8527891224", "Vacuum cleaner", "Dustline",
      bought: 365, ends: 0),
    DemoProduct(
      "Robot vacuum cleaner", "DUS-R10-LIDAR", "DUS6296598732", "Vacuum cleaner", "Dustline",
      bought: 366, ends: -1),
    DemoProduct(
      "Steam iron", "DUS-SI-2600", "DUS1761975183", "Iron", "Dustline",
      bought: 700, ends: 30),
    DemoProduct(
      "Sewing machine", "STI-220", "STI4523540150", "Sewing machine", "Stichting Naaimachines",
      bought: 2400, ends: nil),
    DemoProduct(
      "Air purifier, bedroom", "AIR-P200", "AIR4959920317", "Air care", "Airwell",
      bought: 120, ends: 610),
    DemoProduct(
      "Air purifier, living room", "AIR-P400", "AIR9400121527", "Air care", "Airwell",
      bought: 120, ends: 610),
    DemoProduct(
      "Dehumidifier", "AIR-D20", "AIR5387481672", "Air care", "Airwell",
      bought: 1000, ends: 31),
    DemoProduct(
      "Heat pump, outdoor unit", "NVK-HP-12-O", "NVK6466121253", "Heating", "Nordvik Varme",
      bought: 1460, ends: 2190),
    DemoProduct(
      "Heat pump, indoor unit", "NVK-HP-12-I", "NVK7853732309", "Heating", "Nordvik Varme",
      bought: 1460, ends: 2190),
    DemoProduct(
      "Water heater 200 l", "NVK-WH-200", "NVK5353072584", "Heating", "Nordvik Varme",
      bought: 3300, ends: 350),
    DemoProduct(
      "Panel heater, hall", "NVK-PH-750", "NVK2356069917", "Heating", "Nordvik Varme",
      bought: 800, ends: -70),
    DemoProduct(
      "Panel heater, nursery", "NVK-PH-500", "NVK7568737712", "Heating", "Nordvik Varme",
      bought: 800, ends: -70),
    DemoProduct(
      "Ventilation unit with heat recovery", "NVK-VU-300", "NVK5940874579", "Heating",
      "Nordvik Varme",
      bought: 1460, ends: 365),
    DemoProduct(
      "Smoke alarm, kitchen", "SAF-SA-10", "SAF6706719740", "Safety", "SafeNest",
      bought: 1900, ends: 1750),
    DemoProduct(
      "Smoke alarm, stairs", "SAF-SA-10", "SAF5919706513", "Safety", "SafeNest",
      bought: 1900, ends: 1750),
    DemoProduct(
      "Carbon monoxide alarm", "SAF-CO-7", "SAF3513562389", "Safety", "SafeNest",
      bought: 2540, ends: 15),
    DemoProduct(
      "Door lock with keypad", "SAF-DL-3", "SAF6246058986", "Safety", "SafeNest",
      bought: 420, ends: 310),
    DemoProduct(
      "Garage door opener", "SAF-GD-1000", "SAF1338816977", "Safety", nil,
      bought: nil, ends: -900),
    DemoProduct(
      "Television 55\"", "LUM-55-OLED", "LUM2991806279", "Television", "Lumen",
      bought: 500, ends: 230),
    DemoProduct(
      "Television 32\", guest room", "LUM-32-LED", "LUM6357944531", "Television", "Lumen",
      bought: 1500, ends: -770),
    DemoProduct(
      "Soundbar", "LUM-SB-3", "LUM8650149658", "Audio", "Lumen",
      bought: 500, ends: 230),
    DemoProduct(
      "Headphones, noise cancelling", "LUM-HP-700", "LUM9140250065", "Audio", "Lumen",
      bought: 350, ends: 380),
    DemoProduct(
      "Turntable", "AUD-TT-1", "AUD7650887812", "Audio", "Audiola",
      bought: 2900, ends: nil),
    DemoProduct(
      "Loudspeakers, pair", "AUD-LS-5", "AUD7615370107", "Audio", "Audiola",
      bought: 2900, ends: 750),
    DemoProduct(
      "Laptop 14\"", "KES-L14-G5", "KES9213242636", "Computer", "Kestrel Support",
      bought: 200, ends: 895),
    DemoProduct(
      "Monitor 27\"", "KES-M27-4K", "KES0918943096", "Computer", "Kestrel Support",
      bought: 200, ends: 895),
    DemoProduct(
      "Printer", "PRN-C410", "PRN5910784145", "Computer", nil,
      bought: 1200, ends: -470),
    DemoProduct(
      "Router", "NET-AX6", "NET3914934890", "Network", "Netwise",
      bought: 610, ends: 120),
    DemoProduct(
      "Mesh access point, upper floor", "NET-M2", "NET7347540568", "Network", "Netwise",
      bought: 610, ends: 120),
    DemoProduct(
      "Tablet 11\"", "KES-T11", "KES4473042048", "Computer", "Kestrel Support",
      bought: 80, ends: 650),
    DemoProduct(
      "Camera, mirrorless", "OPT-X7", "OPT7145309986", "Camera", "Optika",
      bought: 740, ends: -9),
    DemoProduct(
      "Lens 50 mm", "OPT-50-18", "OPT8117861742", "Camera", "Optika",
      bought: 740, ends: 1085),
    DemoProduct(
      "Electric toothbrush", "BRU-E5", "BRU2507096653", "Personal care", "Brushwell",
      bought: 710, ends: 20),
    DemoProduct(
      "Hair dryer", "BRU-HD-2000", "BRU3148905609", "Personal care", "Brushwell",
      bought: 90, ends: 640),
    DemoProduct(
      "Shaver", "BRU-S9", "BRU9801092709", "Personal care", "Brushwell",
      bought: 1100, ends: -370),
    DemoProduct(
      "Bathroom scales", "BRU-BS-1", "BRU0175317544", "Personal care", nil,
      bought: nil, ends: nil),
    DemoProduct(
      "Lawn mower, battery", "GRN-LM-40V", "GRN1656259019", "Garden", "Greenhand",
      bought: 450, ends: 1375),
    DemoProduct(
      "Hedge trimmer, battery", "GRN-HT-40V", "GRN0314519730", "Garden", "Greenhand",
      bought: 450, ends: 1375),
    DemoProduct(
      "Chainsaw", "GRN-CS-35", "GRN4101212704", "Garden", "Greenhand",
      bought: 1130, ends: -35),
    DemoProduct(
      "Pressure washer", "GRN-PW-140", "GRN2858105737", "Garden", "Greenhand",
      bought: 1085, ends: 10),
    DemoProduct(
      "Grill, gas, three burners", "GRN-GG-3", "GRN2346656187", "Garden", "Greenhand",
      bought: 150, ends: 3500),
    DemoProduct(
      "Cordless drill", "TOR-CD-18", "TOR0220739459", "Tools", "Torsen",
      bought: 1000, ends: 95),
    DemoProduct(
      "Circular saw", "TOR-CS-190", "TOR7688652555", "Tools", "Torsen",
      bought: 1000, ends: 95),
    DemoProduct(
      "Compressor", "TOR-CP-24", "TOR8376494327", "Tools", "Torsen",
      bought: 1800, ends: -705),
    DemoProduct(
      "E-bike, city", "VEL-C3-500", "VEL6208077501", "Bicycle", "Velora",
      bought: 690, ends: 40),
    DemoProduct(
      "Bicycle trailer for two children", "VEL-TR-2", "VEL3196797939", "Bicycle", "Velora",
      bought: 695, ends: 29),
  ]
}
