// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBsInspector

#if Page
  extension ServeCommand {
    func run() async throws {
      let recording = try recording()
      let processes = ServedProcesses(choice: process, directory: live.directory)
      // Fails at once if the directory is not safe, or the path is not that of a socket. A process may come later.
      let shown = try await answer { () throws(InspectorError) in try processes.all() }
      if recording != nil {
        // Nothing is asked of processes.
      } else if let process, process.contains("/"), InspectedProcess(socketPath: process) == nil {
        throw Failure.missing("'\(process)' is not named like the socket of a process that shows trees")
      } else if shown.isEmpty {
        live.note(
          process.map { "no process '\($0)' shows its trees yet; the page shows it when it does" }
            ?? "no process shows its trees yet; the page shows them when one does")
      }
      let (signals, signal) = AsyncStream.makeStream(of: Void.self)
      let sources = [SIGINT, SIGTERM].map { Signals.source($0) { signal.finish() } }
      let server = PageServer(processes: processes, recording: recording, timeout: live.timeout)
      let opens = open
      let serving = Task {
        defer { signal.finish() }
        try await server.run(port: port) { address in
          try? StandardOutput.write(address + "\n")
          if opens { Browser.open(address) }
        }
      }
      for await _ in signals {}
      serving.cancel()
      withExtendedLifetime(sources) {}
      Browser.forget()
      do {
        try await serving.value
      } catch is CancellationError {
      } catch {
        throw Failure.refused("the page can't be served on port \(port): \(error)")
      }
    }

    /// The recording, if the argument names one.
    private func recording() throws -> ServedRecording? {
      guard let process, RecordingFile.isNamed(by: process) else { return nil }
      return ServedRecording(recording: try RecordingFile(process, live.output).recording)
    }
  }
#else
  extension ServeCommand {
    func run() async throws {
      throw Failure.missing(
        "this program was built without a web server; run 'Scripts/ribs serve', which builds it with one")
    }
  }
#endif
