// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

/// What can't be rewritten mechanically, by name, with what to do about it.
enum MigrationRefusals {
  /// Modules.
  static let modules: [String: String] = [
    "NeedleFoundation": "write the components by hand, see 'Providing dependencies' in the documentation",
    "RxTest": "tests use TestTree of RIBsTesting, whose clock is virtual",
    "RxBlocking": "tests await a stream's first()",
    "RxDataSources": "keep it in a module with the views", "RxGesture": "keep it in a module with the views",
    "RxSwiftExt": "write the operators that are used as extensions of ObservableType",
    "ReactorKit": "a reactor becomes an interactor", "CombineExt": "write the operators that are used as extensions",
    "CombineCocoa": "keep it in a module with the views", "CombineSchedulers": "time is the tree's, see TestTree",
  ]

  /// Types of all styles.
  static let types: [String: String] = [
    "LeakDetector": "leaks are found without it: TreeConfiguration.leakDetection"
  ]

  /// The name of a call and its first label: `launch(from`.
  static func key(of node: FunctionCallExprSyntax, _ name: TokenSyntax) -> String {
    "\(name.text)(\(node.arguments.first?.label?.text ?? "")"
  }

  /// Calls in all styles: the name and the first label.
  static let calls: [String: String] = [
    "launch(from": "Tree(root: router).launch() starts a tree; show its first view in the window yourself",
    "disposeWith(workflow": "dispose of the result of subscribe",
    "cancelWith(workflow": "dispose of the result of subscribe",
  ]

  /// Types of RxCocoa.
  static let cocoaTypes: [String: String] = [
    "Driver": "use Observable: streams stay on their tree, and carry no error",
    "Signal": "use Observable: streams stay on their tree, and carry no error",
    "ControlEvent": "use Observable, which the view sends on", "ControlProperty": "use a BehaviorRelay",
  ]

  /// Types of RxSwift.
  static let rxTypes: [String: String] = [
    "Completable": "use an async method that throws, or Single<Void>",
    "Maybe": "use an async method that returns an optional, or Single of an optional",
    "Binder": "subscribe with onNext:", "Variable": "use a BehaviorRelay",
    "ConnectableObservable": "use a relay, and bind(to:) it", "RxTimeInterval": "use Duration",
    "CompositeDisposable": "use a DisposeBag", "SerialDisposable": "keep the disposable, and dispose of it",
    "SerialDispatchQueueScheduler": "use 'run', which leaves the tree",
    "ConcurrentDispatchQueueScheduler": "use 'run', which leaves the tree",
    "OperationQueueScheduler": "use 'run', which leaves the tree",
    "CurrentThreadScheduler": "leave it out: values are delivered during the call that caused them",
    "TestScheduler": "tests use TestTree of RIBsTesting, whose clock is virtual",
  ]

  private static let errors = "streams carry no error; catch it where the work is: catchAndReturn of a Single"
  private static let relay = "use a relay, and bind(to:) it"

  /// Members of streams of RxSwift.
  static let rxCalls: [String: String] = [
    "asDriver": "use asObservable()", "asSignal": "use asObservable()", "drive": "use bind", "emit": "use bind",
    "catchError": errors, "catchErrorJustReturn": errors, "retry": errors, "retryWhen": errors, "materialize": errors,
    "dematerialize": errors, "publish": relay, "refCount": relay, "multicast": relay, "groupBy": "keep a dictionary",
    "switchLatest": "use flatMapLatest", "toArray": "use scan", "asCompletable": "use an async method that throws",
    "asMaybe": "use an async method that returns an optional", "andThen": "use an async method",
    "subscribeNext": "use subscribe(onNext:)",
  ]

  private static let future =
    "use an async method, called in 'task' or 'run': func load() async throws -> Value { try await "
    + "withCheckedThrowingContinuation { continuation in start { continuation.resume(with: $0) } } }"

  /// Types of Combine.
  static let combineTypes: [String: String] = [
    "AnyCancellable": "use a Disposable, which does not end when it is released: bind it to a scope",
    "Cancellable": "use a Disposable", "Future": future,
    "Deferred": "use an async method, called in 'task' or 'run'", "Fail": "use an async method that throws",
    "Just": "use Observable.just", "Empty": "use Observable.empty()", "Publisher": "use ObservableType",
    "Subject": "use a relay", "Subscriber": "subscribe with onNext:",
  ]

  private static let failures = "streams carry no error; use an async method that throws, called in 'task' or 'run'"

  /// Members of publishers of Combine: the name, or the name and the first label.
  static let combineCalls: [String: String] = [
    "assign": "use subscribe(with:onNext:)", "tryMap": failures, "mapError": failures, "catch": failures,
    "tryCatch": failures, "replaceError": failures, "retry": failures, "setFailureType": failures,
    "tryFilter": failures,
    "handleEvents": "use do(onNext:onSubscribe:onDispose:) of RxCompatibility", "print": "use debug of RxCompatibility",
    "collect": "use scan", "multicast": relay, "autoconnect": "use interval of RxCompatibility", "buffer": relay,
    "timeout": "use timeout: of 'task' or 'run'", "flatMap(maxPublishers": "use flatMap or flatMapLatest",
  ]
}
