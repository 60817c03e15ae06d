import RIBs

func report(_ name: String, _ value: Double, _ baseline: Double, unit: String = "ns") {
  func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
  let ratio = (value / baseline * 100).rounded() / 100
  print("\(name): \(rounded(value)) \(unit), baseline \(rounded(baseline)) \(unit), ratio \(ratio)")
}

/// All cases, or those that the arguments name.
let names = Set(CommandLine.arguments.dropFirst())
func isWanted(_ name: String) -> Bool { names.isEmpty || names.contains(name) }

if isWanted("memory") { try memoryCase() }
if isWanted("attach") { attachCase() }
if isWanted("stream") { streamCase() }
if isWanted("task") { try await taskCase() }
if isWanted("workflow") { try await workflowCase() }
if isWanted("order") { try await orderCase() }
if isWanted("list") { try listCase() }
if isWanted("live list") { try liveListCase() }
