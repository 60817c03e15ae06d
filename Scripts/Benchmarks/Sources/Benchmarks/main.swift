import RIBs

func report(_ name: String, _ value: Double, _ baseline: Double, unit: String = "ns") {
  func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
  let ratio = (value / baseline * 100).rounded() / 100
  print("\(name): \(rounded(value)) \(unit), baseline \(rounded(baseline)) \(unit), ratio \(ratio)")
}

try memoryCase()
attachCase()
streamCase()
try await taskCase()
try await workflowCase()
