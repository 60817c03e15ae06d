import Foundation
import Support
import Testing

@Suite("A new package, filled by the tool alone", .disabled(if: Tool.skipsBuilding))
struct EmptyPackageTests {
  private let folder = TemporaryFolder()

  @Test("follows .swift-format, builds in language mode 6 without a warning, and passes its tests")
  func wholePackage() throws {
    try SamplePackage.write(to: folder)
    try folder.write(
      """
      # What a rider can do

      - LoggedIn: who is known
        - Home (view)
          - Map (view, presenter)
          - Search (view)
        - Ride (presenter)
          - Pickup (view)
          - Payment (view)
            - AddCreditCardWithVerificationByPost (view)
        - History (view)
          * Receipt (view)
          * Help (view)
        - Settings (view)
          1. Help (view)
          2. Language (view)

      """, to: "OUTLINE.md")
    for arguments in [
      ["new", "Root", "--root"], ["new", "LoggedOut", "--parent", "Root", "--view"],
      ["new", "Order", "--parent", "Root"], ["new", "Tool", "--root", "--presenter"],
      ["scaffold", "OUTLINE.md", "--parent", "Root"],
    ] {
      let made = try Tool.run(Tool.url, arguments, in: folder.url)
      #expect(made.status == 0 && made.errors.isEmpty, "\(made)")
    }
    let again = try Tool.run("scaffold", "OUTLINE.md", "--parent", "Root", in: folder.url)
    #expect(again.status == 0 && again.output.isEmpty, "\(again)")

    let env = URL(filePath: "/usr/bin/env")
    let lint = try Tool.run(env, ["swift", "format", "lint", "--strict", "-r", "Sources", "Tests"], in: folder.url)
    #expect(lint.status == 0, "\(lint.errors)")
    // The tests also have to pass in release builds, where objects have shorter lifetimes.
    let release = ["-c", "release", "-Xswiftc", "-enable-testing"]
    let isThorough = ProcessInfo.processInfo.environment["RIBS_THOROUGH"] != nil
    for configuration in isThorough ? [[], release] : [[]] {
      let tested = try Tool.run(
        env, ["swift", "test", "--disable-xctest", "-Xswiftc", "-warnings-as-errors"] + configuration, in: folder.url)
      #expect(tested.status == 0, "\(tested.output)\(tested.errors)")
      #expect(tested.output.contains("Test run with 80 tests in 34 suites passed"), "\(tested.output.suffix(300))")
    }
  }
}
