import Testing

@testable import TaxiOrder

@Suite("The command line")
struct CommandTests {
  @Test(
    "is read as what it asks for",
    arguments: [
      (["--help"], .help(.taxi)), (["-h"], .help(.taxi)), (["help"], .help(.taxi)), (["help", "order"], .help(.order)),
      (["order", "--help"], .help(.order)), (["replay", "--nonsense", "--help"], .help(.replay)),
      (["--version"], .version), (["order"], .order(OrderOptions())),
      (["order", "--from=A", "--to", "B", "--seed", "7", "--tree"], .order(.with("A", "B", 7, true))),
      (["order", "--from", "", "--to="], .order(.with("", "", 1, false))),
      (["replay", "a.csv"], .replay(ReplayOptions(path: "a.csv"))),
      (["replay", "-"], .replay(ReplayOptions(path: "-"))),
      (["replay", "--", "--help"], .replay(ReplayOptions(path: "--help"))),
      (
        ["replay", "--concurrency", "3", "a", "--seed=18446744073709551615", "--format=json", "--no-progress"],
        .replay(.with("a", 3, .max, .json, false))
      ),
    ] as [([String], TaxiCommand)])
  func commands(arguments: [String], command: TaxiCommand) throws {
    #expect(try TaxiCommand(arguments) == command)
  }

  @Test(
    "is refused with what is wrong and what may have been meant",
    arguments: [
      ([], "say what to do: 'order' or 'replay'"),
      (["ordr"], "unknown command 'ordr'; did you mean 'order'?"),
      (["zzzzzz"], "unknown command 'zzzzzz'"),
      (["--versoin"], "unknown option '--versoin'; did you mean '--version'?"),
      (["--version", "x"], "'--version' stands alone"),
      (["order", "--form", "A"], "unknown option '--form'; did you mean '--from'?"),
      (["order", "-x"], "unknown option '-x'"),
      (["order", "A"], "'order' takes no 'A'; zones follow '--from' and '--to'"),
      (["order", "--tree=yes"], "option '--tree' takes no value"),
      (["order", "--seed"], "option '--seed' needs a value"),
      (["order", "--seed", "-1"], "'--seed -1': a seed is a whole number, 0 or more"),
      (["replay"], "'replay' needs a trip file, or '-' for standard input"),
      (["replay", "a", "b"], "'replay' takes one trip file, not 2"),
      (["replay", "a", "--concurency", "2"], "unknown option '--concurency'; did you mean '--concurrency'?"),
      (["replay", "a", "--concurrency", "0"], "'--concurrency 0': at least one order runs at a time"),
      (["replay", "a", "--concurrency", "many"], "'--concurrency many': at least one order runs at a time"),
      (["replay", "a", "--format", "jsn"], "'--format jsn': the formats are text and json; did you mean 'json'?"),
    ] as [([String], String)])
  func refusals(arguments: [String], message: String) {
    let error = #expect(throws: UsageError.self) { try TaxiCommand(arguments) }
    #expect(error?.description == message)
  }

  @Test(
    "measures how much two words differ",
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
}

extension ReplayOptions {
  fileprivate static func with(
    _ path: String, _ concurrency: Int, _ seed: UInt64, _ format: Format, _ showsProgress: Bool
  ) -> ReplayOptions {
    var options = ReplayOptions(path: path)
    (options.concurrency, options.seed, options.format) = (concurrency, seed, format)
    options.showsProgress = showsProgress
    return options
  }
}
