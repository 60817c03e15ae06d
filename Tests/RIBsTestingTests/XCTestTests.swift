// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

#if canImport(XCTest)
  import RIBs
  import RIBsTesting
  import XCTest

  /// The same failures under XCTest.
  final class XCTestTests: XCTestCase {
    func testRunsWhereItsTestRuns() {
      let test = TestTree(recording: .tasks)
      test.launch(Scripted.RootRouter()).interactor.task("work", overlap: .concurrent) {}
      test.settle()
      test.expect("Root task work started\nRoot task work ended")
      test.finish()
    }

    func testRunsInAnAsynchronousTest() async {
      let test = TestTree(recording: .tasks)
      test.launch(Scripted.RootRouter()).interactor
        .task("work", overlap: .concurrent) { await Task.detached {}.value }
      await test.settle { test.runningWork.isEmpty }
      test.expect("Root task work started\nRoot task work ended")
      test.finish()
    }

    func testTellsXCTestOfFailures() {
      let test = TestTree()
      test.launch(Scripted.RootRouter())
      let failures = expectFailures { test.expect("Nothing") }
      XCTAssertEqual(failures.count, 1)
      XCTAssert(failures.first?.contains("The tree did not behave as expected") == true)
      test.finish()
    }

    private var expected: [String]?

    /// The failures recorded by XCTest while a closure runs, which do not fail the running test.
    private func expectFailures(_ body: () -> Void) -> [String] {
      expected = []
      defer { expected = nil }
      body()
      return expected ?? []
    }

    #if canImport(ObjectiveC)
      override func record(_ issue: XCTIssue) {
        if expected == nil { super.record(issue) } else { expected?.append(issue.compactDescription) }
      }
    #else
      override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
      ) {
        if self.expected == nil {
          super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
        } else {
          self.expected?.append(description)
        }
      }
    #endif
  }
#endif
