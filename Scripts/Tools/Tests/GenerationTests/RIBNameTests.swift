import Generation
import Testing

@Suite("The name of a RIB")
struct RIBNameTests {
  @Test(
    "begins with a small letter where properties do",
    arguments: [
      ("Root", "root"), ("LoggedOut", "loggedOut"), ("URLList", "urlList"), ("ETA", "eta"), ("A", "a"), ("X2", "x2"),
      ("UIKit", "uiKit"),
    ])
  func lowerCamel(name: String, expected: String) throws {
    #expect(try RIBName(name).lowerCamel == expected)
  }

  @Test(
    "is refused if nothing can be named after it, and the reason is given",
    arguments: [
      ("", "empty"), ("loggedOut", "did you mean 'LoggedOut'?"), ("Class", "'class', the name of its property"),
      ("Protocol", "keyword"), ("Type", "keyword"), ("Self", "keyword"), ("self", "keyword"), ("init", "keyword"),
      ("Default", "keyword"), ("Öffnen", "A to Z"), ("Büro", "A to Z"), ("🚕", "A to Z"), ("1Order", "identifier"),
      ("Logged Out", "identifier"), ("Logged.Out", "identifier"), ("../Order", "identifier"), ("A_B", "identifier"),
      ("Viewable", "module RIBs"), ("Empty", "module RIBs"),
      (String(repeating: "A", count: 36), "36 letters"),
    ])
  func refusal(name: String, reason: String) {
    let failure = #expect(throws: Failure.self) { try RIBName(name) }
    #expect(failure?.status == 64)
    #expect(failure?.message.contains(reason) == true)
  }

  @Test(
    "may be a word that Swift knows in some places only", arguments: ["Get", "Set", "Open", "Async", "Left", "Some"])
  func contextualKeyword(name: String) throws { _ = try RIBName(name) }
}
