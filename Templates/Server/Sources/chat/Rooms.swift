import RIBs
import RIBsStore

/// The trees of the rooms, by name.
typealias Rooms = TreeDirectory<String, RoomRouter>

func openRooms(in store: any TreeStore) -> Rooms {
  Rooms("room", in: store) { _ in RoomRouter() }
}
