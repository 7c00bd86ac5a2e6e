public import SignInModel

extension Demo {
  /// The rider's deliveries on the day of `now`.
  ///
  /// There is one in each hour, and half of them are done.
  public static func deliveries(at now: Instant) -> [Delivery] {
    let midnight = now.startOfDay
    func delivery(
      _ number: Int64, _ recipient: String, _ place: String, parcels: Int64,
      _ status: Delivery.Status
    ) -> Delivery {
      let start = midnight.adding(seconds: (number - 697) * 60 * 60)
      return Delivery(
        id: "delivery-\(number)", account: AccountID("rider"), recipient: recipient, place: place,
        parcels: parcels, startsAt: start, endsAt: start.adding(seconds: 60 * 60), status: status,
        phone: "+912255500\(number)",
        instructions: number % 2 == 0 ? "Leave it with the guard at the gate." : nil
      )
    }
    return [
      delivery(701, "Anjali Mehta", "12 Hill Road, Bandra", parcels: 1, .delivered),
      delivery(702, "Kapoor Books", "3 Linking Road, Khar", parcels: 4, .delivered),
      delivery(703, "S. Iyer", "Flat 9, Sea View, Juhu", parcels: 1, .failed),
      delivery(704, "Green Leaf Café", "41 Carter Road", parcels: 2, .delivered),
      delivery(705, "Dr. Fernandes", "7 St. Mary's Lane", parcels: 1, .pickedUp),
      delivery(706, "Rohan Desai", "22 Waterfield Road", parcels: 1, .pickedUp),
      delivery(707, "Lotus Studio", "5 Turner Road, 2nd floor", parcels: 3, .assigned),
      delivery(708, "Meera Pillai", "16 Perry Cross Road", parcels: 1, .assigned),
    ]
  }
}
