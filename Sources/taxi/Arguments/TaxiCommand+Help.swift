// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import TaxiOrder

extension TaxiCommand.Topic {
  /// The help text of the topic.
  var help: String {
    switch self {
    case .taxi: TaxiCommand.Topic.taxiHelp
    case .order: TaxiCommand.Topic.orderHelp
    case .replay: TaxiCommand.Topic.replayHelp
    case .simulate: TaxiCommand.Topic.simulateHelp
    case .orders: TaxiCommand.Topic.ordersHelp
    case .tree: TaxiCommand.Topic.treeHelp
    case .watch: TaxiCommand.Topic.watchHelp
    case .serve: TaxiCommand.Topic.serveHelp
    }
  }

  /// The command that shows the help.
  var helpCommand: String { self == .taxi ? "taxi --help" : "taxi \(rawValue) --help" }

  private static let taxiHelp = """
    Runs taxi orders as trees of RIBs, against a simulated backend on a virtual clock.

    Usage: taxi order [options]               run one order and show its course
           taxi replay FILE|- [options]       run an order for each row of a trip file
           taxi simulate --orders N [options] run generated orders
           taxi orders --store DIRECTORY      list the orders that a simulation has saved
           taxi tree [options]                show the tree at one stage of an order
           taxi watch [options]               show a fleet and its orders live
           taxi serve [options]               keep a session for each rider until a signal

    Options:
      --help     show this help, or the help of a command
      --version  show the version

    Stages:
    \(stages)

    Faults:
    \(faults)

    Examples:
      taxi order --tree                                show the tree at each stage of an order
      taxi order --fault driver-cancels                run an order whose driver cancels
      taxi replay trips.csv                            run all trips of a file, and print a summary
      taxi watch --taxis 12 --fault-rate 0.2           show twelve taxis, a fifth of the orders with a fault
      taxi simulate --orders 10000 --fault-rate 0.2    run ten thousand orders, a fifth of them with a fault
      taxi simulate --orders 1000 --store trips        save the orders, and continue them after kill -9

    Exit status: 0 success, however the orders ended; 1 rejected rows, or orders that could not be run; 64 usage error;
    65 damaged or foreign files; 66 missing or unreadable file; 69 the trees can't be shown to other processes, or the
    directory is in use; 74 the output can't be written; 130 interrupted; 143 terminated.

    """

  private static let orderHelp = """
    Runs one order and shows its course: its stages, the RIBs that are attached (+) and detached (-), and the output
    of the RIBs. Times are those of the order's virtual clock.

    Usage: taxi order [--from ZONE] [--to ZONE] [--link URL] [--at TIME] [--seed N] [--fault NAME]
                      [--disable NAME]... [--fleet N] [--tree] [--format text|json]
                      [--save FILE [--until STAGE]] [--record FILE]
           taxi order --restore FILE [--disable NAME]... [--tree] [--format text|json]
                      [--save FILE [--until STAGE]] [--record FILE]

    Options:
      --from ZONE      the pickup; '' for the rider's position (default: chosen by the seed)
      --to ZONE        the destination; '' for none, with a metered fare (default: chosen by the seed)
      --link URL       order by a deep link before login: taxi://order?from=ZONE&to=ZONE
      --at TIME        order the taxi for later: hours and minutes of the order's clock, which begins at 0:00
      --seed N         the seed of all generated data, 0 or more (default: 1)
      --fault NAME     the fault to inject, see below (default: none)
      --disable NAME   switch off the plugin of a means of payment: card, other-card or cash
      --fleet N        the number of free taxis near the rider, each a RIB (default: 3)
      --tree           show the tree at each stage
      --format FORMAT  the output format: text, or json with one object per line (default: text)
      --save FILE      save the order in a file whenever it changes, and the simulated backend in FILE.backend
      --until STAGE    stop like a killed process when the order has entered a stage and is saved
      --restore FILE   continue the order that is saved in a file
      --record FILE    record the tree in a file, which 'ribs replay FILE' shows
      --help           show this help

    Faults:
    \(faults)

    Stages:
    \(stages)

    Examples:
      taxi order
      taxi order --from "Elm Court" --to "Mill Pond" --tree
      taxi order --to '' --seed 7
      taxi order --fault card-declined
      taxi order --link 'taxi://order?from=Elm%20Court&to=Mill%20Pond'
      taxi order --save order.json --until under-way
      taxi order --restore order.json
      taxi order --at 8:30
      taxi order --fault backend-dies --record order.ribs

    """

