import SignInEngine
import SignInFlow
import SignInModel

/// The part of a page that the home provides.
///
/// The page adds the header and the banner.
public struct HomeView: Sendable {
  let id: String
  /// The name of the page, for the header and the title of the browser tab.
  let place: Sentence
  /// The name of the shown item, which replaces the name of the page in the title of the tab.
  var subject: String?
  var statusBar: StatusBar?
  /// The button that the system's own Back button presses.
  var back: ButtonName?
  var parts: [Part]
}

extension HomeView {
  /// This list with a text beside it that asks to choose an item.
  ///
  /// A list without items is returned unchanged.
  func choosing(_ sentence: Sentence, _ localizer: Localizer) -> HomeView {
    for part in parts { if case .empty = part { return self } }
    var view = self
    let advice = Part.text(id: "choose", text: Phrase(localizer.say(sentence)), tone: .muted)
    view.parts = [.beside(parts, [advice], chosen: "")]
    return view
  }
}

extension Part {
  /// The list of a home, and beside it the page of the item `chosen`.
  static func beside(_ list: [Part], _ opened: [Part], chosen: String) -> Part {
    .split(id: "panes", list: list, opened: opened, chosen: chosen)
  }
}

/// The sentences of a home about data from the server.
struct FetchedTexts {
  let loading: Sentence
  /// The title if the data was never read.
  let unknown: Sentence
  /// Contains `{time}`.
  let offline: Sentence
  /// Contains `{time}`, or is `nil` if a failed sync shows nothing (O-08).
  var stale: Sentence?
}

extension OfflineAnswer {
  /// Shows the data or the reason why it is not visible, with a banner if the copy is not stored.
  func parts(
    _ localizer: Localizer, _ words: FetchedTexts, _ shown: (Value) -> [Part]
  ) -> [Part] {
    if isSealed(at: localizer.now) {
      return localizer.sealed(fetched.refreshButton(localizer, .primary))
    }
    // A missing network is often known before storage has answered. So the data counts as missing
    // only after both have answered.
    if isOpening, value == nil {
      return [.progress(id: "loading", label: localizer.say(words.loading))]
    }
    let memoryOnly: [Part] = isMemoryOnly ? [.banner(localizer.lasting(.copyNotStored))] : []
    return memoryOnly + fetched.parts(localizer, words, isRefreshFailed: isRefreshFailed, shown)
  }

  func statusBar(_ localizer: Localizer, _ words: FetchedTexts) -> StatusBar? {
    fetched.statusBar(localizer, words, isShown: !isSealed(at: localizer.now))
  }
}

extension Localizer {
  /// The age of the data, the refresh button, and whether the last refresh failed.
  func toolbar(_ asOf: Instant, isRefreshFailed: Bool, _ button: Button) -> Part {
    let sentence: Sentence = isRefreshFailed && !button.isBusy ? .refreshFailedAsOf : .jobsAsOf
    return .toolbar(
      id: "toolbar", text: Phrase(say(sentence), filling: .moment(moment(asOf))), button: button
    )
  }

  /// A page for an address that does not exist; its button leads to the first page.
  func unknownPlace(_ first: Sentence) -> HomeView {
    HomeView(
      id: "unknown-place", place: .noSuchPageTitle, back: .back,
      parts: [
        .empty(
          id: "no-such-page", symbol: .place, title: say(.noSuchPageTitle),
          text: say(.noSuchPageAdvice)),
        .button(Button(id: ButtonName.back.rawValue, kind: .primary, label: say(first))),
      ])
  }

  /// The offline period ended, so the stored data may not be read without the server.
  func sealed(_ refresh: Button) -> [Part] {
    [
      .empty(
        id: "sealed", symbol: .lock, title: say(.copyExpiredTitle),
        text: say(app == .product ? .copyExpiredAdvice : .listSealedAdvice)
      ), .button(refresh),
    ]
  }
}

extension FetchedValue {
  /// Shows progress, or the data if there is data, or the reason why there is none.
  func parts(
    _ localizer: Localizer, _ words: FetchedTexts, isRefreshFailed: Bool = false,
    _ shown: (Value) -> [Part]
  ) -> [Part] {
    if let value, let asOf {
      let button = refreshButton(localizer, .secondary)
      return [localizer.toolbar(asOf, isRefreshFailed: isRefreshFailed, button)] + shown(value)
    }
    if let loading {
      return [
        .progress(id: "loading", label: localizer.say(words.loading)),
        .note(id: "note", text: localizer.patience(loading, veryLong: .takingLong)),
      ]
    }
    guard let problem else { return [] }
    return [
      .empty(
        id: "unknown", symbol: .cloud, title: localizer.say(words.unknown),
        text: localizer.notice(problem)
      ),
      .button(refreshButton(localizer, .primary)),
    ]
  }

  func statusBar(
    _ localizer: Localizer, _ words: FetchedTexts, isShown: Bool = true
  ) -> StatusBar? {
    guard problem != nil else { return nil }
    guard let asOf, isShown else {
      return isOffline ? StatusBar(id: "status", text: Phrase(localizer.say(.offline))) : nil
    }
    // The device may have a network in this case, so the text calls only the data offline.
    let other = words.stale ?? (isOutOfReach ? .offlineModeAsOf : nil)
    guard let sentence = isOffline ? words.offline : other else { return nil }
    let moment = localizer.moment(asOf)
    return StatusBar(id: "status", text: Phrase(localizer.say(sentence), filling: .moment(moment)))
  }

  func refreshButton(_ localizer: Localizer, _ kind: Button.Kind) -> Button {
    let isBusy = loading != nil
    var button = localizer.button(.refresh, isBusy ? .updatingJobs : .refresh, kind)
    button.isBusy = isBusy
    button.symbol = .refresh
    return button
  }
}
