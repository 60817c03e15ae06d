// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsInspector
import Testing

@testable import TaxiOrder
@testable import taxi

@Suite("The command line")
struct CommandTests {
  private static let faults = """
    no-taxi, request-fails, request-keeps-failing, request-hangs, backend-dies, rider-cancels-search, \
    rider-cancels-taxi, rider-cancels-ride, driver-cancels, driver-cancels-twice, card-declined and every-card-declined
    """
  private static let stages =
    "logged-out, selecting, dispatching, under-way, settling, receipt, rating and history"

  private static let order = OrderOptions()
  private static let one = SimulateOptions(orders: 1)

  @Test(
    "is parsed",
    arguments: [
      ("--help", .help(.taxi)), ("-h", .help(.taxi)), ("help", .help(.taxi)), ("help order", .help(.order)),
      ("order --help", .help(.order)), ("replay --nonsense --help", .help(.replay)),
      ("orders -h", .help(.orders)), ("simulate --help", .help(.simulate)), ("help tree", .help(.tree)),
      ("watch --help", .help(.watch)), ("--version", .version),
      ("order", .order(order)),
      (
        "order --from=A --to B --seed 7 --tree",
        .order(with(order) { ($0.from, $0.to, $0.seed, $0.showsTree) = ("A", "B", 7, true) })
      ),
      ("order --from '' --to=", .order(with(order) { ($0.from, $0.to) = ("", "") })),
      ("order --fault=no-taxi --format json", .order(with(order) { ($0.fault, $0.format) = (.noTaxi, .json) })),
      ("order --link taxi://order?to=B", .order(with(order) { $0.link = OrderLink(from: nil, to: "B") })),
      ("order --save a --until=rating", .order(with(order) { ($0.savedPath, $0.lastStage) = ("a", .rating) })),
      (
        "order --restore a.json --save b.json",
        .order(with(order) { ($0.restoredPath, $0.savedPath) = ("a.json", "b.json") })
      ),
      ("order --disable card --disable=cash", .order(with(order) { $0.disabledPayments = [.card, .cash] })),
      ("order --at 8:30", .order(with(order) { $0.time = OrderTime(.seconds(30_600)) })),
      ("order --fleet 0", .order(with(order) { $0.fleet = 0 })),
      ("orders --store=a", .orders(OrdersOptions(directory: "a"))),
      ("orders --store a --format json", .orders(with(OrdersOptions(directory: "a")) { $0.format = .json })),
      ("replay a.csv", .replay(ReplayOptions(path: "a.csv"))),
      ("replay -", .replay(ReplayOptions(path: "-"))),
      ("replay -- --help", .replay(ReplayOptions(path: "--help"))),
      (
        "replay --concurrency 3 a --seed=18446744073709551615 --format=json --no-progress",
        .replay(
          with(ReplayOptions(path: "a")) {
            ($0.series.concurrency, $0.series.seed) = (3, .max)
            ($0.series.format, $0.series.showsProgress) = (.json, false)
          })
      ),
      ("serve", .serve(ServeOptions())),
      (
        "serve --sessions=7 --events --stuck",
        .serve(with(ServeOptions()) { ($0.sessions, $0.showsEvents, $0.isStuck) = (7, true, true) })
      ),
      ("simulate --orders 12", .simulate(SimulateOptions(orders: 12))),
      (
        "simulate --orders=12 --fault-rate 0.25 --fault card-declined",
        .simulate(
          with(SimulateOptions(orders: 12)) { ($0.series.fault, $0.series.faultRate) = (.cardDeclined, 0.25) })
      ),
      ("simulate --orders 1 --crash-rate 0.5", .simulate(with(one) { $0.series.crashRate = 0.5 })),
      ("simulate --orders 1 --store a", .simulate(with(one) { $0.directory = "a" })),
      ("simulate --orders 1 --fleet 7", .simulate(with(one) { $0.series.fleet = 7 })),
      ("simulate --orders=1 --unbound", .simulate(with(one) { $0.series.usesUnboundWork = true })),
      ("simulate --orders=1 --inspect", .simulate(with(one) { $0.series.isInspected = true })),
      ("tree", .tree(TreeOptions())),
      ("tree --stage rating", .tree(with(TreeOptions()) { $0.stage = .rating })),
      ("tree --fleet=10000", .tree(with(TreeOptions()) { $0.fleet = 10_000 })),
      ("tree --format dot", .tree(with(TreeOptions()) { $0.format = .dot })),
      ("watch", .watch(WatchOptions())),
      (
        "watch --taxis 2 --orders=3 --speed 4 --seed 5 --fault no-taxi --fault-rate 0.5 --inspect",
        .watch(
          with(WatchOptions()) {
            ($0.taxis, $0.orders, $0.speed, $0.seed) = (2, 3, 4, 5)
            ($0.fault, $0.faultRate, $0.isInspected) = (.noTaxi, 0.5, true)
          })
      ),
    ] as [(String, TaxiCommand)])
  func commands(line: String, command: TaxiCommand) throws {
    #expect(try TaxiCommand(words(line)) == command)
  }

