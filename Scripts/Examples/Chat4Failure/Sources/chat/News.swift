import RIBs

protocol NewsListener: AnyObject {
  func newsDidArrive(_ headline: String)
}

final class NewsInteractor: Interactor, Saving {
  var savedState = 0 { didSet { setNeedsSave() } }  // the number of headlines so far
  private let feed: any Feed
  private weak var listener: (any NewsListener)?

  init(feed: any Feed, listener: any NewsListener) {
    self.feed = feed
    self.listener = listener
  }

  override var treeSummary: String? { "\(savedState) headlines" }

  override func didBecomeActive() {
    super.didBecomeActive()
    task {
      while true {
        let headline = try await self.feed.headline(after: self.savedState)
        self.listener?.newsDidArrive(headline)
        self.savedState += 1
        try await self.checkpoint()
      }
    }
  }
}
