import JSONText
public import SignInWire

/// A rider's day.
public struct DashboardHome: Equatable, Sendable {
  public private(set) var dashboard = Fetched<DashboardAnswer>(Endpoint.dashboard)

  mutating func open(_ context: inout FlowContext) -> [Effect] {
    dashboard.load(&context)
    return []
  }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .answered(let id, let answer) where dashboard.isFor(id): return answered(answer, context)
    case .buttonPressed(.refresh) where dashboard.loading == nil:
      dashboard.load(&context)
      return [.announce(.updatingJobs)]
    case .networkReturned, .device(.shown): dashboard.networkReturned(&context)
    case .ticked: return dashboard.tick(&context)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .bannerDismissed, .verifierMade, .answered, .renewalClaimed, .sessionSaveRefused, .device,
      .home:
      break
    }
    return []
  }

  private mutating func answered(_ answer: Answer, _ context: FlowContext) -> [Effect] {
    guard let body = answer.success, let known = DashboardAnswer(json: body) else {
      return dashboard.fail(answer, context)
    }
    let isUpdate = dashboard.wasShown
    dashboard.adopt(known, context)
    return isUpdate ? [.announce(.deliveriesListed(Int64(known.deliveries.count)))] : []
  }
}
