internal import RIBs

/// Runs an order for each trip of a source.
struct OrderSeries: Sendable {
  /// How many orders run at a time, at most.
  let concurrency: Int
  /// What the simulations of all orders follow from.
  let seed: UInt64
  var faults = FaultInjection.none
  /// How many free taxis are near each rider.
  var fleet = 0
  /// Whether positions are asked for by work that is bound to no RIB: the control.
  var usesUnboundWork = false
  /// Who may look at the orders' trees.
  var inspector: (any TreeObserver)?

  /// Runs until the source ends or the calling task is cancelled.
  ///
  /// The source is read on the main actor, whose thread no order needs, so that waiting for input holds none of them up.
  ///
  /// - Parameters:
  ///   - source: the trips.
  ///   - rejected: is told of each row that is no trip.
  ///   - progress: is told how far it is, after each trip.
  /// - Returns: how it went, and what ended it if that was not the end of the source or a cancellation.
  @MainActor
  func run(
    _ source: inout some TripSource, rejected: (RejectedRow) -> Void = { _ in },
    progress: (SeriesSummary) -> Void = { _ in }
  ) async -> (summary: SeriesSummary, failure: TripFileError?) {
    let start = ContinuousClock.now
    let census = Census()
    var summary = SeriesSummary()
    var failure: TripFileError?
    await withTaskGroup(of: OrderReport.self) { orders in
      var running = 0
      while true {
        if running == concurrency, let report = await orders.next() {
          summary.add(report)
          running -= 1
        }
        guard !Task.isCancelled, let row = read(&source, &failure) else { break }
        switch row {
        case .rejected(let row):
          summary.rejectedRows += 1
          rejected(row)
        case .trip(let trip):
          var order = OrderRun(trip: trip, seed: seed, fault: faults.fault(of: trip, seed: seed), census: census)
          order.usesUnboundWork = usesUnboundWork
          order.fleet = fleet
          order.inspector = inspector
          orders.addTask { [order] in await order.run() }
          running += 1
        }
        progress(summary)
      }
      for await report in orders { summary.add(report) }
    }
    summary.peakLiveRIBs = census.peak
    summary.wall = ContinuousClock.now - start
    return (summary, failure)
  }

  private func read(_ source: inout some TripSource, _ failure: inout TripFileError?) -> TripReader.Row? {
    do {
      return try source.next()
    } catch let error as TripFileError {
      failure = error
    } catch {
      // Cancelled while waiting for input.
    }
    return nil
  }
}
