// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import RIBsInspector
internal import TaxiOrder
internal import TaxiSimulation

extension TaxiProgram {
  /// Runs one order and shows its course.
  @MainActor
  func order(_ options: OrderOptions) async -> Int32 {
    do {
      let saved = try options.restoredPath.map { path throws(OrderFiles.Failure) in try OrderFiles.read(path) }
      let scenario = saved?.backend.scenario ?? options.scenario
      let files = options.savedPath.map { OrderFiles(path: $0, scenario: scenario) }
      let inspector = try startRecording(options.recordPath)
      defer { inspector?.stop() }
      // Removes an earlier order.
      try files?.create(restoring: saved)
      let order = WatchedOrder(
        scenario, restoring: saved, saving: files, withoutPayments: options.disabledPayments,
        inspector: observer(inspector))
      try await show(order, options)
      return ExitStatus.success
    } catch let error as InspectorError {
      return report(error)
    } catch let failure as OrderFiles.Failure {
      return report(failure)
    } catch {
      terminal.error("taxi: the order can't be restored: \(error)\n")
      return ExitStatus.badData
    }
  }

  @MainActor
  private func show(_ order: WatchedOrder, _ options: OrderOptions) async throws {
    let writer: any OrderWriter =
      switch options.format {
      case .text:
        TextOrderWriter(
          showsTree: options.showsTree, style: TextStyle(usesColor: terminal.usesColor), write: terminal.out)
      case .json: JSONOrderWriter(showsTree: options.showsTree, write: terminal.out)
      }
    try await writer.show(order, until: options.lastStage)
    guard order.isInterrupted, let path = options.savedPath, options.format == .text else { return }
    terminal.out("\nSaved. Continue with: taxi order --restore '\(path.printable)'\n")
  }

  private func report(_ failure: OrderFiles.Failure) -> Int32 {
    terminal.error("taxi: \(failure)\n")
    return switch failure {
    case .unreadable: ExitStatus.noInput
    case .unwritable: ExitStatus.outputFailed
    case .malformed: ExitStatus.badData
    }
  }

  /// Shows the tree at a stage.
  @MainActor
  func tree(_ options: TreeOptions) async {
    let order = WatchedOrder(
      .generated(seed: options.seed), seed: options.seed, fleet: options.fleet, inspector: observer(nil))
    _ = try? await order.run { [terminal] event in
      guard case .narration(.stage(options.stage)) = event, let tree = order.snapshot else { return }
      terminal.out(tree.rendered(as: options.format))
      order.stop()
    }
  }
}
