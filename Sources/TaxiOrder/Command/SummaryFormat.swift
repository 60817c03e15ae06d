/// An output format of results.
enum SummaryFormat: String, CaseIterable, Sendable {
  case text, json
}
