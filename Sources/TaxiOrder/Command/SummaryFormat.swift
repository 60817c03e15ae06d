/// How results are written.
enum SummaryFormat: String, CaseIterable, Sendable {
  case text, json
}
