// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@Suite("The command 'ribs migrate'")
struct MigrateCommandTests {
  private let folder = TemporaryFolder()

  /// Where the adapters compile the migrated files.
  private let golden = Tool.repository.appending(path: "Scripts/Adapters/Tests/RxCompatibilityTests/Migrated")

  private func write(_ files: [String: String]) throws {
    let format = try String(contentsOf: Tool.repository.appending(path: ".swift-format"), encoding: .utf8)
    try folder.write(format, to: ".swift-format")
    try folder.write("let package = Package(name: \"App\")\n", to: "Package.swift")
    for (name, text) in files { try folder.write(text, to: "Sources/App/" + name) }
  }

  @Test(
    "rewrites RIBs as the golden files have them, all or none, and shows the same as a diff",
    arguments: ["uber", "modern"])
  func migrated(style: String) throws {
    let app = style == "uber" ? MigrationApps.uber : MigrationApps.modern
    try write(app)
    let before = folder.contents
    let shown = try Tool.run("migrate", "Sources", "--dry-run", in: folder.url)
    #expect(shown.status == 0, "\(shown)")
    #expect(folder.contents == before)
    let done = try Tool.run("migrate", "Sources", in: folder.url)
    #expect(done.status == 0 && done.output.contains("migrated 2 files: imports "), "\(done)")
    let copy = TemporaryFolder()
    for (path, text) in before { try copy.write(text, to: path) }
    let applied = try Tool.run(
      URL(filePath: "/usr/bin/env"), ["git", "apply", "--whitespace=nowarn", "-"], in: copy.url, input: shown.output)
    #expect(applied.status == 0, "\(applied.errors)")
    #expect(copy.contents == folder.contents)
    for name in app.keys.sorted() {
      let text = folder.contents["Sources/App/" + name] ?? ""
      if ProcessInfo.processInfo.environment["RIBS_WRITE_GOLDEN"] != nil {
        try Data(text.utf8).write(to: golden.appending(path: name))
      }
      let expected = try String(contentsOf: golden.appending(path: name), encoding: .utf8)
      #expect(text == expected, "\(name)")
    }
    let again = try Tool.run("migrate", "Sources", in: folder.url)
    #expect(again.status == 0 && again.output == "nothing to migrate\n", "\(again)")
  }

  @Test("refuses what does not follow from the code, with each place and what to do, and writes nothing")
  func refused() throws {
    try write(MigrationApps.uber)
    try folder.write(
      """
      import RIBs
      import RxCocoa
      import RxSwift

      final class LateInteractor: Interactor {
        func didLoad() {
          stream.retry(3).subscribe(onNext: { _ in }, onError: { _ in }).disposeOnDeactivate(interactor: self)
          stream.observe(on: ConcurrentDispatchQueueScheduler(qos: .background)).subscribe { _ in }
          stream.debounce(.seconds(1), scheduler: MainScheduler.instance)
          button.rx.tap.bind(to: taps)
          subject.onError(Failed())
          step.onError { _ in }
          Task.detached { }
          Task(priority: .high) { }
        }
        init() { Task { } }
        let driver: Driver<Int>
      }
      final class LateRouter: Router<LateInteractor> {
        func go() {
          Task { }
          viewController.uiviewController.present()
        }
      }
      func launch(_ router: LaunchRouting) {
        router.launch(from: window)
        let text = stream.debounce(.seconds(1), scheduler: MainScheduler.instance)
      }
      final class LeavingInteractor: Interactor {
        override func willResignActive() {
          Task { [service] in await service.leave() }
          service.leave().subscribe(onSuccess: { _ in }).disposed(by: bag)
        }
      }
      final class LeavingWorker: Worker {
        override func didStop() { if isLate { Task { } } }
      }

      """, to: "Sources/App/Late.swift")
    let before = folder.contents
    let refused = try Tool.run("migrate", "Sources/App", in: folder.url)
    #expect(refused.status == 73 && refused.output.isEmpty, "\(refused)")
    let lines = refused.errors.split(separator: "\n").map(String.init)
    let places = lines.compactMap { line in
      line.wholeMatch(of: #/  Sources/App/Late.swift:(\d+): ([^:]*): .+/#).map { "\($0.1) \($0.2)" }
    }
    #expect(
      places == [
        "7 retry", "7 onError", "8 ConcurrentDispatchQueueScheduler",
        "8 subscribe of events", "10 rx", "11 onError", "13 Task.detached", "14 Task with a priority or an actor",
        "16 Task in an initializer or a static function", "17 Driver", "21 Task in a router", "22 uiviewController",
        "26 launch", "27 scheduler", "31 Task in willResignActive()", "32 a Single in willResignActive()",
        "36 Task in didStop()",
      ], "\(refused.errors)")
    #expect(lines.first == "ribs: \(places.count) places have to be changed by hand first:")
    #expect(lines.last == "Nothing was changed.")
    #expect(folder.contents == before)
    #expect(try Tool.run("migrate", "Sources/App", "--dry-run", in: folder.url).status == 73)
  }

