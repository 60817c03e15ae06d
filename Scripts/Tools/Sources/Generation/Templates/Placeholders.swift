// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The values for the placeholders of a template.
struct Placeholders {
  private let values: [(placeholder: String, value: String)]

  init(rib: RIBName, parent: RIBName? = nil, module: String = "") {
    var values = [("__RIB__", rib.text), ("__rib__", rib.lowerCamel), ("__Module__", module)]
    if let parent { values += [("__Parent__", parent.text), ("__parent__", parent.lowerCamel)] }
    self.values = values
  }

  /// The text with all placeholders replaced.
  func filled(_ text: String) -> String {
    values.reduce(text) { $0.replacing($1.placeholder, with: $1.value) }
  }
}
