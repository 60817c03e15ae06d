// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBsStore
import Support
import Testing

@testable import HTTPTrees
@testable import TaxiServer

@Suite("The page", .timeLimit(.minutes(15)))
struct PageTests {
  @Test("takes a person from the choices to the end of the ride", .needsBrowser)
  func order() async throws {
    var options = TaxiOptions.test
    options.ordersUntilDecline = 1
    try await RunningServer.with(options) { server in
      let person = try await Person(at: server.client.port)
      try await person.wait("!$('order').hidden && $('fare').textContent.startsWith('$')")
      let first = try await person.text("$('fare').textContent")
      try await person.evaluate("$('pickup').value = 'Elm Court'; $('pickup').dispatchEvent(new Event('change'))")
      try await person.wait("$('fare').textContent.startsWith('$') && $('fare').textContent !== '\(first)'")
      #expect(try await person.status == "confirming")
      try await person.click("#confirm")
      try await person.wait("document.body.dataset.status === 'choosingPayment'")
      #expect(try await person.text("$('title').textContent") == "Your card was declined")
      try await person.click("#pay button")
      try await person.wait("document.body.dataset.status === 'completed'")
      #expect(try await person.text("$('title').textContent") == "You have arrived")
      try await person.wait("$('orders').childElementCount === 1")
      #expect(try await person.text("$('orders').textContent").contains("Elm Court"))
      try await person.click("#again")
      try await person.wait("document.body.dataset.status === 'confirming'")
      #expect(try await person.text("$('confirm').disabled") == "0")
      #expect(await person.errors == [])
    }
  }

  @Test("orders a taxi for later, and cancels it", .needsBrowser)
  func later() async throws {
    try await RunningServer.with { server in
      let person = try await Person(at: server.client.port)
      try await person.wait("document.body.dataset.status === 'confirming'")
      try await person.evaluate("$('when').value = 'at'; $('when').dispatchEvent(new Event('change'))")
      try await person.wait("$('confirm').textContent.startsWith('Order the taxi for ') && !$('confirm').disabled")
      try await person.click("#confirm")
      try await person.wait("document.body.dataset.status === 'scheduled'")
      #expect(try await person.text("$('title').textContent") == "Your taxi is ordered")
      #expect(try await person.text("$('detail').textContent").hasPrefix("It is searched at "))
      try await person.click("#cancel")
      try await person.wait("document.body.dataset.status === 'cancelled'")
      #expect(await person.errors == [])
    }
  }

  @Test("asks for a token if the server wants one, and again if it is wrong", .needsBrowser)
  func token() async throws {
    var options = TaxiOptions.test
    options.tokens = BearerTokens(["token-anna": Caller(id: "anna")])
    try await RunningServer.with(options) { server in
      let person = try await Person(at: server.client.port, "?rider=anna", ready: "!$('signIn').hidden")
      for token in ["wrong", " token-anna "] {
        try await person.wait("!$('signIn').hidden")
        try await person.evaluate("$('token').value = '\(token)'")
        try await person.click("#signIn button")
      }
      try await person.order()
      #expect(try await person.text("$('connection').textContent") == "live")
      #expect(try await person.text("sessionStorage.token") == "token-anna")
      #expect(server.server.riders.ids.map(\.description) == ["anna"])
    }
  }

  @Test("connects again when the server stops and starts", .needsBrowser)
  func reconnect() async throws {
    let store = MemoryStore()
    var options = TaxiOptions.test
    options.speed = 1
    options.port = try await RunningServer.withAddress(store, options) { $0.client.port }
    let person = try await RunningServer.with(options, store: store) { server in
      let person = try await Person(at: server.client.port)
      try await person.order()
      return person
    }
    try await person.wait("$('connection').textContent === 'connecting'")
    try await RunningServer.with(options, store: store) { _ in try await person.waitForTaxi() }
  }

  @Test("shows the taxi that is still coming after kill -9 of the server, and its start", .needsBrowser)
  func kill9() async throws {
    let folder = TemporaryFolder()
    let arguments = ["--store", folder.url.path, "--speed", "1"]
    let first = try await ServerProcess.start(arguments)
    let person = try await Person(at: first.client.port)
    try await person.order()
    await first.end(SIGKILL)
    try await person.wait("$('connection').textContent === 'connecting'")
    let second = try await ServerProcess.start(port: first.client.port, arguments)
    try await person.waitForTaxi()
    #expect(await second.end(SIGTERM) == 0)
  }
}

/// A person with a browser, whose waits block no thread of Swift's tasks.
private actor Person {
  private final class Thread: SerialExecutor {
    private let queue = DispatchQueue(label: "person")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  private let thread = Thread()
  private var page: Chromium?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Opens the page of a server.
  init(at port: Int, _ query: String = "", ready: String = "document.body.dataset.status !== undefined") async throws {
    try open(port, query, ready)
  }

  private func open(_ port: Int, _ query: String, _ ready: String) throws {
    page = try Chromium("http://127.0.0.1:\(port)/\(query)", ready: ready)
  }

  private var opened: Chromium { get throws { try #require(page) } }

  /// What the page has reported as errors.
  var errors: [String] { page?.errors ?? [] }

  /// The status of the order.
  var status: String { get throws { try text("document.body.dataset.status") } }

  func evaluate(_ code: String) throws { _ = try opened.evaluate(code) }

  func text(_ expression: String) throws -> String { try opened.text(expression) }

  func wait(_ condition: String) throws { try opened.wait(condition) }

  func click(_ selector: String) throws { try opened.click(selector) }

  /// Orders a taxi.
  func order() throws {
    try wait("document.body.dataset.status === 'confirming' && !$('confirm').disabled")
    try click("#confirm")
    try wait("['searching', 'assigned'].includes(document.body.dataset.status)")
  }

  /// Waits until the page is connected, and the taxi is coming.
  func waitForTaxi() throws {
    try wait("$('connection').textContent === 'live' && document.body.dataset.status === 'assigned'")
  }
}
