/// A probable mistake that static analysis can detect.
package enum Rule: String, CaseIterable, Codable, Sendable {
  case weakListener = "weak-listener"
  case weakRouter = "weak-router"
  case attachWithoutDetach = "attach-without-detach"
  case buildWithoutAttach = "build-without-attach"
  case unusedChildBuilder = "unused-child-builder"
  case orphanRIB = "orphan-rib"
  case missingSuperCall = "missing-super-call"
  case logicInInit = "logic-in-init"
  case unboundTask = "unbound-task"
  case endlessLoop = "endless-loop"
  case groupOnTree = "group-on-tree"
  case stateSetInsideTask = "state-set-inside-task"
  case missingComponentConformance = "missing-component-conformance"
  case unstableIdentity = "unstable-identity"
  case cycle

  /// The reason in one sentence.
  package var reason: String {
    switch self {
    case .weakListener:
      "A listener is the parent's interactor; held strongly, it keeps the parent alive, and both leak."
    case .weakRouter:
      "A router keeps its interactor alive; an interactor that keeps its router alive too makes both leak."
    case .attachWithoutDetach:
      "A child that is attached again and again and never detached piles up, with all that it has started."
    case .buildWithoutAttach:
      "A child that is not attached never becomes active, and is released at once or kept for nothing."
    case .unusedChildBuilder:
      "A builder that is handed to a router and never used is a child that was forgotten, or has gone."
    case .orphanRIB:
      "A RIB that no parent builds is dead code, or was never linked to its parent."
    case .missingSuperCall:
      "A class between this one and the runtime's may do its work in the method, and is passed over."
    case .logicInInit:
      "In an initializer nothing is active yet: what begins there belongs to no lifecycle."
    case .unboundTask:
      "A bare task outlives the RIB that started it; work that is bound to the interactor ends with it."
    case .endlessLoop:
      "A loop over a sequence that never ends keeps what it uses alive for ever, unless it ends with the RIB."
    case .groupOnTree:
      "In bound work, child tasks run on the tree, one at a time, and block it while they compute."
    case .stateSetInsideTask:
      "A task begins later than the call that starts it: until then the old state is seen, and a second tap gets through."
    case .missingComponentConformance:
      "A builder takes its child's dependency from the parent's component, which has to conform to it."
    case .unstableIdentity:
      "A model that is made anew gets another identity: its child is detached, and another one attached in its place."
    case .cycle:
      "RIBs that attach each other in a circle can grow without an end."
    }
  }
}
