// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import XCTest
#endif

/// Runs a closure with a custom handler for failures found by the test kit.
///
/// By default a failure is an issue of the running test, in Swift Testing and XCTest alike. Outside a test it is
/// written to standard error. Use a custom handler for other frameworks, and to test expected failures.
///
/// - Parameters:
///   - handler: called with each failure, where it is found.
///   - body: runs with the handler.
public func withFailureHandler<Result>(
  _ handler: @escaping @Sendable (TestFailure) -> Void, _ body: () throws -> Result
) rethrows -> Result {
  try FailureReporting.$handler.withValue(handler, operation: body)
}

/// Runs an asynchronous closure with a custom handler for failures found by the test kit.
///
/// - Parameters:
///   - handler: called with each failure, where it is found.
///   - body: runs with the handler.
public nonisolated(nonsending) func withFailureHandler<Result>(
  _ handler: @escaping @Sendable (TestFailure) -> Void, _ body: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
  try await FailureReporting.$handler.withValue(handler, operation: body)
}

/// Passes failures to the current handler.
enum FailureReporting {
  @TaskLocal static var handler: @Sendable (TestFailure) -> Void = standard

  static func report(_ message: String, advice: String, at place: SourcePlace) {
    handler(TestFailure(message: message, advice: advice, place: place))
  }

  /// Reports a failure to the running test framework.
  @Sendable
  private static func standard(_ failure: TestFailure) {
    let process = ProcessInfo.processInfo
    let runner = TestRunner(arguments: process.arguments, environment: process.environment)
    #if canImport(Testing)
      if Test.current != nil || runner == .swiftTesting { return recordIssue(failure) }
    #endif
    #if canImport(XCTest)
      if runner == .xctest {
        return XCTFail(failure.description, file: failure.place.filePath, line: failure.place.line)
      }
    #endif
    let place = "\(failure.place.fileID):\(failure.place.line)"
    FileHandle.standardError.write(Data("\(place): \(failure)\n".utf8))
  }

  #if canImport(Testing)
    private static func recordIssue(_ failure: TestFailure) {
      let place = failure.place
      Issue.record(
        Comment(rawValue: failure.description),
        sourceLocation: SourceLocation(
          fileID: "\(place.fileID)", filePath: "\(place.filePath)", line: Int(place.line), column: Int(place.column)))
    }
  #endif
}

/// The framework that runs the tests of a process. Each ignores failures outside its runs.
package enum TestRunner {
  case swiftTesting, xctest

  /// Determines the framework; nil in a process that runs no tests.
  package init?(arguments: [String], environment: [String: String]) {
    let library = arguments.firstIndex(of: "--testing-library").flatMap { arguments.dropFirst($0 + 1).first }
    if library == "swift-testing" {
      self = .swiftTesting
    } else if arguments.first?.hasSuffix("xctest") == true || environment["XCTestConfigurationFilePath"] != nil {
      self = .xctest
    } else {
      return nil
    }
  }
}
