// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBsInspector
import Testing

@testable import ribs_live

@Suite("ribs serve, its requests", .timeLimit(.minutes(15)))
struct ServeRequestTests {
  @Test("lists the processes once a second at most, however often the page asks")
  func cachedList() throws {
    let probe = try Probe()
    let processes = ServedProcesses(choice: nil, directory: probe.directory)
    let start = ContinuousClock.now
    #expect(try processes.all(at: start).count == 1)
    let other = try Probe(in: probe.directory)
    #expect(try processes.all(at: start + .milliseconds(999)).count == 1)
    #expect(try processes.process(processes.all(at: start)[0].key)?.process.id == probe.id)
    #expect(try processes.all(at: start + .seconds(1)).count == 2)
    withExtendedLifetime(other) {}
  }

  @Test("tell a process from a former one with the same number, also in the lists of its trees")
  func restarted() async throws {
    let (probe, other) = (try Probe(trees: 2), try Probe())
    func served() throws -> ServedProcess {
      try #require(try ServedProcesses(choice: nil, directory: probe.directory).all().first)
    }
    let lists = TreeLists()
    let first = try served()
    #expect(try served() == first)
    let version = try await lists.changes(of: first, since: nil, InspectorClient(first.process)).version
    #expect(unlink(probe.socket) == 0 && link(other.socket, probe.socket) == 0)
    let second = try served()
    #expect(second.process == first.process && second.key != first.key)
    let changes = try await lists.changes(of: second, since: nil, InspectorClient(second.process))
    #expect(changes.version == version && changes.trees?.count == 1)
  }

  @Test("for a tree that does not answer say what it runs, after the timeout")
  func busy() throws {
    let probe = try Probe()
    let serving = try Serving(probe, "--timeout", "1")
    let path = "/\(serving.token)/snapshot?process=\(try serving.key(of: probe))&tree=1"
    try probe.program.say("block")
    var answer = try ask(serving, path)
    // The tree takes a moment to block.
    while answer.status == 200 { answer = try ask(serving, path) }
    #expect(answer.text.contains("Tree 1 does not answer"), "\(answer)")
    try probe.tell("")
  }

