extension TaxiCommand.Topic {
  /// The help about this.
  var help: String {
    switch self {
    case .taxi: TaxiCommand.Topic.taxiHelp
    case .order: TaxiCommand.Topic.orderHelp
    case .replay: TaxiCommand.Topic.replayHelp
    case .simulate: TaxiCommand.Topic.simulateHelp
    case .tree: TaxiCommand.Topic.treeHelp
    case .watch: TaxiCommand.Topic.watchHelp
    }
  }

  /// How to get that help.
  var helpCommand: String { self == .taxi ? "taxi --help" : "taxi \(rawValue) --help" }

  private static let taxiHelp = """
    Runs taxi orders as trees of RIBs, against a simulated backend on a clock of its own.

    Usage: taxi order [options]               tell one order as it happens
           taxi replay FILE|- [options]       run an order for each row of a trip file
           taxi simulate --orders N [options] run orders that are made up
           taxi tree [options]                show the tree at a stage of an order
           taxi watch [options]               watch a fleet and its orders live

    Options:
      --help     show this, or after a command the help of that command
      --version  show the version

    Stages:
    \(stages)

    Faults:
    \(faults)

    Examples:
      taxi order --tree                                watch the tree grow and shrink with an order
      taxi order --fault driver-cancels                see what happens when the driver does not come
      taxi replay trips.csv                            run all trips of a file, and sum up how it went
      taxi watch --taxis 12 --fault-rate 0.2           watch twelve taxis, with a fifth of the orders going wrong
      taxi simulate --orders 10000 --fault-rate 0.2    run ten thousand orders, a fifth of them with a fault

    Exit status: 0 it ran, however the orders ended; 1 rows were rejected; 64 wrong use; 65 not a trip file;
    66 no such file, or one that can't be read; 69 the trees can't be shown to others; 74 the output could not be
    written; 130 and 143 interrupted and terminated.

    """

  private static let orderHelp = """
    Tells one order as it happens: the stages it goes through, the RIBs that are attached (+) and detached (-), and
    what they have to show. Times are those of the order's own clock, which nobody has to wait for.

    Usage: taxi order [--from ZONE] [--to ZONE] [--link URL] [--seed N] [--fault NAME]
                      [--fleet N] [--tree] [--format text|json]

    Options:
      --from ZONE      where to be picked up; '' for the rider's position (default: the seed picks)
      --to ZONE        where to go; '' to skip it, and ride by the meter (default: the seed picks)
      --link URL       order by a link that finds the rider logged out: taxi://order?from=ZONE&to=ZONE
      --seed N         what everything made up follows from, 0 or more (default: 1)
      --fault NAME     what goes wrong, of the faults below (default: nothing)
      --fleet N        how many free taxis are near the rider, each a RIB on the map (default: 3)
      --tree           draw the tree at each stage
      --format FORMAT  how it is told: text, or json with an object on each line (default: text)
      --help           show this

    Faults:
    \(faults)

    Examples:
      taxi order
      taxi order --from "Elm Court" --to "Mill Pond" --tree
      taxi order --to '' --seed 7
      taxi order --fault card-declined
      taxi order --link 'taxi://order?from=Elm%20Court&to=Mill%20Pond'

    """

  private static let replayHelp = """
    Runs an order for each row of a trip file, each in a tree of its own, and sums up how it went.

    Usage: taxi replay FILE|- [--concurrency N] [--seed N] [--fault NAME] [--fault-rate P] [--fleet N]
                       [--unbound] [--inspect] [--format text|json] [--no-progress]

    A trip file is CSV (RFC 4180) with a header. Columns are found by name; others are ignored:
      pickup, dropoff             YYYY-MM-DD hh:mm:ss
      distance                    miles
      fare, tip, tolls, total     dollars and cents: 7, 7.0, 12.95
      payment                     credit card or cash; empty is cash       (may be missing)
      pickup_zone, dropoff_zone   empty: the rider's position, no destination  (may be missing)
    A row that is no trip is reported with its line and column, and the others run.

    Options:
    \(seriesOptions)

    Faults:
    \(faults)

    Examples:
      taxi replay trips.csv
      taxi replay trips.csv --concurrency 1 --format json
      taxi replay trips.csv --fault-rate 0.2 --seed 7
      gzip -dc trips.csv.gz | taxi replay -

    Interrupted, it cancels the orders that run, ends their trees in order and sums up; interrupted again, it quits.

    """