  @Test("refuses what Combine has and streams have not")
  func refusedPublishers() throws {
    try write([:])
    try folder.write(
      """
      import Combine
      import ModernRIBs

      final class LateInteractor: Interactor {
        @Published var count = 0
        var failing: AnyPublisher<Int, Error> { subject.tryMap { $0 }.eraseToAnyPublisher() }
        private let subject = PassthroughSubject<Int, Never>()
        private var kept: AnyCancellable?
        private var all: Set<AnyCancellable> = []
        func go() {
          subject.send(completion: .finished)
          subject.receive(on: DispatchQueue.global()).sink { _ in }.store(in: &others)
          subject.sink(receiveCompletion: { _ in self.go() }, receiveValue: { _ in }).store(in: &all)
          all.removeAll()
          Future<Int, Never> { $0(.success(1)) }
        }
      }

      """, to: "Sources/App/Late.swift")
    let refused = try Tool.run("migrate", "Sources", in: folder.url)
    #expect(refused.status == 73, "\(refused)")
    let places = refused.errors.matches(of: #/Late.swift:(\d+): ([^:]*)/#).map { "\($0.1) \($0.2)" }
    #expect(
      places == [
        "5 @Published", "6 AnyPublisher that fails", "6 tryMap", "8 AnyCancellable", "11 send(completion",
        "12 DispatchQueue.global()",
        "12 store in others", "13 receiveCompletion", "14 removeAll of subscriptions", "15 Future",
      ], "\(refused.errors)")
  }

  @Test("leaves tasks alone whose values are used")
  func keptTasks() throws {
    try write([:])
    let kept = """
        func start() -> Task<Void, Never> { Task { await self.load() } }
        func all() { let all = [1].map { _ in Task { await self.load() } } }
      """
    try folder.write(
      "import RIBs\nimport RxSwift\n\nfinal class AInteractor: Interactor {\n\(kept)\n}\n", to: "Sources/App/A.swift")
    let done = try Tool.run("migrate", "Sources", in: folder.url)
    #expect(done.status == 0 && done.errors.split(separator: "this task is kept").count == 3, "\(done)")
    #expect(folder.contents["Sources/App/A.swift"]?.contains(kept) == true, "\(folder.contents)")
  }

  @Test("keeps the ends of lines and the layout of files, and leaves others alone")
  func others() throws {
    try folder.write(
      "import RxSwift\r\nimport Foundation\r\n\r\nfinal class A { let  a = PublishSubject<Int>() } // RxSwift\r\n",
      to: "App/A.swift")
    try folder.write("import Foundation\nfinal class B: Interactor { func b() { Task { } } }\n", to: "App/B.swift")
    try folder.write("import RxSwift\n", to: "Other/C.swift")
    try folder.write("let package = Package(name: \"App\")\n", to: "Package.swift")
    let before = folder.contents
    let done = try Tool.run("migrate", "App", in: folder.url)
    #expect(done.status == 0, "\(done)")
    #expect(done.output == "changed App/A.swift\nmigrated 1 file: imports 1\n", "\(done)")
    #expect(done.errors.contains("note: the targets now need the product RIBs"), "\(done)")
    var expected = before
    expected["App/A.swift"] =
      "import RIBs\r\nimport RxCompatibility\r\nimport Foundation\r\n\r\n"
      + "final class A { let  a = PublishSubject<Int>() } // RxSwift\r\n"
    #expect(folder.contents == expected)
    #expect(try Tool.run("migrate", "None", in: folder.url).status == 66)
    #expect(try Tool.run("migrate", in: folder.url).status == 64)
  }

