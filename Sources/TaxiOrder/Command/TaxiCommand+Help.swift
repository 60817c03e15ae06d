extension TaxiCommand.Topic {
  /// The help about this.
  var help: String {
    switch self {
    case .taxi: TaxiCommand.Topic.taxiHelp
    case .order: TaxiCommand.Topic.orderHelp
    case .replay: TaxiCommand.Topic.replayHelp
    }
  }

  /// How to get that help.
  var helpCommand: String { self == .taxi ? "taxi --help" : "taxi \(rawValue) --help" }

  private static let taxiHelp = """
    Runs taxi orders as trees of RIBs, against a simulated backend on a clock of its own.

    Usage: taxi order [options]          tell one order as it happens
           taxi replay FILE|- [options]  run an order for each row of a trip file

    Options:
      --help     show this, or after a command the help of that command
      --version  show the version

    Examples:
      taxi order --tree              watch the tree grow and shrink with an order
      taxi replay trips.csv          run all trips of a file, and sum up how it went

    Exit status: 0 all went well; 1 rows were rejected or orders failed; 64 wrong use; 65 not a trip file;
    66 no such file, or one that can't be read; 130 and 143 interrupted and terminated.

    """

  private static let orderHelp = """
    Tells one order as it happens: the stages it goes through, the RIBs that are attached (+) and detached (-), and
    what they have to show. Times are those of the order's own clock, which nobody has to wait for.

    Usage: taxi order [--from ZONE] [--to ZONE] [--seed N] [--tree]

    Options:
      --from ZONE  where to be picked up; '' for the rider's position (default: the seed picks)
      --to ZONE    where to go; '' to skip it, and ride by the meter (default: the seed picks)
      --seed N     what everything made up follows from, 0 or more (default: 1)
      --tree       draw the tree at each stage
      --help       show this

    Examples:
      taxi order
      taxi order --from "Elm Court" --to "Mill Pond" --tree
      taxi order --to '' --seed 7

    """

  private static let replayHelp = """
    Runs an order for each row of a trip file, each in a tree of its own, and sums up how it went.

    Usage: taxi replay FILE|- [--concurrency N] [--seed N] [--format text|json] [--no-progress]

    A trip file is CSV (RFC 4180) with a header. Columns are found by name; others are ignored:
      pickup, dropoff             YYYY-MM-DD hh:mm:ss
      distance                    miles
      fare, tip, tolls, total     dollars and cents: 7, 7.0, 12.95
      payment                     credit card or cash; empty is cash       (may be missing)
      pickup_zone, dropoff_zone   empty: the rider's position, no destination  (may be missing)
    A row that is no trip is reported with its line and column, and the others run.

    Options:
      --concurrency N  how many orders run at a time, 1 or more (default: the number of cores)
      --seed N         what the simulation follows from, 0 or more (default: 1)
      --format FORMAT  how the summary is written: text, or json on one line (default: text)
      --no-progress    show no progress; it is shown only on a terminal anyway
      --help           show this

    Examples:
      taxi replay trips.csv
      taxi replay trips.csv --concurrency 1 --format json
      gzip -dc trips.csv.gz | taxi replay -

    Interrupted, it cancels the orders that run, ends their trees in order and sums up; interrupted again, it quits.

    """
}
