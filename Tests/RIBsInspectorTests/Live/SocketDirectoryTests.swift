// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsInspector
import TestSupport
import Testing

@Suite("The socket directory")
struct SocketDirectoryTests {
  private let folder: TemporaryFolder
  private var directory: String { folder.file("ribs").path }

  init() throws { folder = try TemporaryFolder() }

  private func mode(_ path: String) throws -> Int {
    try (FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int) ?? 0
  }

  /// The error with which inspectors and clients refuse the directory.
  private func refusal(detour: String = "") -> String? {
    let error = #expect(throws: InspectorError.self) { try Inspector.start(directory: directory + detour) }
    let same = #expect(throws: InspectorError.self) { try InspectedProcess.all(in: directory + detour) }
    #expect(error == same)
    #expect(error?.kind == .directory)
    return error?.description
  }

  private func refusal(_ reason: String) -> String {
    "The socket directory \(directory) can't be used: \(reason). Set XDG_RUNTIME_DIR to a directory of your own."
  }

  @Test("is created for its user alone, like the socket")
  func modes() throws {
    let inspector = try Inspector.start(directory: directory)
    #expect(try mode(directory) == 0o700)
    #expect(try mode(inspector.socketPath) == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 1)
  }

  @Test("may be missing for a client")
  func missing() throws {
    #expect(try InspectedProcess.all(in: directory) == [])
    #expect(!FileManager.default.fileExists(atPath: directory))
  }

  @Test("is refused if it is a symbolic link", arguments: ["", "/", "//", "/.", "/./", "/.//./"])
  func linked(detour: String) throws {
    let real = folder.file("real").path
    mkdir(real, 0o700)
    symlink(real, directory)
    #expect(refusal(detour: detour) == refusal("it is a symbolic link; remove the link"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: real) == [])
  }

  @Test(
    "is independent of the spelling of its path, and is checked at its real location",
    arguments: ["", "/", "/.", "/./", "/../ribs", "/inside/.."])
  func detours(detour: String) throws {
    mkdir(directory, 0o700)
    mkdir(directory + "/inside", 0o700)
    let inspector = try Inspector.start(directory: directory + detour)
    let name = inspector.socketPath.split(separator: "/").last ?? ""
    #expect(try InspectedProcess.all(in: directory).map(\.socketPath) == ["\(directory)/\(name)"])
    chmod(folder.url.path, 0o777)
    #expect(refusal(detour: detour)?.contains("other users may change its parent directory") == true)
    chmod(folder.url.path, 0o700)
  }

  @Test("is refused if it is not a directory")
  func file() throws {
    try Data().write(to: folder.file("ribs"))
    #expect(refusal() == refusal("it is not a directory; remove the file"))
  }