  @Test("imports RxCompatibility where a componentized builder is named, once")
  func builders() throws {
    func builder(_ imports: String) -> String {
      imports + "\n\nfinal class ABuilder: SimpleComponentizedBuilder<AComponent, ARouting> {}\n"
    }
    try folder.write("let package = Package(name: \"App\")\n", to: "Package.swift")
    try folder.write(builder("import RIBs  // Uber\nimport UIKit"), to: "App/A.swift")
    try folder.write(builder("import RIBs\nimport RxSwift"), to: "App/B.swift")
    try folder.write(builder("import ModernRIBs"), to: "App/C.swift")
    try folder.write("import RIBs\n\nfinal class DBuilder: Builder<DDependency> {}\n", to: "App/D.swift")
    #expect(try Tool.run("migrate", "App", in: folder.url).status == 0)
    let done = folder.contents
    #expect(done["App/A.swift"] == builder("import RIBs\nimport RxCompatibility  // Uber\nimport UIKit"))
    #expect(done["App/B.swift"] == builder("import RIBs\nimport RxCompatibility"))
    #expect(done["App/C.swift"] == builder("import RIBs\nimport RxCompatibility"))
    #expect(done["App/D.swift"]?.hasPrefix("import RIBs\n\n") == true)
    #expect(try Tool.run("migrate", "App", in: folder.url).status == 0)
    #expect(folder.contents == done)
  }

  @Test("migrates several folders and files, and leaves views alone if asked to")
  func several() throws {
    let view = "import RxCocoa\nimport RxSwift\nimport UIKit\n\nfinal class AView: UIView { let a = b.rx.tap }\n"
    try folder.write("let package = Package(name: \"App\")\n", to: "Package.swift")
    try folder.write(view, to: "App/AView.swift")
    try folder.write("import RxSwift\nimport UIKit\n\nfinal class A: Interactor {}\n", to: "App/A.swift")
    try folder.write("import RxSwift\n", to: "Kit/B.swift")
    try folder.write("import RxSwift\n", to: "Other/C.swift")
    try folder.write("import RxSwift\n", to: "Other/D.swift")
    #expect(try Tool.run("migrate", "App", "Kit", in: folder.url).status == 73)
    let done = try Tool.run("migrate", "App", "Kit", "Other/C.swift", "--leave-views", in: folder.url)
    #expect(done.status == 0, "\(done)")
    #expect(
      done.output
        == "changed App/A.swift\nchanged Kit/B.swift\nchanged Other/C.swift\nmigrated 3 files: imports 3\n", "\(done)")
    #expect(folder.contents["App/AView.swift"] == view)
    #expect(try Tool.run("migrate", "App", "None", in: folder.url).status == 66)
  }

  @Test("rewrites only some of the files if asked to, with what the others declare")
  func only() throws {
    try folder.write("let package = Package(name: \"App\")\n", to: "Package.swift")
    let base = "import RIBs\nimport RxSwift\n\nclass Base: Interactor { let wishes = PublishSubject<Int>() }\n"
    try folder.write(base, to: "App/Base.swift")
    let task = "import RIBs\nimport RxSwift\n\nfinal class %: Base { func go() { Task { self.wishes.onNext(1) } } }\n"
    for name in ["A", "B", "C"] { try folder.write(task.replacing("%", with: name), to: "App/\(name)/\(name).swift") }
    let done = try Tool.run("migrate", "App", "--only", "App/A", "App/B/B.swift", in: folder.url)
    #expect(done.status == 0, "\(done)")
    #expect(
      done.output.split(separator: "\n").dropLast() == ["changed App/A/A.swift", "changed App/B/B.swift"], "\(done)")
    // The file with its superclass says that it is an interactor.
    #expect(folder.contents["App/A/A.swift"]?.contains("{ task { self.wishes") == true)
    #expect(folder.contents["App/Base.swift"] == base)
    let outside = try Tool.run("migrate", "App/A", "--only", "App/B", in: folder.url)
    #expect(outside.status == 66 && outside.errors.contains("'App/B' in what is migrated"), "\(outside)")
  }

  @Test("adds the import of Foundation that came with the streams")
  func foundation() throws {
    try folder.write("let package = Package(name: \"App\")\n", to: "Package.swift")
    try folder.write("import RxSwift\n\nstruct A { var date: Date? }\n", to: "App/A.swift")
    let own = "struct Date {}\nstruct B { var date: Date?; var a = c.URL }\n"
    try folder.write("import RxSwift\n\n" + own, to: "App/B.swift")
    try folder.write("import RxSwift\nimport UIKit\n\nstruct C { var date: Date? }\n", to: "App/C.swift")
    #expect(try Tool.run("migrate", "App", in: folder.url).status == 0)
    let imports = folder.contents.mapValues { text in
      text.split(separator: "\n").filter { $0.hasPrefix("import") }.map { $0.dropFirst(7) }.joined(separator: " ")
    }
    #expect(imports["App/A.swift"] == "Foundation RIBs RxCompatibility")
    #expect(imports["App/B.swift"] == "RIBs RxCompatibility")
    #expect(imports["App/C.swift"] == "RIBs RxCompatibility UIKit")
  }
}