  private static let replayHelp = """
    Runs an order for each row of a trip file, each in its own tree, and prints a summary.

    Usage: taxi replay FILE|- [--concurrency N] [--seed N] [--fault NAME] [--fault-rate P] [--fleet N]
                       [--crash-rate P] [--unbound] [--inspect] [--record FILE] [--format text|json] [--no-progress]

    A trip file is CSV (RFC 4180) with a header. Columns are found by name; others are ignored:
      pickup, dropoff             YYYY-MM-DD hh:mm:ss
      distance                    miles
      fare, tip, tolls, total     dollars and cents: 7, 7.0, 12.95
      payment                     credit card or cash; empty is cash       (may be missing)
      pickup_zone, dropoff_zone   empty: the rider's position, no destination  (may be missing)
    An invalid row is reported with its line and column; the others run.

    Options:
    \(seriesOptions)

    Faults:
    \(faults)

    Examples:
      taxi replay trips.csv
      taxi replay trips.csv --concurrency 1 --format json
      taxi replay trips.csv --fault-rate 0.2 --seed 7
      gzip -dc trips.csv.gz | taxi replay -

    When interrupted, it cancels the running orders, ends their trees and prints the summary; a second time, it quits.

    """

  private static let simulateHelp = """
    Runs generated orders, each in its own tree, and prints a summary.

    Usage: taxi simulate --orders N [--concurrency N] [--seed N] [--fault NAME] [--fault-rate P]
                         [--fleet N] [--crash-rate P] [--unbound] [--inspect] [--record FILE]
                         [--format text|json] [--no-progress]
           taxi simulate --orders N --store DIRECTORY [--concurrency N] [--seed N] [--fault NAME] [--fault-rate P]
                         [--fleet N] [--inspect] [--record FILE] [--format text|json] [--no-progress]

    Options:
      --orders N        the number of orders, 1 or more
      --store DIRECTORY
                        save the orders in a directory, and continue those in it; see below
    \(seriesOptions)

    Faults:
    \(faults)

    With --store, each order is a saved tree. Kill the process at any moment, even with kill -9, and repeat the command: it
    continues the orders that have not ended, then runs the rest. The summary counts each order once, also those of
    earlier processes; peakLiveRIBs, wallSeconds and ordersPerSecond are those of the last one. In the directory are
      order/            the tree of each order, awake or asleep; list them with 'taxi orders'
      backend/          what the simulated backend remembers of each order: the time, the charges by key, the result. It
                        stands for other processes, so it is written before a request is answered
      simulation.json   the seed, the faults and the fleet, which can't change, and the number of orders, which can grow
    Trees survive a crash of the machine, too; the simulated backend survives only that of the process. A directory is
    used by one process at a time.

    Examples:
      taxi simulate --orders 1000
      taxi simulate --orders 1000 --store trips
      taxi simulate --orders 1000000 --fault-rate 0.2 --format json
      taxi simulate --orders 100 --fault request-hangs
      taxi simulate --orders 1000 --crash-rate 0.5
      taxi simulate --orders 1000000 --inspect

    When interrupted, it cancels the running orders, ends their trees and prints the summary; a second time, it quits.
    With --store it saves the running orders instead, which stay open.

    """

  private static let ordersHelp = """
    Lists the orders that 'taxi simulate --store' has saved in a directory. The simulation may be running.

    Usage: taxi orders --store DIRECTORY [--format text|json]

    Options:
      --store DIRECTORY  the directory of a simulation
      --format FORMAT    the output format: text, or json with one object per line (default: text)
      --help             show this help

    The columns, with the names in JSON:
      ORDER    id        the number of the order
      STATE    state     logged out, logged in, a stage of the order, or how it ended: completed, cancelled or failed
      CHARGED  charged   what a completed order has cost
      TREE     isAwake   awake: its process runs it, or was killed; asleep: its process has ended it
      VERSION  version   how often it was saved
      BYTES    bytes     the size of the saved tree
    A file that can't be read is listed as damaged, with the reason on standard error or as reason in JSON.

    Examples:
      taxi orders --store trips
      watch -n 1 'taxi orders --store trips | grep -c awake'
      taxi orders --store trips --format json | jq -s 'group_by(.state) | map({(.[0].state): length}) | add'

    Exit status: 0 success; 65 damaged files, or not the directory of a simulation; 66 missing or unreadable directory.

    """

