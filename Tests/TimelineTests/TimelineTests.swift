// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

/// A view without a screen. Records what it is asked to show.
private final class HeadlessView: ViewControllableDouble, TimelineViewControllable, TimelinePresentable {
  weak var listener: TimelinePresentableListener?

  func show(_ tweets: [Tweet]) { record(tweets.map(\.id)) }
  func present(_ viewController: ViewControllable) { record(viewController) }
  func dismiss(_ viewController: ViewControllable) { record(viewController) }
}

private final class AppComponent: TimelineDependency {
  let stream = TimelineStreamImpl()
  let view: HeadlessView

  init(view: HeadlessView) { self.view = view }

  var timelineStream: TimelineStream { stream }
  var timelineViewController: TimelineViewControllable & TimelinePresentable { view }
}

private final class AppListener: ListenerDouble, TimelineListener {
  func timelineDidOpen(_ tweet: Tweet) { record(tweet) }
}

@Suite("The timeline, written without concurrency annotations")
struct TimelineTests {
  private let test = TestTree(recording: [.attachments, .calls])
  private let component: AppComponent
  private let listener: AppListener
  private let tweets = [Tweet(id: 1, text: "first"), Tweet(id: 2, text: "second")]

  init() {
    component = AppComponent(view: HeadlessView(in: test.transcript))
    listener = AppListener(in: test.transcript)
  }

  /// The title of the tweet that is open.
  private func openTitle(_ router: TimelineRouting) -> String? {
    let detail = router.children.first as? ViewableRouting
    return (detail?.viewControllable as? TweetDetailViewController)?.title
  }

  @Test("shows its tweets while it is active, opens one with its title, and closes it when it is removed")
  func timeline() {
    let router = test.launch(TimelineBuilder(dependency: component).build(withListener: listener))
    component.stream.update(tweets)
    component.view.listener?.didSelect(tweets[1])
    test.expectTree("Timeline\n  TweetDetail")
    #expect(openTitle(router) == "second")
    component.stream.update([tweets[0]])
    test.expect(
      """
      Timeline attached
      HeadlessView.show([])
      HeadlessView.show([1, 2])

      HeadlessView.present(TweetDetailViewController)
      Timeline/TweetDetail attached
      AppListener.timelineDidOpen(Tweet(id: 2, text: "second"))

      HeadlessView.show([1])
      Timeline/TweetDetail detached
      HeadlessView.dismiss(TweetDetailViewController)
      """)
    test.finish()
    component.stream.update([])
    #expect(test.transcript.lines.isEmpty)
  }

  @Test("can be activated by hand, without a tree")
  func byHand() {
    let router = TimelineBuilder(dependency: component).build(withListener: listener)
    router.interactable.activate()
    router.load()
    component.stream.update(tweets)
    router.interactable.deactivate()
    component.stream.update([])
    component.view.expect("show([])", "show([1, 2])")
  }

  @Test("runs unchanged in a tree")
  @MainActor
  static func tree() async {
    let component = AppComponent(view: HeadlessView())
    let listener = AppListener()
    let tree = Tree(root: TimelineBuilder(dependency: component).build(withListener: listener))
    tree.launch()
    component.stream.update([Tweet(id: 1, text: "first")])
    component.view.listener?.didSelect(Tweet(id: 1, text: "first"))
    #expect(tree.snapshot().nodes.map(\.name) == ["Timeline", "TweetDetail"])
    await tree.shutdown()
    withExtendedLifetime(listener) {}
  }
}
