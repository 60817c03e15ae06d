// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBsInspector
internal import TaxiOrder
internal import TaxiSimulation

extension TaxiProgram {
  /// Runs an order for each row of a trip file.
  @MainActor
  func replay(_ options: ReplayOptions) async -> Int32 {
    do {
      var reader = try TripReader(FileSource(path: options.path))
      let name = options.path == "-" ? "standard input" : options.path.printable
      let (summary, failure) = try await run(&reader, options.series, name: name)
      if let failure { return report(failure, options) }
      return summary.rejectedRows > 0 ? ExitStatus.failure : ExitStatus.success
    } catch let error as TripFileError {
      return report(error, options)
    } catch let error as InspectorError {
      return report(error)
    } catch {
      // Cancelled before the header was read.
      write(SeriesSummary(), options.series)
      return ExitStatus.failure
    }
  }

  /// Runs generated orders.
  @MainActor
  func simulate(_ options: SimulateOptions) async -> Int32 {
    if let directory = options.directory { return await simulate(options, in: directory) }
    var trips = GeneratedTrips(count: options.orders, seed: options.series.seed)
    do {
      _ = try await run(&trips, options.series, name: "", total: options.orders)
      return ExitStatus.success
    } catch {
      return report(error)
    }
  }

  /// Runs the orders of a source, and prints the summary.
  @MainActor
  func run(
    _ source: inout some TripSource, _ options: SeriesOptions, name: String, total: Int? = nil,
    store: StoredOrders? = nil
  ) async throws(InspectorError) -> (summary: SeriesSummary, failure: TripFileError?) {
    let inspector = store == nil ? try startInspector(options) : nil
    defer { inspector?.stop() }
    var progress = ProgressLine(
      isShown: options.showsProgress && terminal.showsProgress, total: total, write: terminal.error)
    var series = OrderSeries(concurrency: options.concurrency, seed: options.seed, faults: options.faults)
    series.fleet = options.fleet
    series.crashRate = options.crashRate
    series.usesUnboundWork = options.usesUnboundWork
    series.inspector = observer(inspector)
    series.store = store
    let result = await series.run(&source) { row in
      progress.clear()
      terminal.error("\(name): \(row)\n")
    } progress: { summary in
      progress.show(summary)
    }
    progress.clear()
    if store == nil { write(result.summary, options) }
    return result
  }

  /// Shows the trees to other processes and records them, as the options say.
  func startInspector(_ options: SeriesOptions) throws(InspectorError) -> Inspector? {
    try startInspector(isShown: options.isInspected, recordPath: options.recordPath)
  }

  /// Shows the trees to other processes, and records them.
  ///
  /// - Parameters:
  ///   - isShown: whether to show them, and to print where.
  ///   - recordPath: the path of the recording; nil for none.
  func startInspector(isShown: Bool, recordPath: String?) throws(InspectorError) -> Inspector? {
    guard isShown else { return try startRecording(recordPath) }
    let inspector = try Inspector.start(recording: recordPath.map(recording))
    terminal.error("taxi: the trees are shown on \(inspector.socketPath)\n")
    return inspector
  }

  /// Records the trees.
  ///
  /// - Parameter path: the path of the file; nil for none.
  func startRecording(_ path: String?) throws(InspectorError) -> Inspector? {
    guard let path else { return nil }
    return try Inspector.start(recording: recording(path))
  }

  private func recording(_ path: String) -> Recording { .file(path, upTo: 64 * 1_024 * 1_024) }

  func write(_ summary: SeriesSummary, _ options: SeriesOptions) {
    switch options.format {
    case .text: terminal.out(summary.text)
    case .json: terminal.out(summary.json)
    }
  }

  func report(_ error: InspectorError) -> Int32 {
    guard error.kind == .recording else {
      terminal.error("taxi: the trees can't be shown: \(error)\n")
      return ExitStatus.unavailable
    }
    terminal.error("taxi: \(error)\n")
    return ExitStatus.outputFailed
  }

  private func report(_ error: TripFileError, _ options: ReplayOptions) -> Int32 {
    let name = options.path == "-" ? "standard input" : "'\(options.path.printable)'"
    if case .unreadable(let reason) = error {
      terminal.error("taxi: can't read \(name): \(reason)\n")
      return ExitStatus.noInput
    }
    terminal.error("taxi: \(name) is not a trip file: \(error)\nSee 'taxi replay --help'.\n")
    return ExitStatus.badData
  }
}
