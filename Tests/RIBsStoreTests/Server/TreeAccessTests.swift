// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBsStore
import TestSupport
import Testing

@Suite("Who may call which tree")
struct TreeAccessTests {
  private typealias Access = TreeAccess<String, Int>

  @Test("is decided by a rule for each action, and refused without one")
  func rules() async throws {
    let access = Access(
      identify: { request, context in request.isEmpty ? nil : Caller(id: "\(request)\(context)") }, read: Access.anyone,
      change: { request in request.caller?.id == request.key })
    #expect(try await access.identify("a", 1) == Caller(id: "a1"))
    #expect(try await access.identify("", 1) == nil)
    func allows(_ action: TreeAction, _ caller: String?, _ key: String = "a", in access: Access) -> Bool {
      access.allows(TreeRequest(caller: caller.map { Caller(id: $0) }, action: action, route: "/{tree}", key: key))
    }
    #expect(allows(.read, nil, in: access) && allows(.change, "a", in: access))
    #expect(!allows(.change, "b", in: access) && !allows(.change, nil, in: access))
    for action in [TreeAction.delete, .administer] { #expect(!allows(action, "a", in: access)) }
    for action in [TreeAction.read, .change, .delete, .administer] { #expect(!allows(action, "a", in: Access())) }
    let operators = Access(delete: { $0.key == "a" }, administer: Access.anyone)
    #expect(allows(.delete, nil, in: operators) && !allows(.delete, nil, "b", in: operators))
    #expect(allows(.administer, nil, in: operators) && !allows(.read, "a", in: operators))
  }

  @Test("knows callers by tokens from a file, whose lines are checked")
  func tokens() async throws {
    try await withTemporaryDirectory { folder in
      func tokens(_ text: String) throws -> BearerTokens {
        try text.write(toFile: folder + "/tokens", atomically: true, encoding: .utf8)
        return try BearerTokens(file: folder + "/tokens")
      }
      let read = try tokens("# riders\nabc anna\n\ndef mara dispatcher nurse\r\n")
      #expect(try read.caller(ofHeader: nil) == nil)
      #expect(try read.caller(ofHeader: "Bearer abc") == Caller(id: "anna"))
      #expect(try read.caller(ofHeader: "BEARER def") == Caller(id: "mara", roles: ["dispatcher", "nurse"]))
      for header in ["Bearer abcd", "Bearer", "", "Basic abc", "abc"] {
        #expect(throws: UnknownToken.self, "\(header)") { try read.caller(ofHeader: header) }
      }
      for (text, line) in [("abc", 1), ("abc anna\nabc mara", 2), ("\n\nabc\n", 3), ("é anna", 1)] {
        let error = #expect(throws: BadTokens.self) { try tokens(text) }
        #expect(error.map { "\($0)".hasPrefix("Line \(line) of") && !"\($0)".contains("abc") } == true)
      }
    }
  }
}
