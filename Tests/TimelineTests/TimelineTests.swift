import RIBs
import Testing

/// A view without a screen: writes down what it is told to show.
private final class HeadlessView: TimelineViewControllable, TimelinePresentable {
  weak var listener: TimelinePresentableListener?
  var log: [String] = []

  func show(_ tweets: [Tweet]) { log.append("show \(tweets.map(\.id))") }
  func present(_ viewController: ViewControllable) { log.append("present \(type(of: viewController))") }
  func dismiss(_ viewController: ViewControllable) { log.append("dismiss \(type(of: viewController))") }
}

private final class AppComponent: TimelineDependency {
  let stream = TimelineStreamImpl()
  let view = HeadlessView()

  var timelineStream: TimelineStream { stream }
  var timelineViewController: TimelineViewControllable & TimelinePresentable { view }
}

private final class Opened: TimelineListener {
  var tweets: [Tweet] = []

  func timelineDidOpen(_ tweet: Tweet) { tweets.append(tweet) }
}

@Suite("The timeline, written without a word on concurrency")
struct TimelineTests {
  private let component = AppComponent()
  private let opened = Opened()
  private let tweets = [Tweet(id: 1, text: "first"), Tweet(id: 2, text: "second")]

  @Test("shows its tweets while it is active, opens one, and closes it when it is gone")
  func timeline() {
    let router = TimelineBuilder(dependency: component).build(withListener: opened)
    router.interactable.activate()
    router.load()
    component.stream.update(tweets)
    component.view.listener?.didSelect(tweets[1])
    #expect(opened.tweets == [tweets[1]])
    #expect(router.children.count == 1)
    #expect(router.children.first?.interactable.isActive == true)
    component.stream.update([tweets[0]])
    #expect(router.children.isEmpty)
    router.interactable.deactivate()
    component.stream.update([])
    #expect(
      component.view.log == [
        "show []", "show [1, 2]", "present TweetDetailViewController", "show [1]",
        "dismiss TweetDetailViewController",
      ])
  }

  @Test("shows the title of the tweet it opens")
  func detail() {
    let router = TimelineBuilder(dependency: component).build(withListener: opened)
    router.interactable.activate()
    router.load()
    component.stream.update(tweets)
    router.routeToDetail(of: tweets[0])
    let detail = router.children.first as? ViewableRouting
    #expect((detail?.viewControllable as? TweetDetailViewController)?.title == "first")
  }

  @Test("lives in a tree as it is")
  @MainActor
  func tree() async {
    let tree = Tree(root: TimelineBuilder(dependency: component).build(withListener: opened))
    tree.launch()
    component.stream.update(tweets)
    component.view.listener?.didSelect(tweets[0])
    #expect(tree.snapshot().nodes.map(\.name) == ["Timeline", "TweetDetail"])
    await tree.shutdown()
  }
}
