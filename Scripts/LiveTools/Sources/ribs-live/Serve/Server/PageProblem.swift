// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

#if Page
  import Foundation
  import HTTPTypes
  import Hummingbird
  import NIOCore

  /// An error as an answer: a status, and a sentence for the reader of the page.
  struct PageProblem: Error {
    let status: HTTPResponse.Status
    let message: String

    init(_ status: HTTPResponse.Status, _ message: String) {
      self.status = status
      self.message = message
    }

    /// One message for every refusal, so that it reveals nothing.
    static var refused: PageProblem { PageProblem(.forbidden, "Open the address that 'ribs serve' has printed.") }

    static func missing(_ parameter: String) -> PageProblem {
      PageProblem(.badRequest, "The parameter '\(parameter)' is missing.")
    }

    var response: Response {
      (try? PageProblem.json(["error": message], status)) ?? Response(status: status)
    }

    static func json(_ value: some Encodable, _ status: HTTPResponse.Status) throws -> Response {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let bytes = ByteBuffer(bytes: try encoder.encode(value))
      return Response(
        status: status, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: bytes))
    }
  }
#endif