  /// Sends a request, and returns its answer.
  private func ask(
    _ serving: Serving, _ path: String, method: String = "GET", host: String? = nil, headers: [String] = []
  ) throws -> (status: Int, text: String) {
    let connection = try Connection(serving.port)
    let lines = ["\(method) \(path) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(serving.port)")", "Connection: close"]
    connection.send(Array((lines + headers + ["", ""]).joined(separator: "\r\n").utf8))
    let text = connection.readToEnd()
    return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0, text)
  }

  @Test("are answered only with the token, for this machine, from the page itself")
  func refused() throws {
    let serving = try Serving(try Probe())
    let (token, port) = (serving.token, serving.port)
    #expect(token.count == 43)
    let page = try ask(serving, "/\(token)/")
    #expect(page.status == 200)
    let list = "/\(token)/processes"
    #expect(try ask(serving, list).status == 200)
    #expect(try ask(serving, list, host: "localhost:\(port)").status == 200)
    #expect(try ask(serving, list, headers: ["Origin: http://127.0.0.1:\(port)"]).status == 200)
    // The token.
    var wrong = Array(token)
    wrong[20] = wrong[20] == "A" ? "B" : "A"
    for path in [
      "/", "/processes", "//processes", "/x/processes", "/\(String(wrong))/processes", "/\(token.dropLast())/processes",
      "/\(token)x/processes", "/\(token.lowercased())/", "/?token=\(token)", "/x/../\(token)/processes",
      "/%2e/\(token)/processes",
    ] {
      let answer = try ask(serving, path)
      #expect(answer.status == 403, "\(path)")
      #expect(answer.text.contains("Open the address that 'ribs serve' has printed."))
    }
    // The host: a name that leads to this machine is that of another site.
    let hosts = [
      "evil.example", "evil.example:\(port)", "127.0.0.1", "127.0.0.1:1", "", "127.0.0.1:\(port).evil.example",
    ]
    for host in hosts {
      #expect(try ask(serving, list, host: host).status == 403, "\(host)")
    }
    // The origin.
    let origins = [
      "http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:\(port)", "http://localhost:\(port)",
    ]
    for origin in origins {
      #expect(try ask(serving, list, headers: ["Origin: \(origin)"]).status == 403, "\(origin)")
    }
    // It only reads.
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
      #expect(try ask(serving, list, method: method, headers: ["Content-Length: 0"]).status == 405, "\(method)")
    }
  }

  @Test("get headers that keep the page to itself")
  func headers() throws {
    let serving = try Serving(try Probe())
    let text = try ask(serving, "/\(serving.token)/").text
    let nonce = try #require(text.firstMatch(of: #/script-src 'nonce-([A-Za-z0-9_-]{43})'/#)?.1)
    #expect(text.contains("default-src 'none'"))
    #expect(text.contains("frame-ancestors 'none'"))
    #expect(text.contains("require-trusted-types-for 'script'"))
    #expect(text.contains("<script nonce=\"\(nonce)\">"))
    #expect(text.components(separatedBy: "<script").count == 2)
    for header in ["Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff", "Cache-Control: no-store"] {
      #expect(text.lowercased().contains(header.lowercased()))
    }
    // Nothing is loaded from elsewhere.
    #expect(!text.contains("src=\"") && !text.contains("@import") && !text.contains("https://"))
    #expect(try ask(serving, "/\(serving.token)/").text.contains("nonce-\(nonce)") == false)
  }

  @Test("with wrong parameters get an answer that says what is wrong")
  func parameters() throws {
    let probe = try Probe()
    let serving = try Serving(probe)
    let start = "/\(serving.token)/"
    let process = "process=\(try serving.key(of: probe))"
    for (path, status, message) in [
      ("trees", 400, "The parameter 'process' is missing."), ("trees?process=x", 404, "The process has ended"),
      ("trees?process=..%2F..%2Fetc%2Fpasswd", 404, "The process has ended"),
      ("snapshot?\(process)", 400, "The parameter 'tree' is missing."),
      ("snapshot?\(process)&tree=x", 400, "The parameter 'tree' is a number."),
      ("snapshot?\(process)&tree=99", 404, "There is no tree 99. There are: 1."),
      ("snapshot?\(process)&tree=99999999999999999999", 400, "is a number"),
      ("nothing", 404, "There is no such path."),
    ] {
      let answer = try ask(serving, start + path)
      #expect(answer.status == status, "\(path)")
      #expect(answer.text.contains(message), "\(answer.text)")
    }
    let trees = try ask(serving, start + "trees?\(process)").text
    #expect(trees.contains(#""trees":[{"id":1,"labels":{},"launched":"#))
    #expect(try ask(serving, start + "snapshot?\(process)&tree=1").text.contains(#""answer":"snapshot""#))
  }

  @Test("that make no sense do no harm")
  func fuzzed() throws {
    let serving = try Serving(try Probe())
    let seed = ProcessInfo.processInfo.environment["RIBS_SEED"].flatMap(UInt64.init) ?? .random(in: 0...UInt64.max)
    var generator = Seeded(state: seed)
    let good = Array(
      "GET /\(serving.token)/trees?process=x&version=1 HTTP/1.1\r\nHost: 127.0.0.1:\(serving.port)\r\nOrigin: x\r\n\r\n"
        .utf8)
    for round in 0..<300 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = .random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: bytes.prefix(place), at: place)
        default: bytes.removeSubrange(place...)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      let connection = try Connection(serving.port)
      connection.send(bytes)
      connection.finish()
      let answer = connection.readToEnd()
      let status = Int(answer.split(separator: " ").dropFirst().first ?? "") ?? 400
      let refusals = [400, 403, 404, 405, 413, 414, 431, 501, 505]
      #expect(refusals.contains(status), "round \(round) of seed \(seed): \(answer)")
    }
    #expect(try ask(serving, "/\(serving.token)/processes").status == 200)
    #expect(serving.serve.process.isRunning)
  }

  @Test("for events lose the oldest if their client does not read, and the server keeps no more")
  func slowReader() throws {
    let probe = try Probe()
    let serving = try Serving(probe)
    let connection = try Connection(serving.port)
    connection.send(try following(serving))
    #expect(connection.read(to: #""answer":"following""#) != nil)
    let before = try memory(of: serving.serve)
    for _ in 0..<20 { try probe.tell("burst 20000") }
    #expect(try memory(of: serving.serve) - before < 32 << 20)
    try probe.tell("attach")
    // What it reads now are old events, then their gap, and then the last one.
    #expect(connection.read(to: #""answer":"lost""#) != nil)
    #expect(connection.read(to: #""path":["Root","Leaf"]"#) != nil)
    // Others are served meanwhile.
    #expect(try ask(serving, "/\(serving.token)/processes").status == 200)
  }

  @Test("are refused when too many follow, and accepted again when they have left")
  func followers() throws {
    let probe = try Probe()
    let serving = try Serving(probe)
    let request = try following(serving)
    var open: [Connection] = []
    // PageServer.followers, which is compiled only with the trait Page.
    for _ in 0..<32 {
      let connection = try Connection(serving.port)
      connection.send(request)
      #expect(connection.read(to: #""answer":"following""#) != nil)
      open.append(connection)
    }
    let path = "/\(serving.token)/events?process=\(try serving.key(of: probe))"
    #expect(try ask(serving, path).status == 503)
    open.removeAll()
    // The server notices it a moment later.
    while true {
      let connection = try Connection(serving.port)
      connection.send(request)
      if try #require(connection.read(to: "\r\n\r\n")).hasPrefix("HTTP/1.1 200") { break }
    }
  }

  @Test("reach one process if it is named")
  func choice() throws {
    let probe = try Probe()
    let other = try Probe(in: probe.directory)
    let serving = try Serving(probe, String(probe.id))
    let list = try ask(serving, "/\(serving.token)/processes").text
    #expect(list.contains("LiveProbe-\(probe.id)") && !list.contains("LiveProbe-\(other.id)"))
    #expect(try ask(serving, "/\(serving.token)/trees?process=\(try serving.key(of: other))").status == 404)
  }

  @Test("end with the command, which fails if the port is in use")
  func ends() throws {
    let probe = try Probe()
    let serving = try Serving(probe)
    let second = try probe.run("serve", "--port", String(serving.port))
    #expect(second.status == 73)
    #expect(second.errors.first?.hasPrefix("ribs: the page can't be served on port \(serving.port)") == true)
    // Also while a page follows events.
    let connection = try Connection(serving.port)
    connection.send(try following(serving))
    #expect(connection.read(to: #""answer":"following""#) != nil)
    serving.serve.send(SIGINT)
    #expect(serving.serve.outcome().status == 0)
  }

  @Test("compare the token as a whole")
  func token() {
    let token = AccessToken()
    #expect(token.matches(token.text))
    #expect(!token.matches("") && !token.matches(token.text + token.text) && !token.matches(token.text.dropLast()))
    #expect(!token.matches(AccessToken().text))
  }

  /// A request to follow the events of the process.
  private func following(_ serving: Serving) throws -> [UInt8] {
    let path = "/\(serving.token)/events?process=\(try serving.key(of: serving.probe))"
    return Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(serving.port)\r\n\r\n".utf8)
  }

  /// The resident memory of a process, in bytes.
  private func memory(of program: Program) throws -> Int {
    #if os(Linux)
      let fields = try String(contentsOfFile: "/proc/\(program.process.processIdentifier)/statm", encoding: .utf8)
        .split(separator: " ")
      return (Int(fields[1]) ?? 0) * Int(getpagesize())
    #else
      return 0
    #endif
  }

  private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return mixed ^ (mixed >> 31)
    }
  }
}
