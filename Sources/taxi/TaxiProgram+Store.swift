// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBsInspector
internal import RIBsStore
internal import TaxiOrder
internal import TaxiSimulation

extension TaxiProgram {
  /// Runs generated orders that are saved in a directory, and continues those that have not ended.
  @MainActor
  func simulate(_ options: SimulateOptions, in directory: String) async -> Int32 {
    do {
      let inspector = try startInspector(options.series)
      defer { inspector?.stop() }
      let store = try StoredOrders(directory: directory, options.stored, inspector: observer(inspector)) {
        [terminal] problem in
        terminal.error("taxi: \(problem)\n")
      }
      let (ended, open) = (store.endedOrders.count, store.openOrders.count)
      if ended + open > 0 {
        terminal.error(
          "taxi: continuing '\(directory.printable)': \(ended) ended, \(open) open, "
            + "\(options.orders - ended - open) not begun\n")
      }
      var trips = GeneratedTrips(
        count: options.orders, seed: options.series.seed, first: store.openOrders, omitted: store.endedOrders)
      let summary = try await run(&trips, options.series, name: "", total: options.orders, store: store).summary
      let failures = await store.close()
      for (number, reason) in failures { terminal.error("taxi: order \(number): \(reason.printable)\n") }
      write(summary, options.series)
      if summary.orders < options.orders {
        terminal.error("taxi: not ended: \(options.orders - summary.orders). The same command continues them.\n")
      }
      return failures.isEmpty ? ExitStatus.success : ExitStatus.failure
    } catch let error as InspectorError {
      return report(error)
    } catch {
      return report(error, directory)
    }
  }

  /// Lists the orders that are saved in a directory.
  func orders(_ options: OrdersOptions) -> Int32 {
    do {
      let orders = try SavedOrder.all(in: options.directory)
      switch options.format {
      case .text: terminal.out(orders.table)
      case .json: for order in orders { terminal.out(order.json) }
      }
      let damages = orders.compactMap(\.damage)
      for damage in damages { terminal.error("taxi: \(damage.printable)\n") }
      return damages.isEmpty ? ExitStatus.success : ExitStatus.badData
    } catch {
      return report(error, options.directory)
    }
  }

  private func report(_ error: any Error, _ directory: String) -> Int32 {
    let name = "'\(directory.printable)'"
    switch error {
    case SimulationFiles.Failure.foreign:
      terminal.error(
        "taxi: \(name) is not the directory of a simulation. 'taxi simulate --store' begins one in a new or empty "
          + "directory.\n")
      return ExitStatus.badData
    case SimulationFiles.Failure.different(let saved):
      terminal.error(
        "taxi: \(name) has a simulation with \(saved.arguments). Repeat these options to continue it, with as many "
          + "orders or more, or choose another directory.\n")
      return ExitStatus.usage
    case SimulationFiles.Failure.unwritable(let path, let reason):
      terminal.error("taxi: can't write '\(path.printable)': \(reason)\n")
      return ExitStatus.outputFailed
    case SimulationFiles.Failure.unreadable(let path, let reason):
      terminal.error("taxi: can't read '\(path.printable)': \(reason)\n")
      return ExitStatus.noInput
    case FileStoreError.inUse:
      terminal.error(
        "taxi: \(name) is in use by another process: wait until it has ended, or choose another directory.\n")
      return ExitStatus.unavailable
    case FileStoreError.system(let call, let path, let code):
      let isReading = call == "opendir" || call == "readdir"
      terminal.error(
        "taxi: can't \(isReading ? "read" : "write") '\(path.printable)': \(String(cString: strerror(code)))\n")
      return isReading ? ExitStatus.noInput : ExitStatus.outputFailed
    default:
      terminal.error("taxi: \("\(error)".printable)\n")
      return ExitStatus.badData
    }
  }
}

extension StoredSimulation {
  /// The options that begin this simulation.
  fileprivate var arguments: String {
    var text = "--orders \(orders) --seed \(seed)"
    if let fault { text += " --fault \(fault.rawValue)" }
    if faultRate != (fault == nil ? 0 : 1) { text += " --fault-rate \(faultRate)" }
    if fleet != 0 { text += " --fleet \(fleet)" }
    return text
  }
}