  @Test(
    "is refused with the problem and a suggestion",
    arguments: [
      ("", "a command is missing: 'order', 'replay', 'simulate', 'orders', 'tree', 'watch' or 'serve'"),
      ("ordr", "unknown command 'ordr'; did you mean 'order'?"),
      ("zzzzzz", "unknown command 'zzzzzz'"),
      ("--versoin", "unknown option '--versoin'; did you mean '--version'?"),
      ("--version x", "'--version' takes no arguments"),
      ("order --form A", "unknown option '--form'; did you mean '--from'?"),
      ("order -x", "unknown option '-x'"),
      ("serve 3", "'serve' takes no '3'; set the number with '--sessions N'"),
      ("serve --sessions 0", "'--sessions 0': the number is 1 to 10000"),
      ("serve --nonsense", "unknown option '--nonsense'"),
      ("watch --taxis 0", "'--taxis 0': the number is 1 to 1000"),
      ("watch --taxis 1001", "'--taxis 1001': the number is 1 to 1000"),
      ("watch --orders none", "'--orders none': the number is 1 to 9223372036854775807"),
      ("watch --speed 0", "'--speed 0': the number is 1 to 9223372036854775807"),
      ("watch --taxi 1", "unknown option '--taxi'; did you mean '--taxis'?"),
      ("watch 3", "'watch' takes no '3'; set the number with '--taxis N'"),
      ("order A", "'order' takes no 'A'; zones follow '--from' and '--to'"),
      ("order --tree=yes", "option '--tree' takes no value"),
      ("order --seed", "option '--seed' needs a value"),
      ("order --seed -1", "'--seed -1': a seed is a whole number, 0 to 18446744073709551615"),
      ("replay", "'replay' needs a trip file, or '-' for standard input"),
      ("replay a b", "'replay' takes one trip file, not 2"),
      ("replay a --concurency 2", "unknown option '--concurency'; did you mean '--concurrency'?"),
      ("replay a --concurrency 0", "'--concurrency 0': the number is 1 to 10000"),
      ("replay a --concurrency many", "'--concurrency many': the number is 1 to 10000"),
      ("simulate --orders 1 --concurrency 10001", "'--concurrency 10001': the number is 1 to 10000"),
      ("order --fault no-taxy", "'--fault no-taxy': the faults are \(faults); did you mean 'no-taxi'?"),
      (
        "order --link taxi://ride",
        "'--link taxi://ride': expected a link such as taxi://order?from=Elm%20Court&to=Mill%20Pond"
      ),
      ("order --link taxi://order --to B", "'--link' can't be combined with '--from' and '--to'"),
      (
        "tree --format htm",
        "'--format htm': the formats are text, json, markdown, mermaid, dot and html; did you mean 'html'?"
      ),
      ("tree --stage here", "'--stage here': the stages are \(stages)"),
      ("tree rating", "'tree' takes no 'rating'; the stage follows '--stage'"),
      ("tree --fleet -1", "'--fleet -1': a fleet has 0 to 10000 taxis"),
      ("order --at 8", "'--at 8': expected hours and minutes, such as 8:30"),
      ("order --at 8:60", "'--at 8:60': expected hours and minutes, such as 8:30"),
      ("order --restore a --at 8:30", "'--restore' can't be combined with '--at': the saved order has it"),
      ("order --fleet 10001", "'--fleet 10001': a fleet has 0 to 10000 taxis"),
      ("replay a --fleet all", "'--fleet all': a fleet has 0 to 10000 taxis"),
      ("order --restore a --seed 2", "'--restore' can't be combined with '--seed': the saved order has it"),
      ("order --until rating", "'--until' needs '--save FILE'"),
      ("order --save=", "'--save': the path of the file is empty"),
      ("order --save a --until here", "'--until here': the stages are \(stages)"),
      ("simulate --orders 1 --crash-rate 2", "'--crash-rate 2': a probability is a number from 0 to 1"),
      (
        "simulate --orders 1 --store a --crash-rate 0.1",
        "'--store' can't be combined with '--crash-rate': kill the process to crash the trees"
      ),
      (
        "simulate --orders 1 --unbound --store a",
        "'--store' can't be combined with '--unbound': unbound work is not saved"
      ),
      ("simulate --orders 1 --store=", "'--store': the path of the directory is empty"),
      ("orders", "the directory is missing: '--store DIRECTORY'"),
      ("orders a", "'orders' takes no 'a'; the directory follows '--store'"),
      ("replay a --store b", "unknown option '--store'"),
      ("simulate", "the number of orders is missing: '--orders N'"),
      ("simulate 7", "'simulate' takes no '7'; set the number with '--orders N'"),
      ("simulate --orders 0", "'--orders 0': the number is 1 to 9223372036854775807"),
      (
        "simulate --orders 9223372036854775808",
        "'--orders 9223372036854775808': the number is 1 to 9223372036854775807"
      ),
      ("simulate --orders 1 --fault-rate 20", "'--fault-rate 20': a probability is a number from 0 to 1"),
      ("simulate --orders 1 --fault-rate nan", "'--fault-rate nan': a probability is a number from 0 to 1"),
      ("simulate --order 1", "unknown option '--order'; did you mean '--orders'?"),
      ("replay a --format jsn", "'--format jsn': the formats are text and json; did you mean 'json'?"),
    ] as [(String, String)])
  func refusals(line: String, message: String) {
    let error = #expect(throws: UsageError.self) { try TaxiCommand(words(line)) }
    #expect(error?.description == message)
  }

  @Test(
    "is compared with known words by edit distance",
    arguments: [("", "", 0), ("a", "", 1), ("kitten", "sitting", 3), ("form", "from", 2), ("tree", "tre", 1)])
  func distances(one: String, other: String, distance: Int) {
    #expect(Suggestion.distance(Array(one), Array(other)) == distance)
    #expect(Suggestion.distance(Array(other), Array(one)) == distance)
  }
}

/// Options with a change.
private func with<Options>(_ options: Options, _ change: (inout Options) -> Void) -> Options {
  var options = options
  change(&options)
  return options
}
