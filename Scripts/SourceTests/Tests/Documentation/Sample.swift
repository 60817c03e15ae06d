// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A piece of Swift in the documentation.
///
/// The samples of a module are compiled as one program, which takes about as long as one of them.
struct Sample {
  let file: String
  let line: Int
  let code: String

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The files of a folder and those below it with an extension, sorted.
  static func files(in folder: String, _ ending: String) -> [URL] {
    let files = FileManager.default.enumerator(at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
    return (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == ending }.sorted { $0.path < $1.path }
  }

  /// The text of a file of the repository.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// All samples in the doc comments of the runtime.
  static let inComments = inComments(of: "RIBs")

  static func inComments(of module: String) -> [Sample] {
    files(in: "Sources/\(module)", "swift").flatMap(samples)
  }

  private static func samples(in file: URL) -> [Sample] {
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
    var samples: [Sample] = []
    var code: [String]?
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      guard trimmed.hasPrefix("///") else { continue }
      let content = String(trimmed.dropFirst(3))
      switch content.trimmingCharacters(in: .whitespaces) {
      case "```swift":
        code = []
      case "```":
        if let code {
          let joined = code.joined(separator: "\n")
          samples.append(Sample(file: file.lastPathComponent, line: index + 1 - code.count, code: joined))
        }
        code = nil
      default:
        code?.append(content)
      }
    }
    return samples
  }

  /// Samples in the surroundings that they need. The compiler names their places in the documentation.
  ///
  /// - Parameter declaration: what a sample becomes, with a number for the names of what is declared for it.
  static func program(of samples: [Sample], in surroundings: String, _ declaration: (Sample, Int) -> String) -> String {
    surroundings + samples.enumerated().map { declaration($1, $0) }.joined(separator: "\n")
  }

  /// The code, in the place of the documentation where it stands.
  var placed: String {
    "#sourceLocation(file: \"\(file)\", line: \(line))\n" + code.replacingOccurrences(of: "…", with: "")
  }

  func declared(_ number: Int) -> String {
    let start = code.trimmingCharacters(in: .whitespacesAndNewlines)
    if start.hasPrefix("extension") { return placed }
    if ["protocol", "final class", "enum"].contains(where: start.hasPrefix) {
      return "enum Declared\(number) {\n\(placed)\n}"
    }
    if start.hasPrefix("var") { return "final class Holder\(number): EmptyComponentOfSample {\n\(placed)\n}" }
    if file.hasPrefix("Worker") {
      return "extension SampleWorker {\nfunc run\(number)(_ text: String) {\n\(placed)\n}\n}"
    }
    if start.hasPrefix("let") { return "@MainActor func run\(number)() async throws {\n\(placed)\n}" }
    return "extension SampleInteractor {\nfunc run\(number)(_ text: String) {\n\(placed)\n}\n}"
  }