  private static let treeHelp = """
    Shows the tree of an order when it has entered a stage.

    Usage: taxi tree [--stage NAME] [--seed N] [--fleet N] [--format text|json|markdown|mermaid|dot|html]

    Options:
      --stage NAME     the stage, see below (default: under-way)
      --seed N         the seed of all generated data, 0 or more (default: 1)
      --fleet N        the number of free taxis near the rider, each a RIB (default: 3)
      --format FORMAT  the output format: text, json, markdown, mermaid, dot or html (default: text)
      --help           show this help

    Stages:
    \(stages)

    Examples:
      taxi tree
      taxi tree --stage selecting
      taxi tree --format html > tree.html
      taxi tree --format dot | dot -Tsvg > tree.svg

    """

  private static let watchHelp = """
    Shows a fleet and its orders live: the state of each taxi, and below it the tree of all taxis, as far as it fits.
    The screen adapts to the size of the terminal and is restored at the end. If standard output is not a terminal, the
    state changes of the taxis are written as lines.

    Usage: taxi watch [--taxis N] [--orders N] [--speed N] [--seed N] [--fault NAME] [--fault-rate P]
                      [--inspect] [--record FILE]

    Options:
      --taxis N       the number of taxis, 1 to 1000 (default: 6)
      --orders N      the number of orders, 1 or more (default: unlimited)
      --speed N       the speed of time, as a multiple of real time, 1 or more (default: 60)
      --seed N        the seed of all generated data, 0 or more (default: 1)
      --fault NAME    the fault to inject, see below (default: any)
      --fault-rate P  the probability that an order has a fault, from 0 to 1
                      (default: 1 with --fault, otherwise 0)
      --inspect       show the running tree to other processes of the same user
      --record FILE   record the tree in a file of at most 64 MB, which 'ribs replay FILE' shows
      --help          show this help

    Faults:
    \(faults)

    Examples:
      taxi watch
      taxi watch --taxis 20 --speed 600
      taxi watch --orders 10 --fault-rate 0.5 > orders.txt
      taxi watch --inspect --fault-rate 0.3    and in another terminal: ribs serve --open

    When interrupted, it ends the trees and prints a summary; a second time, it quits. While suspended with Ctrl-Z, it
    restores the terminal. A terminal that is stopped with Ctrl-S delays the end by at most a second.

    """

  private static let serveHelp = """
    Opens sessions, each a tree in a host of its own, and shuts all down in order on SIGTERM or SIGINT: a minimal server.

    Usage: taxi serve [--sessions N] [--events] [--stuck] [--record FILE]

    Options:
      --sessions N  the number of sessions, 1 to 10000 (default: 3)
      --events      write each event of each tree as a line
      --stuck       let the first session start work that ignores its cancellation
      --record FILE
                    record the trees in a file of at most 64 MB, which 'ribs replay FILE' shows
      --help        show this help

    Examples:
      taxi serve
      taxi serve --sessions 1 --events

    After the signal, tasks that don't end within two seconds are listed. Exit status: 0 if there are none, otherwise
    1. A second signal quits.

    """

  private static let seriesOptions = """
      --concurrency N   the number of concurrent orders, 1 to 10000 (default: 8 for each core)
      --seed N          the seed of the simulation, 0 or more (default: 1)
      --fault NAME      the fault to inject, see below (default: any)
      --fault-rate P    the probability that an order has a fault, from 0 to 1
                        (default: 1 with --fault, otherwise 0)
      --fleet N         the number of free taxis near each rider, each a RIB (default: 0)
      --crash-rate P    the probability that a tree is dropped at a random event and restored from what it has
                        saved, again for each restored tree (default: 0)
      --unbound         negative control: follow vehicles in tasks that are bound to no RIB, which
                        increases requestsFromInactive
      --inspect         show the running trees to other processes of the same user
      --record FILE     record the trees in a file of at most 64 MB, which 'ribs replay FILE' shows
      --format FORMAT   the format of the summary: text, or json on one line (default: text)
      --no-progress     hide the progress, which is shown only on a terminal
      --help            show this help
    """

  private static let stages = list(Stage.allCases.map { ($0.rawValue, $0.summary) })
  private static let faults = list(FaultKind.allCases.map { ($0.rawValue, $0.summary) })

  /// Names and their descriptions, one pair per line.
  private static func list(_ entries: [(name: String, summary: String)]) -> String {
    let width = entries.map(\.name.count).max() ?? 0
    return entries.map { entry in
      "  " + entry.name + String(repeating: " ", count: width - entry.name.count + 2) + entry.summary
    }.joined(separator: "\n")
  }
}
