internal import RIBs

/// The `taxi` program, without the process around it.
public struct TaxiProgram: Sendable {
  /// The version that `--version` shows.
  public static let version = "0.1.0"

  private let terminal: Terminal

  /// Creates a program.
  ///
  /// - Parameter terminal: what it writes to.
  public init(terminal: Terminal) { self.terminal = terminal }

  /// Does what the arguments ask for. When the calling task is cancelled, it ends early and in order.
  ///
  /// - Parameter arguments: the arguments of the process, without the program's name.
  /// - Returns: the exit status.
  @MainActor
  public func run(_ arguments: [String]) async -> Int32 {
    do {
      switch try TaxiCommand(arguments) {
      case .help(let topic): terminal.out(topic.help)
      case .version: terminal.out("taxi \(TaxiProgram.version)\n")
      case .order(let options): return await order(options)
      case .replay(let options): return await replay(options)
      }
      return ExitStatus.success
    } catch {
      terminal.error("taxi: \(error)\nSee '\(error.topic.helpCommand)'.\n")
      return ExitStatus.usage
    }
  }

  @MainActor
  private func order(_ options: OrderOptions) async -> Int32 {
    let trip = Trip.invented(from: options.from, to: options.to, seed: options.seed)
    let style = TextStyle(usesColour: terminal.usesColour)
    let telling = OrderTelling(
      trip, seed: options.seed, showsTree: options.showsTree, style: style, write: terminal.out)
    let report = await telling.run()
    let requests = "\(report.requests) requests, \(report.requestsFromInactive) of them from inactive RIBs"
    switch report.outcome {
    case .completed(let charged): terminal.out("\nCompleted: \(charged) charged, \(requests).\n")
    case .failed(let reason): terminal.out("\nFailed: \(reason.printable); \(requests).\n")
    case .cancelled: terminal.out("\nCancelled: \(requests).\n")
    }
    return report.outcome.isCompleted ? ExitStatus.success : ExitStatus.failure
  }

  @MainActor
  private func replay(_ options: ReplayOptions) async -> Int32 {
    var progress = ProgressLine(isShown: options.showsProgress && terminal.showsProgress, write: terminal.error)
    do {
      var reader = try TripReader(FileSource(path: options.path))
      let replay = Replay(concurrency: options.concurrency, seed: options.seed)
      let name = options.path == "-" ? "standard input" : options.path.printable
      let (summary, failure) = await replay.run(&reader) { row in
        progress.clear()
        terminal.error("\(name): \(row)\n")
      } progress: { summary in
        progress.show(summary)
      }
      progress.clear()
      terminal.out(options.format == .json ? summary.json : summary.text)
      if let failure { throw failure }
      return summary.rejectedRows + summary.failed > 0 ? ExitStatus.failure : ExitStatus.success
    } catch let error as TripFileError {
      return report(error, options)
    } catch {
      // Cancelled before the header had come.
      terminal.out(options.format == .json ? ReplaySummary().json : ReplaySummary().text)
      return ExitStatus.failure
    }
  }

  private func report(_ error: TripFileError, _ options: ReplayOptions) -> Int32 {
    let name = options.path == "-" ? "standard input" : "'\(options.path.printable)'"
    if case .unreadable(let reason) = error {
      terminal.error("taxi: can't read \(name): \(reason)\n")
      return ExitStatus.noInput
    }
    terminal.error("taxi: \(name) is no trip file: \(error)\nSee 'taxi replay --help'.\n")
    return ExitStatus.badData
  }
}

extension OrderOutcome {
  fileprivate var isCompleted: Bool {
    if case .completed = self { true } else { false }
  }
}
