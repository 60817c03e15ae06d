// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

#if Page
  import Foundation
  import HTTPTypes
  import Hummingbird
  import Logging
  import NIOCore
  import RIBsInspector
  import Synchronization

  /// Serves the page, and what it reads: lists and snapshots as JSON, and events as server-sent events.
  struct PageServer: Sendable {
    /// The maximum number of connections, and of those that follow events. An inspector accepts 48 followers.
    static let connections = 128
    static let followers = 32

    private let processes: ServedProcesses
    /// Shown in place of processes.
    private let recording: ServedRecording?
    private let timeout: Int
    private let token = AccessToken()
    private let port = Port()
    private let lists = TreeLists()
    private let followers = Count(limit: PageServer.followers)

    init(processes: ServedProcesses, recording: ServedRecording? = nil, timeout: Int) {
      self.processes = processes
      self.recording = recording
      self.timeout = timeout
    }

    /// Serves until the calling task is cancelled.
    ///
    /// - Parameters:
    ///   - port: the port; 0 for a random one.
    ///   - onRunning: called with the address of the page.
    func run(port wanted: Int, onRunning: @escaping @Sendable (String) -> Void) async throws {
      var logger = Logger(label: "ribs")
      logger.logLevel = .critical
      let application = Application(
        responder: CallbackResponder { (request: Request, _: BasicRequestContext) in await respond(to: request) },
        // Connections that only wait must not keep others out.
        server: .http1(configuration: .init(idleTimeout: .seconds(60))),
        configuration: ApplicationConfiguration(
          address: .hostname("127.0.0.1", port: wanted),
          availableConnectionsDelegate: .maximum(PageServer.connections, logger: logger)),
        onServerRunning: { channel in
          guard let bound = channel.localAddress?.port else { return }
          port.set(bound)
          onRunning("http://127.0.0.1:\(bound)/\(token.text)/")
        },
        logger: logger)
      try await application.run()
    }

    // MARK: Requests

    private func respond(to request: Request) async -> Response {
      var response: Response
      do {
        try check(request)
        response = try await answer(request)
      } catch let problem as PageProblem {
        response = problem.response
      } catch {
        response = PageProblem(.badGateway, (error as? InspectorError)?.description ?? "\(error)").response
      }
      response.headers[.cacheControl] = "no-store"
      response.headers[.xContentTypeOptions] = "nosniff"
      for (name, value) in [
        ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
      ] {
        if let name = HTTPField.Name(name) { response.headers[name] = value }
      }
      return response
    }

    /// Refuses requests that are not from the page or from its reader.
    ///
    /// A foreign host name means that a page of another site has its name resolved to this machine. A foreign origin means
    /// that a page of another site sends the request.
    private func check(_ request: Request) throws {
      let hosts = port.value.map { ["127.0.0.1:\($0)", "localhost:\($0)"] } ?? []
      guard let host = request.head.authority, hosts.contains(host) else { throw PageProblem.refused }
      let origins = request.headers[values: .origin]
      guard origins.allSatisfy({ $0 == "http://\(host)" }) else { throw PageProblem.refused }
      let parts = request.uri.path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
      guard let text = parts.first?.prefix(while: { $0 != "/" }), token.matches(text) else { throw PageProblem.refused }
      guard request.method == .get || request.method == .head else {
        throw PageProblem(.methodNotAllowed, "The page only reads.")
      }
    }

    private func answer(_ request: Request) async throws -> Response {
      let path = request.uri.path.dropFirst(token.text.utf8.count + 1)
      switch path {
      case "/": return page()
      case "/processes" where recording != nil, "/trees" where recording != nil, "/recording":
        return try answer(request, path)
      case "/processes":
        let shown = try processes.all().map { ListedProcess(key: $0.key, name: $0.process.name, pid: $0.process.id) }
        return try json(["processes": shown])
      case "/trees":
        let process = try process(of: request)
        let changes = try await lists.changes(
          of: process, since: try request.number("version"), InspectorClient(process.process, timeout: timeout))
        return try json(changes)
      case "/snapshot":
        guard let tree = try request.number("tree") else { throw PageProblem.missing("tree") }
        return try await InspectorConnection(to: try process(of: request).process, timeout: timeout)
          .snapshotResponse(of: tree)
      case "/events":
        let (process, tree) = (try process(of: request), try request.number("tree"))
        guard let place = followers.place() else {
          throw PageProblem(.serviceUnavailable, "The page is open \(PageServer.followers) times already. Close some.")
        }
        return InspectorConnection(to: process.process, timeout: timeout).eventsResponse(of: tree, request, place)
      case "": return Response(status: .found, headers: [.location: "/\(token.text)/"])
      default: throw PageProblem(.notFound, "There is no such path.")
      }
    }

    /// Answers a request about the recording.
    private func answer(_ request: Request, _ path: Substring) throws -> Response {
      guard let recording else { throw PageProblem(.notFound, "No recording is shown.") }
      switch path {
      case "/processes":
        let process = recording.recording.process
        return try json(
          [
            "processes": [
              ListedProcess(key: ServedRecording.key, name: process.name, pid: process.id, isRecorded: true)
            ]
          ])
      case "/trees": return try json(recording.trees(since: try request.number("version")))
      default:
        guard let id = try request.number("tree") else { throw PageProblem.missing("tree") }
        guard let tree = recording.recording.trees.first(where: { $0.id == id }) else {
          throw PageProblem(.notFound, "There is no tree \(id) in the recording.")
        }
        return try json(try recording.part(of: tree, around: try request.number("at").map(Int64.init)))
      }
    }

    private func process(of request: Request) throws -> ServedProcess {
      guard let key = request.parameter("process") else { throw PageProblem.missing("process") }
      guard let process = try processes.process(key) else {
        throw PageProblem(.notFound, "The process has ended, or does not show its trees.")
      }
      return process
    }

    private func page() -> Response {
      // Scripts and styles need the nonce, so that nothing else runs whatever texts the trees contain.
      let nonce = AccessToken().text
      let policy = Page.policy(nonce: nonce, connects: "'self'") + "; frame-ancestors 'none'"
      return Response(
        status: .ok, headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: policy],
        body: ResponseBody(byteBuffer: ByteBuffer(string: Page.html(nonce: nonce))))
    }

    private func json(_ value: some Encodable) throws -> Response { try PageProblem.json(value, .ok) }
  }

  /// The port of a server, known when it listens.
  private final class Port: Sendable {
    private let state = Mutex<Int?>(nil)

    var value: Int? { state.withLock { $0 } }

    func set(_ port: Int) { state.withLock { $0 = port } }
  }

  /// Counts what exists at the same time.
  final class Count: Sendable {
    /// Is counted until it is released.
    final class Place: Sendable {
      private let count: Count

      fileprivate init(_ count: Count) { self.count = count }

      deinit { count.value.withLock { $0 -= 1 } }
    }

    private let limit: Int
    private let value = Mutex(0)

    init(limit: Int) { self.limit = limit }

    /// Another place; nil if the limit is reached.
    func place() -> Place? {
      let isFree = value.withLock { value in
        guard value < limit else { return false }
        value += 1
        return true
      }
      return isFree ? Place(self) : nil
    }
  }

  extension Request {
    fileprivate func parameter(_ name: String) -> String? { uri.queryParameters[name[...]].map(String.init) }

    fileprivate func number(_ name: String) throws -> Int? {
      guard let text = parameter(name) else { return nil }
      guard let number = Int(text) else { throw PageProblem(.badRequest, "The parameter '\(name)' is a number.") }
      return number
    }
  }
#endif
