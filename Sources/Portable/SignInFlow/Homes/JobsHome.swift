import JSONText
public import SignInWire

/// A technician's assigned jobs (US-076).
public struct JobsHome: Equatable, Sendable {
  public private(set) var jobs = Fetched<[JobEntry]>(Endpoint.jobs)

  mutating func open(_ context: inout FlowContext) -> [Effect] {
    jobs.load(&context)
    return []
  }

  mutating func handle(_ event: Event, _ context: inout FlowContext) -> [Effect] {
    switch event {
    case .answered(let id, let answer) where jobs.isFor(id): return answered(answer, context)
    case .buttonPressed(.refresh) where jobs.loading == nil:
      jobs.load(&context)
      return [.announce(.updatingJobs)]
    case .networkReturned, .device(.shown): jobs.networkReturned(&context)
    case .ticked: return jobs.tick(&context)
    case .started, .storageRead, .fieldEdited, .buttonPressed, .passwordRevealToggled,
      .bannerDismissed, .verifierMade, .answered, .renewalClaimed, .sessionSaveRefused, .device,
      .home:
      break
    }
    return []
  }

  private mutating func answered(_ answer: Answer, _ context: FlowContext) -> [Effect] {
    guard let entries = answer.success?["jobs"]?.elements else { return jobs.fail(answer, context) }
    var known: [JobEntry] = []
    for entry in entries { if let job = JobEntry(json: entry) { known.append(job) } }
    let isUpdate = jobs.wasShown
    jobs.adopt(known, context)
    return isUpdate ? [.announce(.jobsListed(Int64(known.count)))] : []
  }
}
