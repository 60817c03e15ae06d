// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@Suite("Edge cases of 'ribs migrate'")
struct MigrationEdgeTests {
  private let folder = TemporaryFolder()

  private static let rx = "import RIBs\nimport RxSwift\n\n"
  private static let combine = "import Combine\nimport ModernRIBs\n\n"

  /// Migrates files in the folder `App`.
  private func migrate(_ files: [String: String]) throws -> Tool.Outcome {
    try folder.write("let package = Package(name: \"App\")\n", to: "Package.swift")
    for (name, text) in files { try folder.write(text, to: "App/" + name) }
    return try Tool.run("migrate", "App", in: folder.url)
  }

  /// Migrates the members of a class, and returns them.
  private func migrated(_ members: String, _ imports: String, in type: String = "A: Interactor") throws -> String {
    let done = try migrate(["A.swift": imports + "final class \(type) {\n" + members + "\n}\n"])
    #expect(done.status == 0, "\(done)")
    let text = folder.contents["App/A.swift"] ?? ""
    return text.split(separator: "{\n", maxSplits: 1).last.map { String($0.dropLast(3)) } ?? text
  }

  /// The refused lines of a file, with the begin of the reason of each.
  private func refusals(_ text: String) throws -> [String] {
    let done = try migrate(["A.swift": text])
    return done.errors.matches(of: #/App/A.swift:(\d+): ([^:;]*)/#).map { "\($0.1) \($0.2)" }
  }

  @Test("gives the closure behind takeWhile a label")
  func trailing() throws {
    let done = try migrated("  func a() { b.takeWhile { $0 < 3 }.subscribe(onNext: { _ in }) }", Self.rx)
    #expect(done == "  func a() { b.take(while: { $0 < 3 }).subscribe(onNext: { _ in }) }")
  }

  @Test("refuses flatMap with a maximum, and no other")
  func maximum() throws {
    let text = """
      final class A {
        let a = PassthroughSubject<Int, Never>()
        func b() { a.flatMap { b($0) }.sink { _ in } }
        func c() { a.flatMap(maxPublishers: .max(1)) { b($0) }.sink { _ in } }
      }

      """
    #expect(try refusals(Self.combine + text) == ["7 flatMap"])
  }

  @Test("leaves a manifest alone, and no file whose name ends like one")
  func manifests() throws {
    let text = "import RxSwift\n"
    #expect(try migrate(["Package.swift": text, "MyPackage.swift": text]).status == 0)
    #expect(folder.contents["App/Package.swift"] == text)
    #expect(folder.contents["App/MyPackage.swift"] == "import RIBs\nimport RxCompatibility\n")
  }

  @Test("keeps comments between calls")
  func comments() throws {
    let done = try migrated(
      """
        let a = PassthroughSubject<Int, Never>()  // a
        func b() {
          a  // b
            .combineLatest(a)  // c
            .map { $0 }  // d
            .switchToLatest()  // e
            .removeDuplicates()
            // f
            .receive(on: DispatchQueue.main)
            // g
            .receive(on: DispatchQueue.main).sink { _ in }
        }
      """, Self.combine)
    #expect(
      done == """
          let a = PublishRelay<Int>()  // a
          func b() {
            Observable.combineLatest(
              a  // b
              , a
            )  // c
            .flatMapLatest { $0 }  // d  // e
            .distinctUntilChanged()
            // f
            // g
            .subscribe(onNext: { _ in })
          }
        """)
  }

