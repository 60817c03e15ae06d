// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

/// A headless browser, driven by its own protocol: JSON with a NUL after each message, over two pipes.
final class Chromium {
  static let program = ["chromium", "chromium-browser", "google-chrome"].lazy
    .flatMap { name in
      (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
    }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  struct Failed: Error, CustomStringConvertible { let description: String }

  private let process = Process()
  private let profile = TemporaryFolder()
  private let requests = Pipe()
  private let answers = Pipe()
  private var input: [UInt8] = []
  private var lastID = 0
  private var session: String?
  /// The first page, after another one was opened.
  private var closing: String?
  /// What has to live as long as the page.
  var companions: [AnyObject] = []
  /// The uncaught errors of the page, and what the browser has refused.
  private(set) var errors: [String] = []

  /// Opens a page.
  ///
  /// - Parameter ready: a condition in the page, which is true once its script has run.
  init(
    _ url: String, width: Int = 1_440, height: Int = 900, isDark: Bool = false,
    ready: String = "typeof page === 'object'"
  ) throws {
    // The browser expects the pipes at the descriptors 3 and 4, which Process can't set.
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", #"exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#, "sh", try #require(Chromium.program), "--headless",
      "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--user-data-dir=\(profile.url.path)",
      "--remote-debugging-pipe", "about:blank",
    ]
    process.standardInput = requests
    process.standardOutput = answers
    process.standardError = FileHandle.nullDevice
    try process.run(forAtMost: 900)
    let targets = try send("Target.getTargets")["targetInfos"] as? [[String: Any]]
    let target = try #require(targets?.first { $0["type"] as? String == "page" }?["targetId"])
    session = try send("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"] as? String
    for domain in ["Runtime", "Log", "Page"] { try send("\(domain).enable") }
    try resize(width, height)
    if isDark {
      try send(
        "Emulation.setEmulatedMedia", ["features": [["name": "prefers-color-scheme", "value": "dark"]]])
    }
    try send("Page.navigate", ["url": url])
    // The page may not have been loaded yet, and evaluations before that are lost with the blank page.
    while try evaluate("document.readyState === 'complete' && \(ready)") as? Bool != true {}
  }

  /// Opens another page in the same browser, and continues with it.
  func openAnother(_ url: String) throws {
    let first = session
    session = nil
    let target = try #require(try send("Target.createTarget", ["url": url])["targetId"] as? String)
    session = try send("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"] as? String
    if closing == nil { closing = first }
    try send("Runtime.enable")
    while try evaluate("document.readyState === 'complete' && typeof page === 'object'") as? Bool != true {}
  }

  /// Closes the first page.
  func closeFirst() throws {
    let current = session
    session = closing
    try send("Page.close")
    session = current
  }

  deinit {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }

  func resize(_ width: Int, _ height: Int) throws {
    try send(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700])
  }

  /// Sends a command, and waits for its answer.
  @discardableResult
  func send(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    lastID += 1
    var message: [String: Any] = ["id": lastID, "method": method, "params": parameters]
    if let session { message["sessionId"] = session }
    try requests.fileHandleForWriting.write(contentsOf: JSONSerialization.data(withJSONObject: message) + [0])
    while let answer = try next() {
      if answer["id"] as? Int == lastID {
        if let error = answer["error"] as? [String: Any] { throw Failed(description: "\(method): \(error)") }
        return answer["result"] as? [String: Any] ?? [:]
      }
      note(answer)
    }
    throw Failed(description: "The browser has ended.")
  }

  private func note(_ event: [String: Any]) {
    let parameters = event["params"] as? [String: Any] ?? [:]
    switch event["method"] as? String {
    case "Runtime.exceptionThrown":
      let details = parameters["exceptionDetails"] as? [String: Any] ?? [:]
      errors.append((details["exception"] as? [String: Any])?["description"] as? String ?? "\(details)")
    case "Log.entryAdded":
      let entry = parameters["entry"] as? [String: Any] ?? [:]
      if entry["level"] as? String == "error" { errors.append(entry["text"] as? String ?? "") }
    default: break
    }
  }

  /// The next message; nil after the last one.
  private func next() throws -> [String: Any]? {
    while true {
      if let end = input.firstIndex(of: 0) {
        let message = Data(input[..<end])
        input.removeSubrange(...end)
        return try JSONSerialization.jsonObject(with: message) as? [String: Any]
      }
      let bytes = answers.fileHandleForReading.availableData
      if bytes.isEmpty { return nil }
      input += bytes
    }
  }

  /// Evaluates an expression in the page, and waits for it if it is a promise.
  @discardableResult
  func evaluate(_ expression: String) throws -> Any? {
    let answer = try send(
      "Runtime.evaluate", ["expression": expression, "awaitPromise": true, "returnByValue": true])
    if let details = answer["exceptionDetails"] as? [String: Any] {
      throw Failed(description: "\(expression): \((details["exception"] as? [String: Any])?["description"] ?? details)")
    }
    return (answer["result"] as? [String: Any])?["value"]
  }

  func text(_ expression: String) throws -> String { "\(try evaluate(expression) ?? "nil")" }

  /// Waits until a condition is true in a frame of the page, for as long as no slow machine needs.
  func wait(_ condition: String, atMost seconds: Int = 90) throws {
    try evaluate(
      """
      new Promise((done, fail) => {
        const end = performance.now() + \(seconds * 1_000);
        const look = () => {
          if (\(condition)) done();
          else if (performance.now() > end) fail(new Error("never true; the page shows: " + document.body.innerText));
          else requestAnimationFrame(look);
        };
        look();
      })
      """)
  }

  /// Presses a key.
  func press(_ key: String) throws {
    var event: [String: Any] = ["type": "keyDown", "key": key]
    if key.count == 1 { event["text"] = key }
    if key == "Enter" { event["text"] = "\r" }
    // The browser itself closes a dialog, by this code.
    if key == "Escape" { event["windowsVirtualKeyCode"] = 27 }
    try send("Input.dispatchKeyEvent", event)
    try send("Input.dispatchKeyEvent", ["type": "keyUp", "key": key])
  }

  func type(_ text: String) throws { try send("Input.insertText", ["text": text]) }

  /// Clicks in the middle of the element that a selector finds.
  func click(_ selector: String) throws {
    let place = try evaluate(
      "(() => { const box = document.querySelector(\"\(selector)\").getBoundingClientRect(); "
        + "return [box.left + box.width / 2, box.top + box.height / 2]; })()")
    let point = try #require(place as? [Double])
    for kind in ["mousePressed", "mouseReleased"] {
      try send(
        "Input.dispatchMouseEvent",
        ["type": kind, "x": point[0], "y": point[1], "button": "left", "clickCount": 1])
    }
  }

  /// A picture of the page as PNG.
  func picture() throws -> Data {
    try #require(Data(base64Encoded: try send("Page.captureScreenshot")["data"] as? String ?? ""))
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test, with a message, if there is no browser.
  static var needsBrowser: Self {
    .enabled(if: Chromium.program != nil, "Chromium is not installed: apt-get install chromium")
  }
}