  static let surroundings = """
    final class AnyCancellable { func cancel() {} }
    struct Tweet {}
    protocol TimelineStream { var tweets: Observable<[Tweet]> { get } }
    protocol MutableTimelineStream: TimelineStream {}
    final class TimelineStreamImpl: MutableTimelineStream { let tweets = Observable<[Tweet]>.never() }
    protocol TimelineDependency: Dependency {}
    protocol TweetDetailDependency: Dependency { var timelineStream: TimelineStream { get } }
    protocol TimelineListener: AnyObject {}
    protocol TimelineRouting: ViewableRouting { func routeToDetail(of tweet: Tweet) }
    protocol TimelineInteractable: Interactable, TweetDetailListener { var router: TimelineRouting? { get set } }
    extension TimelineInteractable { }
    protocol TimelineViewControllable: ViewControllable { func show(_ view: ViewControllable) }
    protocol TweetDetailListener: AnyObject {}
    protocol TweetDetailRouting: ViewableRouting {}
    protocol TweetDetailBuildable: Buildable {
      func build(withListener listener: TweetDetailListener, tweet: Tweet) -> TweetDetailRouting
    }
    typealias EmptyComponentOfSample = Component<EmptyDependency>
    final class TripStream {}
    protocol RideClient: Sendable {
      func quote(_ trip: Int) async throws -> Int
      func rides() async throws -> Int
      func fetch(_ id: Int) async throws -> Int
      func search(_ text: String) async throws -> Int
      func positions() -> AsyncStream<Position>
      func rides(after offset: Int) async throws -> [Ride]
    }
    struct Position: Sendable {}
    protocol CartDependency: Dependency {}
    protocol CartListener: AnyObject {}
    protocol CartRouting: Routing {}
    protocol RideListener: AnyObject {}
    final class RideComponent: Component<EmptyDependency> { let client = "" }
    final class RideInteractor: Interactor {
      weak var listener: RideListener?
      init(client: String) {}
    }
    typealias RideRouter = Router<RideInteractor>
    typealias RideID = Int
    struct Ride: Identifiable, Equatable { let id: Int }
    enum TripStage: Equatable { case searching, riding(RideID) }
    protocol SearchBuildable { func build() -> Routing }
    protocol RideBuildable { func build(ride: RideID) -> ViewableRouting }
    final class TripInteractor: Interactor {}
    final class ScreensInteractor: Interactor {}
    enum CounterLogic: StreamLogic {
      struct Input { let add = InputPort<Int>() }
      struct State { let total = StateCell(0) }
      struct Output { let total: OutputValue<Int> }
      typealias Extra = Void
      static func bind(_ binding: UnidirectionalStream<CounterLogic>.Binding) -> Output {
        Output(total: OutputValue(binding.state.total))
      }
    }
    typealias SessionLogic = CounterLogic
    protocol ZonesListener: AnyObject {}
    final class ZonesInteractor: Interactor { weak var listener: ZonesListener? }
    final class MapInteractor: Interactor, ZonesListener {}
    final class ZonesBuilder: Sendable {
      func build() -> sending Router<ZonesInteractor> { Router(interactor: ZonesInteractor()) }
    }
    struct Taxi {}
    final class FleetInteractor: Interactor {}
    final class TaxiBuilder { func build(_ taxi: Taxi) -> Router<Interactor> { Router(interactor: Interactor()) } }
    protocol MeterPresentable: Presentable { func show(_ cents: Int) }
    final class TaxiStates { let state = Observable<Int>.never() }
    protocol LoggedInActionableItem: AnyObject {
      func openRide(_ ride: RideID) -> Observable<(any LoggedInActionableItem, Void)>
      func showNews() -> Observable<(any LoggedInActionableItem, Void)>
      func quote() -> Observable<(any LoggedInActionableItem, Int)>
    }
    protocol RootActionableItem: AnyObject {
      var client: RideClient { get }
      func waitForLogin() -> Observable<(any LoggedInActionableItem, Void)>
    }
    final class RideWorkflow: Workflow<any RootActionableItem> {
      init(ride: RideID) { super.init() }
    }
    @MainActor var workflow: Workflow<any RootActionableItem> { Workflow() }
    @MainActor var id: RideID { 1 }
    final class SampleInteractor: Interactor {
      let workflow = Workflow<any RootActionableItem>()
      weak var root: (any RootActionableItem)?
      var rootInteractor: any RootActionableItem { root! }
      let client: RideClient
      let (trip, id) = (1, 1)
      let timelineStream: TimelineStream = TimelineStreamImpl()
      let taxiStateStream = TaxiStates()
      init(client: RideClient) { self.client = client }
      func show(_ shown: Int) {}
    }
    final class SampleWorker: Worker {
      let client: RideClient
      let stream = PublishRelay<Position>()
      init(client: RideClient) { self.client = client }
    }
    final class RootInteractor: Interactor {
      let total = 1
      let price = BehaviorRelay(value: 1)
    }
    let sessions: [Int: TreeHost<Router<RootInteractor>>] = [:]
    typealias AppComponent = EmptyComponent
    struct JSONStateCoder: SavedTree.Coder {
      var writesJSON: Bool { true }
      func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] { [] }
      func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value { fatalError() }
    }
    let bytes: [UInt8] = []
    final class RootBuilder: Builder<EmptyDependency> {
      func build() -> Router<RootInteractor> { Router(interactor: RootInteractor()) }
    }

    """
}
