import RIBs

func report(_ name: String, _ value: Double, _ baseline: Double) {
  func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
  print(
    "\(name): \(rounded(value)) ns, baseline \(rounded(baseline)) ns, ratio \((value / baseline * 100).rounded() / 100)"
  )
}

attachCase()
streamCase()
try await taskCase()