  @Test("leaves operators of the value of a subject alone, and writes to it with accept")
  func values() throws {
    let done = try migrated(
      """
        let a = CurrentValueSubject<[Int], Never>([])
        var b: [Int] { Array(self.a.value.dropFirst().prefix(2)) }
        func c() { self.a.value = a.value.filter { $0 > 1 } + [1] }
        func d() { a.dropFirst().sink { _ in } }
      """, Self.combine)
    #expect(
      done == """
          let a = BehaviorRelay<[Int]>(value: [])
          var b: [Int] { Array(self.a.value.dropFirst().prefix(2)) }
          func c() { self.a.accept(a.value.filter { $0 > 1 } + [1]) }
          func d() { a.skip(1).subscribe(onNext: { _ in }) }
        """)
    let counter = """
      final class A {
        let a = CurrentValueSubject<Int, Never>(0)
        func b() { a.value += 1 }
        func c() -> Bool { a.value == 1 && a.value <= 2 }
      }

      """
    #expect(try refusals(Self.combine + counter) == ["6 value"])
  }

  @Test("takes names that the app declares for its own, and types of RxCocoa only where it is imported")
  func own() throws {
    let names = """
      struct Driver { enum Variable { case a } }
      protocol AListener: AnyObject { func onError(_ error: any Error) }
      final class A: Interactor {
        weak var listener: AListener?
        var driver: Driver?, variable: Driver.Variable?
        func retry() { listener?.onError(Failed()) }
        func again(_ a: A) { a.retry() }
      }

      """
    #expect(try refusals(Self.rx + names) == [])
    let others = "let a: Maybe<Variable>\nlet b: Signal<Int>\n"
    #expect(try refusals(Self.rx + others) == ["4 Maybe", "4 Variable"])
    #expect(try refusals("import RxCocoa\n" + Self.rx + others) == ["5 Maybe", "5 Variable", "6 Signal"])
    #expect(try refusals(Self.combine + "struct Empty {}\nlet a: Empty\nlet b: Just<Int>\n") == ["6 Just"])
  }

  @Test("refuses to make a closure capture the interactor")
  func captures() throws {
    let text = """
      final class A: Interactor {
        func a() {
          b.flatMapLatest { _ in Observable<Int>.interval(.seconds(1), scheduler: MainScheduler.instance) }
          b.subscribe(onNext: { [log] c in Task { await log.write(c) } })
        }
      }

      """
    #expect(try refusals(Self.rx + text) == ["6 scheduler", "7 Task in a closure that does not capture self"])
    let done = try migrated(
      """
        func a() {
          b.subscribe(onNext: { [weak self] c in Task { await self?.write(c) } })
          b.subscribe(onNext: { [self] c in Task { await write(c) } })
          b.subscribe(onNext: { c in self.d = c; Task { } })
          Task { [log] in Task { await log.write() } }
        }
      """, Self.rx)
    #expect(
      done == """
          func a() {
            b.subscribe(onNext: { [weak self] c in self?.task { await self?.write(c) } })
            b.subscribe(onNext: { [self] c in self.task { await write(c) } })
            b.subscribe(onNext: { c in self.d = c; self.task { } })
            task { [log] in self.task { await log.write() } }
          }
        """)
  }

  @Test("keeps the access of imports and whether they are exported")
  func imports() throws {
    let done = try migrate([
      "A.swift": "@preconcurrency @_exported import RxSwift\n",
      "B.swift": "internal import RxRelay\npublic import RxSwift\n",
      "C.swift": "import RIBs\n\nfinal class C: Interactor { func c() { d.observeOn(MainScheduler.instance) } }\n",
      "D.swift": "import Combine\nimport RIBs\n\nlet d: AnyPublisher<Int, Never>\n",
      "E.swift": "public import ModernRIBs\n\npublic final class E: SimpleComponentizedBuilder<F, G> {}\n",
      "F.swift": "public import RIBs\n\npublic final class F: MultiStageComponentizedBuilder<F, G, H> {}\n",
    ])
    #expect(done.status == 0, "\(done)")
    #expect(folder.contents["App/A.swift"] == "@_exported import RIBs\n@_exported import RxCompatibility\n")
    #expect(folder.contents["App/B.swift"] == "public import RIBs\npublic import RxCompatibility\n")
    #expect(folder.contents["App/D.swift"] == "import RIBs\n\nlet d: Observable<Int>\n")
    for name in ["E", "F"] {
      let text = folder.contents["App/\(name).swift"]
      #expect(text?.hasPrefix("public import RIBs\npublic import RxCompatibility\n\n") == true, "\(name)")
    }
    // What another file of the app exports needs no import.
    #expect(folder.contents["App/C.swift"]?.contains("d.observe(on: MainScheduler.instance)") == true)
  }

  @Test("keeps a subscription to a Single in a bag that can be replaced")
  func bags() throws {
    let done = try migrated(
      """
        let a = DisposeBag()
        var b = DisposeBag()
        func c() {
          d.subscribe(onSuccess: { _ in }).disposed(by: a)
          b = DisposeBag()
          d.subscribe(onSuccess: { _ in }).disposed(by: self.b)
        }
      """, Self.rx)
    #expect(
      done == """
          let a = DisposeBag()
          var b = DisposeBag()
          func c() {
            d.subscribe(onSuccess: { _ in }).disposeOnDeactivate(interactor: self)
            b = DisposeBag()
            d.subscribe(onSuccess: { _ in }).disposeOnDeactivate(interactor: self).disposed(by: self.b)
          }
        """)
  }
}
