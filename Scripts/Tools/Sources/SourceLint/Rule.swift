// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A probable mistake that static analysis can detect.
package enum Rule: String, CaseIterable, Codable, Sendable {
  case weakListener = "weak-listener"
  case weakRouter = "weak-router"
  case weakHost = "weak-host"
  case attachWithoutDetach = "attach-without-detach"
  case buildWithoutAttach = "build-without-attach"
  case unusedChildBuilder = "unused-child-builder"
  case orphanRIB = "orphan-rib"
  case missingSuperCall = "missing-super-call"
  case logicInInit = "logic-in-init"
  case unboundTask = "unbound-task"
  case endlessLoop = "endless-loop"
  case groupOnTree = "group-on-tree"
  case executorOffTree = "executor-off-tree"
  case isolatedDeinit = "isolated-deinit"
  case stateSetInsideTask = "state-set-inside-task"
  case missingComponentConformance = "missing-component-conformance"
  case unstableIdentity = "unstable-identity"
  case unsavedChildren = "unsaved-children"
  case resetSavedState = "reset-saved-state"
  case savedNodeID = "saved-node-id"
  case cycle

  /// The reason in one sentence.
  package var reason: String {
    switch self {
    case .weakListener:
      "A listener is the parent's interactor. A strong reference to it is a retain cycle, and both leak."
    case .weakRouter:
      "A router retains its interactor. If the interactor also retains its router, both leak."
    case .weakHost:
      "A host owns its tree. If a RIB of the tree retains the host, nothing outside can end the tree."
    case .attachWithoutDetach:
      "A child that is attached repeatedly and never detached accumulates, along with everything it started."
    case .buildWithoutAttach:
      "A child that is not attached never becomes active."
    case .unusedChildBuilder:
      "A builder that a router never uses belongs to a child that was forgotten or removed."
    case .orphanRIB:
      "A RIB that no parent builds is dead code, or was never linked to its parent."
    case .missingSuperCall:
      "Without the call, the override skips the implementation of its superclasses."
    case .logicInInit:
      "An initializer runs before the RIB is active. Work that it starts belongs to no lifecycle."
    case .unboundTask:
      "A bare task outlives the RIB that started it. Bound work ends with its interactor."
    case .endlessLoop:
      "A loop over an endless sequence retains what it uses forever, unless it ends with the RIB."
    case .groupOnTree:
      "In bound work, child tasks run on the tree, one at a time, and block it while they compute."
    case .executorOffTree:
      "A closure with an executor preference runs off the tree, at the same time as the tree: changes are lost."
    case .isolatedDeinit:
      "Swift schedules an isolated deinit on its actor, so what the object releases, its subtree included, leaves the tree."
    case .stateSetInsideTask:
      "A task begins after the call that starts it. Until then, the old state is visible, and a second tap is accepted."
    case .missingComponentConformance:
      "A child's builder takes its dependency from the parent's component, which must conform to it."
    case .unstableIdentity:
      "A model that is created again gets another identity: its child is detached, and a new one is attached."
    case .unsavedChildren:
      "A restored tree has only the children of listed containers, and those that its code attaches."
    case .resetSavedState:
      "A restored interactor finds its state in 'didBecomeActive'. What is set there replaces it."
    case .savedNodeID:
      "A NodeID counts the attachments of one launch. In a restored tree it belongs to another RIB, or to none."
    case .cycle:
      "RIBs that attach each other in a cycle can grow without limit."
    }
  }
}
