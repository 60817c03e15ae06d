// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

// Prints what the tools of a version are made of, as JSON in CycloneDX's format (SBOM): the pins of their packages, and
// the Swift toolchain.
//
//   swift Scripts/components.swift VERSION DATE SWIFT-VERSION ribs=Scripts/Tools/Package.resolved …
import Foundation

struct Resolved: Decodable {
  struct Pin: Decodable, Hashable {
    struct State: Decodable, Hashable {
      let revision: String
      let version: String?
    }

    let identity: String
    let location: String
    let state: State
  }

  let pins: [Pin]
}

struct License: Encodable { let expression: String }

struct Property: Encodable {
  let name: String
  let value: String
}

struct Component: Encodable {
  let type: String
  let reference: String
  let name: String
  let version: String
  var licenses: [License]?
  var purl: String?
  var properties: [Property]?

  enum CodingKeys: String, CodingKey {
    case reference = "bom-ref"
    case type, name, version, licenses, purl, properties
  }
}

struct Dependency: Encodable {
  let ref: String
  let dependsOn: [String]
}

struct Metadata: Encodable {
  let timestamp: String
  let component: Component
}

struct Bill: Encodable {
  let bomFormat = "CycloneDX"
  let specVersion = "1.6"
  let version = 1
  let metadata: Metadata
  let components: [Component]
  let dependencies: [Dependency]
}

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("components: \(message)\n".utf8))
  exit(64)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count > 3 else { fail("give a version, a date, the version of Swift, and NAME=Package.resolved") }
let (version, date) = (arguments[0], arguments[1])
let toolchain = Component(
  type: "framework", reference: "swift", name: "swift", version: arguments[2],
  licenses: [License(expression: "Apache-2.0 WITH Swift-exception")])
let library = Component(
  type: "library", reference: "swift-ribs", name: "swift-ribs", version: version,
  licenses: [License(expression: "Apache-2.0")])

/// A package URL, as https://github.com/package-url/purl-spec defines it for Swift.
func packageURL(of pin: Resolved.Pin, _ version: String) -> String? {
  guard let url = URL(string: pin.location), let host = url.host else { return nil }
  let path = url.path.hasSuffix(".git") ? String(url.path.dropLast(4)) : url.path
  return "pkg:swift/\(host)\(path)@\(version)"
}

var pins: Set<Resolved.Pin> = []
var programs: [Component] = []
var dependencies = [Dependency(ref: library.reference, dependsOn: [])]
for argument in arguments.dropFirst(3) {
  let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
  guard parts.count == 2, let data = FileManager.default.contents(atPath: parts[1]) else {
    fail("'\(argument)' is no NAME=FILE, or the file can't be read")
  }
  let resolved = try JSONDecoder().decode(Resolved.self, from: data)
  pins.formUnion(resolved.pins)
  programs.append(
    Component(
      type: "application", reference: parts[0], name: parts[0], version: version,
      licenses: [License(expression: "Apache-2.0")]))
  dependencies.append(
    Dependency(
      ref: parts[0], dependsOn: [library.reference, toolchain.reference] + resolved.pins.map(\.identity).sorted()))
}
let packages = pins.sorted { ($0.identity, $0.state.revision) < ($1.identity, $1.state.revision) }
guard Set(packages.map(\.identity)).count == packages.count else {
  fail("two of the files pin different versions of one package")
}
let libraries = packages.map { pin in
  let version = pin.state.version ?? pin.state.revision
  return Component(
    type: "library", reference: pin.identity, name: pin.identity, version: version,
    purl: packageURL(of: pin, version), properties: [Property(name: "git:revision", value: pin.state.revision)])
}
let encoder = JSONEncoder()
encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
let bill = Bill(
  metadata: Metadata(timestamp: "\(date)T00:00:00Z", component: library),
  components: programs + [toolchain] + libraries, dependencies: dependencies)
print(String(decoding: try encoder.encode(bill), as: UTF8.self))
