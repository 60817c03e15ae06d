import Foundation
import Hummingbird
import RIBsStore
import Synchronization
import Testing

@testable import HTTPTrees
@testable import TaxiServer

@Suite("The page", .timeLimit(.minutes(10)))
struct PageTests {
  @Test("takes a person from the choices to the end of the ride", .needsBrowser)
  func order() async throws {
    var options = TaxiOptions.test
    options.ordersUntilDecline = 1
    let seen = try await Page.use(
      options,
      """
      await until(() => !$("order").hidden && $("fare").textContent.startsWith("$"));
      const first = $("fare").textContent;
      $("pickup").value = "Elm Court"; $("pickup").dispatchEvent(new Event("change"));
      await until(() => $("fare").textContent.startsWith("$") && $("fare").textContent !== first);
      note(document.body.dataset.status);
      $("confirm").click();
      await until(() => document.body.dataset.status === "choosingPayment");
      note($("title").textContent);
      $("pay").querySelector("button").click();
      await until(() => document.body.dataset.status === "completed");
      note($("title").textContent);
      await until(() => $("orders").childElementCount === 1);
      note($("orders").textContent.includes("Elm Court"));
      $("again").click();
      await until(() => document.body.dataset.status === "confirming");
      note($("confirm").disabled);
      """)
    #expect(seen == ["confirming", "Your card was declined", "You have arrived", "true", "false"])
  }

  @Test("connects again when the server stops and starts", .needsBrowser)
  func reconnect() async throws {
    let store = MemoryStore()
    var options = TaxiOptions.test
    options.speed = 1
    let port = try await RunningServer.withAddress(store, options) { $0.client.port }
    options.port = port
    let (seen, note) = AsyncStream<String>.makeStream()
    let browser = Mutex<Browser?>(nil)
    try await RunningServer.with(
      routes: { router, _ in Page.addRoutes(to: router, note, Page.reconnecting) }, options, store
    ) {
      _ in
      let started = try Browser("http://127.0.0.1:\(port)/test")
      browser.withLock { $0 = started }
      var notes = seen.makeAsyncIterator()
      #expect(await notes.next() == "searching or assigned")
    }
    try await RunningServer.with(routes: { router, _ in Page.addRoutes(to: router, note, "") }, options, store) {
      server in
      var notes = seen.makeAsyncIterator()
      #expect(await notes.next() == "lost")
      #expect(await notes.next() == "live, and the taxi is coming")
    }
    browser.withLock { $0?.end() }
  }
}

/// The page with a script that uses it like a person.
enum Page {
  static let reconnecting = """
    await until(() => document.body.dataset.status === "confirming");
    $("confirm").click();
    await until(() => ["searching", "assigned"].includes(document.body.dataset.status));
    note("searching or assigned");
    await until(() => $("connection").textContent === "connecting");
    note("lost");
    await until(() => $("connection").textContent === "live" && document.body.dataset.status === "assigned");
    note("live, and the taxi is coming");
    """

  /// Opens the page of a server in a browser.
  ///
  /// - Returns: what the script notes.
  static func use(_ options: TaxiOptions, _ script: String) async throws -> [String] {
    let (seen, note) = AsyncStream<String>.makeStream()
    return try await RunningServer.with(
      routes: { router, _ in addRoutes(to: router, note, script + "\nnote(null);") }, options, nil
    ) {
      server in
      let browser = try Browser("http://127.0.0.1:\(server.client.port)/test")
      defer { browser.end() }
      var notes: [String] = []
      for await text in seen {
        if text == "null" { break }
        notes.append(text)
      }
      return notes
    }
  }

  /// Adds the page with a script, which sends its notes.
  static func addRoutes(
    to router: Hummingbird.Router<ServerContext>, _ note: AsyncStream<String>.Continuation, _ script: String
  ) {
    router.get("/test") { _, _ in
      let driver = """
        <script>
        const until = condition => new Promise(done => {
          const look = () => condition() ? done() : setTimeout(look, 10);
          look();
        });
        // In order, and repeated while the server is away.
        let sent = Promise.resolve();
        const note = text => {
          sent = sent.then(async () => {
            for (;;) {
              try { await fetch("/note", { method: "POST", body: String(text) }); return; }
              catch { await new Promise(done => setTimeout(done, 100)); }
            }
          });
        };
        (async () => { try { \(script) } catch (error) { note("failed: " + error); note(null); } })();
        </script>
        """
      let page = PageRoutes.page.replacingOccurrences(of: "</body>", with: driver + "</body>")
      return Response(
        status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: page)))
    }
    router.post("/note") { request, _ in
      note.yield(String(buffer: try await request.body.collect(upTo: 65_536)))
      return Response(status: .noContent)
    }
  }
}

/// A headless browser.
private final class Browser: Sendable {
  private let process: Process
  private let profile: TemporaryFolder

  static let program = ["chromium", "chromium-browser", "google-chrome"].lazy
    .flatMap { name in (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
    }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  init(_ url: String) throws {
    profile = try TemporaryFolder()
    process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Browser.program))
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir=\(profile.path)", "--remote-debugging-port=0",
      url,
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  func end() {
    process.terminate()
    process.waitUntilExit()
  }

  deinit { if process.isRunning { process.terminate() } }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test, with a message, if there is no browser.
  static var needsBrowser: Self {
    .enabled(
      if: Browser.program != nil || ProcessInfo.processInfo.environment["RIBS_NO_SKIPS"] != nil,
      "Chromium is not installed: apt-get install chromium")
  }
}