  @Test("is refused if others may enter, read or change it", arguments: [0o701, 0o710, 0o740, 0o720, 0o777, 0o1777])
  func open(mode: Int) throws {
    mkdir(directory, 0o700)
    chmod(directory, mode_t(mode))
    let text = String(mode & 0o777, radix: 8)
    #expect(
      refusal()
        == refusal("other users may enter or change it (mode \(text)); run 'chmod 700' if you trust its content"))
  }

  @Test("is refused in a directory that other users may change, except a sticky one like /tmp")
  func parent() throws {
    chmod(folder.url.path, 0o777)
    mkdir(directory, 0o700)
    #expect(refusal() == refusal("other users may change its parent directory, \(folder.url.path)"))
    chmod(folder.url.path, 0o1777)
    #expect(try InspectedProcess.all(in: directory) == [])
    chmod(folder.url.path, 0o700)
  }

  @Test(
    "is refused if it or its parent belongs to another user",
    .enabled(if: geteuid() == 0, "only root can give a directory away"))
  func foreign() throws {
    mkdir(directory, 0o700)
    chown(directory, 65_534, 65_534)
    let error = #expect(throws: InspectorError.self) { try Inspector.start(directory: directory) }
    #expect(error?.description == refusal("it belongs to another user (uid 65534)"))
    chown(directory, 0, 0)
    chown(folder.url.path, 65_534, 65_534)
    #expect(refusal() == refusal("its parent directory belongs to another user (uid 65534)"))
    chown(folder.url.path, 0, 0)
  }

  @Test(
    "of another user is read by root, which leaves stale sockets there",
    .enabled(if: geteuid() == 0, "only root may enter it"))
  func root() throws {
    mkdir(directory, 0o700)
    let (stale, foreign) = ("\(directory)/gone-1.sock", "\(directory)/other-2.sock")
    _ = try RawClient(stale, binds: true)
    let inspector = try Inspector.start(directory: directory)
    _ = try RawClient(foreign, binds: true)
    for path in [directory, stale, inspector.socketPath] { chown(path, 65_534, 65_534) }
    #expect(!FileManager.default.fileExists(atPath: stale))
    _ = try RawClient(stale, binds: true)
    chown(stale, 65_534, 65_534)
    #expect(try InspectedProcess.all(in: directory).map(\.socketPath) == [inspector.socketPath])
    #expect(FileManager.default.fileExists(atPath: stale) && FileManager.default.fileExists(atPath: foreign))
    chmod(directory, 0o755)
    let open = #expect(throws: InspectorError.self) { try InspectedProcess.all(in: directory) }
    #expect(open?.description.contains("other users may enter or change it (mode 755)") == true)
    chmod(directory, 0o700)
  }

  @Test("is found by root as the usual one of another user", .enabled(if: geteuid() == 0, "only root may enter it"))
  func others() throws {
    let usual = "/tmp/ribs-\(UInt32.random(in: 2_000_000_000 ... 4_000_000_000))"
    defer { try? FileManager.default.removeItem(atPath: usual) }
    let inspector = try Inspector.start(directory: usual)
    let path = inspector.socketPath
    func isListed() throws -> Bool { try InspectedProcess.all().contains { $0.socketPath == path } }
    // It does not belong to the user in its name.
    #expect(try !isListed())
    for path in [usual, path] { chown(path, uid_t(usual.dropFirst(10)) ?? 0, 0) }
    #expect(try isListed())
  }

  @Test("must have a path that fits into a socket address")
  func long() throws {
    let directory = folder.file(String(repeating: "x", count: 100)).path
    let error = #expect(throws: InspectorError.self) { try Inspector.start(directory: directory) }
    #expect((error?.kind, error?.description.contains("its path is too long")) == (.socket, true))
  }

  @Test("can't be created in a missing directory")
  func nowhere() throws {
    let error = #expect(throws: InspectorError.self) { try Inspector.start(directory: "/nowhere/ribs") }
    #expect(error?.description.contains("can't be used: it can't be created: No such file or directory") == true)
  }

  @Test("keeps files that are not sockets of an inspector")
  func otherFiles() throws {
    mkdir(directory, 0o700)
    try Data().write(to: URL(fileURLWithPath: directory + "/notes-1.sock"))
    symlink("/nowhere", directory + "/link-1.sock")
    #expect(try InspectedProcess.all(in: directory) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 2)
  }

  @Test("is cleared of stale sockets, but not of one that was just created")
  func deserted() throws {
    mkdir(directory, 0o700)
    let names = ["old-1.sock", "old-2.7.new", "young-3.8.new"]
    let sockets = try names.map { try RawClient("\(directory)/\($0)", binds: true) }
    var times = [timeval](repeating: timeval(), count: 2)
    utimes("\(directory)/old-2.7.new", &times)
    for index in times.indices { times[index].tv_sec = time(nil) + 3_600 }
    utimes("\(directory)/young-3.8.new", &times)
    #expect(try InspectedProcess.all(in: directory) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["young-3.8.new"])
    withExtendedLifetime(sockets) {}
  }
}
