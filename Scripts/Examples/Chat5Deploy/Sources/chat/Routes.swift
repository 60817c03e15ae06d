import HTTPTrees
import Hummingbird

func addRoutes(of rooms: Rooms, to trees: RouterGroup<ServerContext>) {
  let unknown = Problem(.notFound, "unknown-room", "There is no such room.")
  let group = trees.group("rooms/:tree")
  group.get { _, context in
    let text = try await rooms.perform(onExisting: context.key) { room in room.text }
    guard let text else { throw unknown }
    return text
  }
  group.post(":member") { request, context in
    let member = try context.parameters.require("member")
    let text = String(buffer: try await request.body.collect(upTo: 1_000))
    return try await rooms.perform(on: context.key) { room in
      room.interactor.post(text, by: member)
      return room.text
    }
  }
  group.put("news") { _, context in
    try await rooms.perform(on: context.key) { room in
      room.routeToNews()
      return room.text
    }
  }
  group.delete("news") { _, context in
    let text = try await rooms.perform(onExisting: context.key) { room in
      room.detachNews()
      return room.text
    }
    guard let text else { throw unknown }
    return text
  }
}
