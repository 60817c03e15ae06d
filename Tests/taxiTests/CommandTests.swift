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

  @Test(
    "is parsed",
    arguments: [
      (["--help"], .help(.taxi)), (["-h"], .help(.taxi)), (["help"], .help(.taxi)), (["help", "order"], .help(.order)),
      (["order", "--help"], .help(.order)), (["replay", "--nonsense", "--help"], .help(.replay)),
      (["--version"], .version), (["order"], .order(OrderOptions())), (["serve"], .serve(ServeOptions())),
      (["serve", "--sessions=7", "--events", "--stuck"], .serve(.with(7, showsEvents: true, isStuck: true))),
      (["order", "--from=A", "--to", "B", "--seed", "7", "--tree"], .order(.with("A", "B", 7, true))),
      (["order", "--from", "", "--to="], .order(.with("", "", 1, false))),
      (["order", "--fault=no-taxi", "--format", "json"], .order(.with(fault: .noTaxi, format: .json))),
      (["order", "--link", "taxi://order?to=B"], .order(.with(link: OrderLink(from: nil, to: "B")))),
      (
        ["order", "--save", "a.json", "--until=rating"],
        .order(.with { ($0.savedPath, $0.lastStage) = ("a.json", .rating) })
      ),
      (
        ["order", "--restore", "a.json", "--save", "b.json"],
        .order(.with { ($0.restoredPath, $0.savedPath) = ("a.json", "b.json") })
      ),
      (["simulate", "--orders", "1", "--crash-rate", "0.5"], .simulate(.crashing(1, rate: 0.5))),
      (["simulate", "--orders", "1", "--store", "a"], .simulate(.stored(1, in: "a"))),
      (["orders", "--store=a"], .orders(OrdersOptions(directory: "a"))),
      (["orders", "--store", "a", "--format", "json"], .orders(.json(of: "a"))), (["orders", "-h"], .help(.orders)),
      (
        ["order", "--disable", "card", "--disable=cash"],
        .order(.with { $0.disabledPayments = [.card, .cash] })
      ),
      (["order", "--at", "8:30"], .order(.with { $0.time = OrderTime(.seconds(30_600)) })),
      (["order", "--fleet", "0"], .order(.with(fleet: 0))), (["tree", "--fleet=10000"], .tree(.with(fleet: 10_000))),
      (["simulate", "--orders", "1", "--fleet", "7"], .simulate(.with(1, fleet: 7))),
      (["tree", "--format", "dot"], .tree(.written(as: .dot))),
      (["simulate", "--orders=1", "--unbound"], .simulate(.control(1))),
      (["simulate", "--orders=1", "--inspect"], .simulate(.inspected(1))),
      (["replay", "a.csv"], .replay(ReplayOptions(path: "a.csv"))),
      (["replay", "-"], .replay(ReplayOptions(path: "-"))),
      (["replay", "--", "--help"], .replay(ReplayOptions(path: "--help"))),
      (
        ["replay", "--concurrency", "3", "a", "--seed=18446744073709551615", "--format=json", "--no-progress"],
        .replay(.with("a", 3, .max, .json, false))
      ),
      (["simulate", "--orders", "12"], .simulate(SimulateOptions(orders: 12))),
      (
        ["simulate", "--orders=12", "--fault-rate", "0.25", "--fault", "card-declined"],
        .simulate(.with(12, fault: .cardDeclined, rate: 0.25))
      ),
      (["tree"], .tree(TreeOptions())), (["tree", "--stage", "rating"], .tree(.at(.rating))),
      (["simulate", "--help"], .help(.simulate)), (["help", "tree"], .help(.tree)),
    ] as [([String], TaxiCommand)])
  func commands(arguments: [String], command: TaxiCommand) throws {
    #expect(try TaxiCommand(arguments) == command)
  }

  @Test(
    "is refused with the problem and a suggestion",
    arguments: [
      ([], "a command is missing: 'order', 'replay', 'simulate', 'orders', 'tree', 'watch' or 'serve'"),
      (["ordr"], "unknown command 'ordr'; did you mean 'order'?"),
      (["zzzzzz"], "unknown command 'zzzzzz'"),
      (["--versoin"], "unknown option '--versoin'; did you mean '--version'?"),
      (["--version", "x"], "'--version' takes no arguments"),
      (["order", "--form", "A"], "unknown option '--form'; did you mean '--from'?"),
      (["order", "-x"], "unknown option '-x'"),
      (["serve", "3"], "'serve' takes no '3'; set the number with '--sessions N'"),
      (["serve", "--sessions", "0"], "'--sessions 0': the number is 1 to 10000"),
      (["watch", "--taxis", "1001"], "'--taxis 1001': a fleet has 1 to 1000 taxis"),
      (["order", "A"], "'order' takes no 'A'; zones follow '--from' and '--to'"),
      (["order", "--tree=yes"], "option '--tree' takes no value"),
      (["order", "--seed"], "option '--seed' needs a value"),
      (["order", "--seed", "-1"], "'--seed -1': a seed is a whole number, 0 or more"),
      (["replay"], "'replay' needs a trip file, or '-' for standard input"),
      (["replay", "a", "b"], "'replay' takes one trip file, not 2"),
      (["replay", "a", "--concurency", "2"], "unknown option '--concurency'; did you mean '--concurrency'?"),
      (["replay", "a", "--concurrency", "0"], "'--concurrency 0': the number is 1 to 10000"),
      (["replay", "a", "--concurrency", "many"], "'--concurrency many': the number is 1 to 10000"),
      (
        ["simulate", "--orders", "1", "--concurrency", "10001"],
        "'--concurrency 10001': the number is 1 to 10000"
      ),
      (["order", "--fault", "no-taxy"], "'--fault no-taxy': the faults are \(faults); did you mean 'no-taxi'?"),
      (
        ["order", "--link", "taxi://ride"],
        "'--link taxi://ride': expected a link such as taxi://order?from=Elm%20Court&to=Mill%20Pond"
      ),
      (
        ["order", "--link", "taxi://order", "--to", "B"],
        "'--link' can't be combined with '--from' and '--to'"
      ),
      (
        ["tree", "--format", "htm"],
        "'--format htm': the formats are text, json, markdown, mermaid, dot and html; did you mean 'html'?"
      ),
      (["tree", "--stage", "here"], "'--stage here': the stages are \(stages)"),
      (["tree", "rating"], "'tree' takes no 'rating'; the stage follows '--stage'"),
      (["tree", "--fleet", "-1"], "'--fleet -1': a fleet has 0 to 10000 taxis"),
      (["order", "--at", "8"], "'--at 8': expected hours and minutes, such as 8:30"),
      (["order", "--at", "8:60"], "'--at 8:60': expected hours and minutes, such as 8:30"),
      (
        ["order", "--restore", "a", "--at", "8:30"], "'--restore' can't be combined with '--at': the saved order has it"
      ),
      (["order", "--fleet", "10001"], "'--fleet 10001': a fleet has 0 to 10000 taxis"),
      (["replay", "a", "--fleet", "all"], "'--fleet all': a fleet has 0 to 10000 taxis"),
      (
        ["order", "--restore", "a", "--seed", "2"],
        "'--restore' can't be combined with '--seed': the saved order has it"
      ),
      (["order", "--until", "rating"], "'--until' needs '--save FILE'"),
      (["order", "--save", "a", "--until", "here"], "'--until here': the stages are \(stages)"),
      (
        ["simulate", "--orders", "1", "--crash-rate", "2"],
        "'--crash-rate 2': a probability is a number from 0 to 1"
      ),
      (
        ["simulate", "--orders", "1", "--store", "a", "--crash-rate", "0.1"],
        "'--store' can't be combined with '--crash-rate': kill the process to crash the trees"
      ),
      (
        ["simulate", "--orders", "1", "--unbound", "--store", "a"],
        "'--store' can't be combined with '--unbound': unbound work is not saved"
      ),
      (["simulate", "--orders", "1", "--store="], "'--store': the path of the directory is empty"),
      (["orders"], "the directory is missing: '--store DIRECTORY'"),
      (["orders", "a"], "'orders' takes no 'a'; the directory follows '--store'"),
      (["replay", "a", "--store", "b"], "unknown option '--store'"),
      (["simulate"], "the number of orders is missing: '--orders N'"),
      (["simulate", "7"], "'simulate' takes no '7'; set the number with '--orders N'"),
      (["simulate", "--orders", "0"], "'--orders 0': the number is 1 or more"),
      (
        ["simulate", "--orders", "1", "--fault-rate", "20"],
        "'--fault-rate 20': a probability is a number from 0 to 1"
      ),
      (
        ["simulate", "--orders", "1", "--fault-rate", "nan"],
        "'--fault-rate nan': a probability is a number from 0 to 1"
      ),
      (["simulate", "--order", "1"], "unknown option '--order'; did you mean '--orders'?"),
      (["replay", "a", "--format", "jsn"], "'--format jsn': the formats are text and json; did you mean 'json'?"),
    ] as [([String], String)])
  func refusals(arguments: [String], message: String) {
    let error = #expect(throws: UsageError.self) { try TaxiCommand(arguments) }
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

extension OrderOptions {
  fileprivate static func with(_ from: String, _ to: String, _ seed: UInt64, _ showsTree: Bool) -> OrderOptions {
    var options = OrderOptions()
    (options.from, options.to, options.seed, options.showsTree) = (from, to, seed, showsTree)
    return options
  }

  fileprivate static func with(_ change: (inout OrderOptions) -> Void) -> OrderOptions {
    var options = OrderOptions()
    change(&options)
    return options
  }

  fileprivate static func with(link: OrderLink) -> OrderOptions {
    var options = OrderOptions()
    options.link = link
    return options
  }

  fileprivate static func with(fleet: Int) -> OrderOptions {
    var options = OrderOptions()
    options.fleet = fleet
    return options
  }

  fileprivate static func with(fault: FaultKind, format: SummaryFormat) -> OrderOptions {
    var options = OrderOptions()
    (options.fault, options.format) = (fault, format)
    return options
  }
}

extension ReplayOptions {
  fileprivate static func with(
    _ path: String, _ concurrency: Int, _ seed: UInt64, _ format: SummaryFormat, _ showsProgress: Bool
  ) -> ReplayOptions {
    var options = ReplayOptions(path: path)
    (options.series.concurrency, options.series.seed, options.series.format) = (concurrency, seed, format)
    options.series.showsProgress = showsProgress
    return options
  }
}

extension SimulateOptions {
  fileprivate static func inspected(_ orders: Int) -> SimulateOptions {
    var options = SimulateOptions(orders: orders)
    options.series.isInspected = true
    return options
  }

  fileprivate static func control(_ orders: Int) -> SimulateOptions {
    var options = SimulateOptions(orders: orders)
    options.series.usesUnboundWork = true
    return options
  }

  fileprivate static func crashing(_ orders: Int, rate: Double) -> SimulateOptions {
    var options = SimulateOptions(orders: orders)
    options.series.crashRate = rate
    return options
  }

  fileprivate static func stored(_ orders: Int, in directory: String) -> SimulateOptions {
    var options = SimulateOptions(orders: orders)
    options.directory = directory
    return options
  }

  fileprivate static func with(_ orders: Int, fleet: Int) -> SimulateOptions {
    var options = SimulateOptions(orders: orders)
    options.series.fleet = fleet
    return options
  }

  fileprivate static func with(_ orders: Int, fault: FaultKind, rate: Double) -> SimulateOptions {
    var options = SimulateOptions(orders: orders)
    (options.series.fault, options.series.faultRate) = (fault, rate)
    return options
  }
}

extension OrdersOptions {
  fileprivate static func json(of directory: String) -> OrdersOptions {
    var options = OrdersOptions(directory: directory)
    options.format = .json
    return options
  }
}

extension ServeOptions {
  fileprivate static func with(_ sessions: Int, showsEvents: Bool, isStuck: Bool) -> ServeOptions {
    var options = ServeOptions()
    (options.sessions, options.showsEvents, options.isStuck) = (sessions, showsEvents, isStuck)
    return options
  }
}

extension TreeOptions {
  fileprivate static func with(fleet: Int) -> TreeOptions {
    var options = TreeOptions()
    options.fleet = fleet
    return options
  }

  fileprivate static func written(as format: TreeFormat) -> TreeOptions {
    var options = TreeOptions()
    options.format = format
    return options
  }

  fileprivate static func at(_ stage: Stage) -> TreeOptions {
    var options = TreeOptions()
    options.stage = stage
    return options
  }
}
