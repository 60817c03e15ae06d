// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Attaches children to an active parent and detaches them in a given order, to be measured by an instruction
/// counter. Without `detach` it only attaches, so that the difference is the cost of detaching.
///
///     Width <children> forward|backward|random [detach]
import Foundation
import RIBs

func probe(_ count: Int, _ order: String, detaches: Bool) {
  let parent = Router(interactor: Interactor())
  parent.interactor.activate()
  parent.load()
  var children = (0..<count).map { _ in Router(interactor: Interactor()) }
  for child in children { parent.attachChild(child) }
  switch order {
  case "backward": children.reverse()
  case "random":
    var state: UInt64 = 1
    for index in children.indices.reversed() where index > 0 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      children.swapAt(index, Int((state >> 33) % UInt64(index + 1)))
    }
  default: break
  }
  if detaches { for child in children { parent.detachChild(child) } }
  // Nothing is released: otherwise the run without detaching would cost more.
  exit(0)
}

let arguments = CommandLine.arguments
if arguments.count >= 3, let count = Int(arguments[1]) {
  probe(count, arguments[2], detaches: arguments.last == "detach")
} else {
  print("usage: Width <children> forward|backward|random [detach]")
}
