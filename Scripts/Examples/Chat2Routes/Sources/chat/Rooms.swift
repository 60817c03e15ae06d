import RIBs

/// The trees of the rooms, by name.
actor Rooms {
  private var hosts: [String: TreeHost<RoomRouter>] = [:]

  /// The room; nil if there is none.
  func existing(_ name: String) -> TreeHost<RoomRouter>? { hosts[name] }

  /// The room, which is built if there is none.
  func room(_ name: String) async -> TreeHost<RoomRouter> {
    if let host = hosts[name] { return host }
    let host = await TreeHost(configuration: TreeConfiguration(name: name)) { RoomRouter() }
    // Another request may have opened the room during the await.
    if let other = hosts[name] { return other }
    hosts[name] = host
    return host
  }

  func shutdown() async {
    for host in hosts.values { await host.shutdown(timeout: .seconds(5)) }
  }
}
