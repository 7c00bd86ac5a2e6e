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

  /// Of an app that has no home of ours.
  static let empty = HomeView(id: "home", place: .whereSignedIn, parts: [])
}

/// What a home says about something it reads from the server.
struct FetchedWords {
  let loading: Sentence
  /// A title for when it could not be read even once.
  let unknown: Sentence
  /// With `{time}`.
  let offline: Sentence
  /// With `{time}`; nil for a copy that stays without a word when a sync fails (O-08).
  var stale: Sentence?
}

extension KeptAnswer {
  /// What is known, or why it may not be seen, below what is to be said of how it is kept.
  func parts(
    _ speaker: Speaker, _ words: FetchedWords, _ shown: (Value) -> [Part]
  ) -> [Part] {
    if isSealed(at: speaker.now) {
      return speaker.sealed(fetched.refreshButton(speaker, .primary))
    }
    // A network that is gone is quicker to say so than storage: nothing is called missing before
    // both have answered.
    if isOpening, value == nil {
      return [.progress(id: "loading", label: speaker.say(words.loading))]
    }
    let unkept: [Part] = isUnkept ? [.banner(speaker.lasting(.shelfNotKept))] : []
    return unkept + fetched.parts(speaker, words, isRefreshFailed: isRefreshFailed, shown)
  }

  func statusBar(_ speaker: Speaker, _ words: FetchedWords) -> StatusBar? {
    fetched.statusBar(speaker, words, isShown: !isSealed(at: speaker.now))
  }
}

extension Speaker {
  /// How old a copy is, beside the button that asks for a newer one, and whether that failed.
  func toolbar(_ asOf: Instant, isRefreshFailed: Bool, _ button: Button) -> Part {
    let sentence: Sentence = isRefreshFailed && !button.isBusy ? .refreshFailedAsOf : .jobsAsOf
    return .toolbar(
      id: "toolbar", text: Phrase(say(sentence), filling: .moment(moment(asOf))), button: button
    )
  }

  /// What was kept may not be read without seeing the server.
  func sealed(_ refresh: Button) -> [Part] {
    [
      .empty(
        id: "sealed", symbol: .lock, title: say(.shelfSealedTitle), text: say(.shelfSealedAdvice)
      ), .button(refresh),
    ]
  }
}

extension Fetched {
  /// A spinner, or why there is nothing to show; `shown` once there is.
  func parts(
    _ speaker: Speaker, _ words: FetchedWords, isRefreshFailed: Bool = false,
    _ shown: (Value) -> [Part]
  ) -> [Part] {
    if let value, let asOf {
      let button = refreshButton(speaker, .secondary)
      return [speaker.toolbar(asOf, isRefreshFailed: isRefreshFailed, button)] + shown(value)
    }
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

  func statusBar(
    _ speaker: Speaker, _ words: FetchedWords, isShown: Bool = true
  ) -> StatusBar? {
    guard problem != nil else { return nil }
    guard let asOf, isShown else {
      return isOffline ? StatusBar(id: "status", text: Phrase(speaker.say(.offline))) : nil
    }
    // The device may have a network, so that only the copy is called offline.
    let other = words.stale ?? (isOutOfReach ? .offlineModeAsOf : nil)
    guard let sentence = isOffline ? words.offline : other else { return nil }
    let moment = speaker.moment(asOf)
    return StatusBar(id: "status", text: Phrase(speaker.say(sentence), filling: .moment(moment)))
  }

  func refreshButton(_ speaker: Speaker, _ kind: Button.Kind) -> Button {
    let isBusy = loading != nil
    var button = speaker.button(.refresh, isBusy ? .updatingJobs : .refresh, kind)
    button.isBusy = isBusy
    button.symbol = .refresh
    return button
  }
}
