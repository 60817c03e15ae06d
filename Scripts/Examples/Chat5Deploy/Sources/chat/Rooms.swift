import RIBs
import RIBsStore

/// The trees of the rooms, by name.
typealias Rooms = TreeDirectory<String, RoomRouter>

func openRooms(
  in store: (any TreeStore)?, feed: any Feed, configuration: DirectoryConfiguration = DirectoryConfiguration(),
  onEvent: (@Sendable (DirectoryEvent<String>) -> Void)? = nil
) -> Rooms {
  Rooms("room", in: store, configuration: configuration, onEvent: onEvent) { _ in RoomRouter(feed: feed) }
}
