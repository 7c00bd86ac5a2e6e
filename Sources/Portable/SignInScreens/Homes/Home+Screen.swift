import SignInFlow
import SignInModel

/// What a home puts on the page of whoever is signed in; the page adds its header and its banner.
struct HomeView {
  let id: String
  /// Where the person is, in the header and in the title of the window.
  let place: Sentence
  var statusBar: StatusBar?
  /// The button the system's own way back presses.
  var back: ButtonName?
  var parts: [Part]
}

extension Home {
  func view(_ speaker: Speaker) -> HomeView {
    switch self {
    case .jobs(let home): home.view(speaker)
    case .dashboard(let home): home.view(speaker)
    case .activities(let home): home.view(speaker)
    case .console(let home): home.view(speaker)
    case .products(let home): home.view(speaker)
    }
  }
}

/// What a home says about something it reads from the server.
struct FetchedWords {
  let loading: Sentence
  /// A title for when it could not be read even once.
  let unknown: Sentence
  /// With `{time}`.
  let offline: Sentence
  /// With `{time}`.
  let stale: Sentence
}

extension Fetched {
  /// A spinner, or why there is nothing to show; `shown` once there is.
  func parts(
    _ speaker: Speaker, _ words: FetchedWords, _ shown: (Value) -> [Part]
  ) -> [Part] {
    if let value, let asOf { return [toolbar(speaker, asOf)] + shown(value) }
    if let loading {
      return [
        .progress(id: "loading", label: speaker.say(words.loading)),
        .note(id: "note", text: speaker.patience(loading, veryLong: .takingLong)),
      ]
    }
    guard let problem else { return [] }
    return [
      .empty(
        id: "unknown", symbol: .cloud, title: speaker.say(words.unknown),
        text: speaker.notice(problem)
      ),
      .button(refreshButton(speaker, .primary)),
    ]
  }

  func statusBar(_ speaker: Speaker, _ words: FetchedWords) -> StatusBar? {
    guard problem != nil else { return nil }
    guard let asOf else {
      return isOffline ? StatusBar(id: "status", text: Phrase(speaker.say(.offline))) : nil
    }
    let sentence = speaker.say(isOffline ? words.offline : words.stale)
    let moment = speaker.moment(asOf, .clock)
    return StatusBar(id: "status", text: Phrase(sentence, filling: .moment(moment)))
  }

  private func toolbar(_ speaker: Speaker, _ asOf: Instant) -> Part {
    .toolbar(
      id: "toolbar",
      text: Phrase(speaker.say(.jobsAsOf), filling: .moment(speaker.moment(asOf, .clock))),
      button: refreshButton(speaker, .secondary)
    )
  }

  private func refreshButton(_ speaker: Speaker, _ kind: Button.Kind) -> Button {
    let isBusy = loading != nil
    var button = speaker.button(.refresh, isBusy ? .updatingJobs : .refresh, kind)
    button.isBusy = isBusy
    button.symbol = .refresh
    return button
  }
}
