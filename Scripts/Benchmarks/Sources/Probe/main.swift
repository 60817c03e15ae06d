import Workloads

// Does one thing over and over, for whoever counts instructions: Probe OPERATION COUNT. The main thread runs it, as
// valgrind does not survive that of a program whose main function is asynchronous.
guard CommandLine.arguments.count == 3, let operation = CountedOperation(rawValue: CommandLine.arguments[1]),
  let count = Int(CommandLine.arguments[2])
else { fatalError("Probe OPERATION COUNT") }
operation.repeat(count)
