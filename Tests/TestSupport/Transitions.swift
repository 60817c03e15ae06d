// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The lines of a table of transitions that change something: a state, an event, and the state after it.
package func transitions<State, Event>(
  of states: [State], by events: [Event], _ after: (State) -> (Event) -> State?
) -> [String] {
  states.flatMap { state in events.compactMap { event in after(state)(event).map { "\(state) \(event) \($0)" } } }
}