  private static let simulateHelp = """
    Runs orders that are made up, each in a tree of its own, and sums up how it went.

    Usage: taxi simulate --orders N [--concurrency N] [--seed N] [--fault NAME] [--fault-rate P]
                         [--fleet N] [--unbound] [--inspect] [--format text|json] [--no-progress]

    Options:
      --orders N        how many orders to run, 1 or more
    \(seriesOptions)

    Faults:
    \(faults)

    Examples:
      taxi simulate --orders 1000
      taxi simulate --orders 1000000 --fault-rate 0.2 --format json
      taxi simulate --orders 100 --fault request-hangs
      taxi simulate --orders 1000000 --inspect

    Interrupted, it cancels the orders that run, ends their trees in order and sums up; interrupted again, it quits.

    """

  private static let treeHelp = """
    Shows the tree of an order as it stands when a stage has been entered.

    Usage: taxi tree [--stage NAME] [--seed N] [--fleet N] [--format text|json|markdown|mermaid|dot|html]

    Options:
      --stage NAME     the stage, of those below (default: under-way)
      --seed N         what everything made up follows from, 0 or more (default: 1)
      --fleet N        how many free taxis are near the rider, each a RIB on the map (default: 3)
      --format FORMAT  how it is written: text, json, markdown, mermaid, dot or html (default: text)
      --help           show this

    Stages:
    \(stages)

    Examples:
      taxi tree
      taxi tree --stage selecting
      taxi tree --format html > tree.html
      taxi tree --format dot | dot -Tsvg > tree.svg

    """

  private static let watchHelp = """
    Shows a fleet and its orders live: what each taxi does, and the tree of all of them below, as far as there is room.
    The screen follows the size of the terminal, and is given back as it was. Where standard output is no terminal, it
    tells what each taxi does in lines.

    Usage: taxi watch [--taxis N] [--orders N] [--speed N] [--seed N] [--fault NAME] [--fault-rate P]

    Options:
      --taxis N       how many taxis there are, 1 to 1000 (default: 6)
      --orders N      how many orders there are, 1 or more (default: no end of them)
      --speed N       how many times as fast as usual time passes, 1 or more (default: 60)
      --seed N        what everything made up follows from, 0 or more (default: 1)
      --fault NAME    what goes wrong, of the faults below (default: any of them)
      --fault-rate P  with which probability something goes wrong with an order, from 0 to 1
                      (default: 1 with --fault, otherwise 0)
      --help          show this

    Faults:
    \(faults)

    Examples:
      taxi watch
      taxi watch --taxis 20 --speed 600
      taxi watch --orders 10 --fault-rate 0.5 > orders.txt

    Interrupted, it ends the trees in order and sums up; interrupted again, it quits. Stopped for a while, with Ctrl-Z, it
    gives the terminal back until it goes on. A terminal that takes nothing, as after Ctrl-S, holds up the end for a second.

    """

  private static let seriesOptions = """
      --concurrency N   how many orders run at a time, 1 to 10000 (default: 8 for each core)
      --seed N          what the simulation follows from, 0 or more (default: 1)
      --fault NAME      what goes wrong, of the faults below (default: any of them)
      --fault-rate P    with which probability something goes wrong with an order, from 0 to 1
                        (default: 1 with --fault, otherwise 0)
      --fleet N         how many free taxis are near each rider, each a RIB on the map (default: 0)
      --unbound         the control: follow vehicles by tasks that are bound to no RIB, and see what
                        becomes of requestsFromInactive
      --inspect         show the trees, while they run, to other processes of the same user
      --format FORMAT   how the summary is written: text, or json on one line (default: text)
      --no-progress     show no progress; it is shown only on a terminal anyway
      --help            show this
    """

  private static let stages = list(Stage.allCases.map { ($0.rawValue, $0.summary) })
  private static let faults = list(FaultKind.allCases.map { ($0.rawValue, $0.summary) })

  /// Names and what they mean, a pair on each line.
  private static func list(_ entries: [(name: String, summary: String)]) -> String {
    let width = entries.map(\.name.count).max() ?? 0
    return entries.map { entry in
      "  " + entry.name + String(repeating: " ", count: width - entry.name.count + 2) + entry.summary
    }.joined(separator: "\n")
  }
}
