import Hummingbird

func routes(of rooms: Rooms) -> Router<BasicRequestContext> {
  let router = Router()
  router.get("rooms/:room") { _, context in
    let text = try await rooms.perform(onExisting: try context.parameters.require("room")) { room in room.text }
    guard let text else { throw HTTPError(.notFound) }
    return text
  }
  router.post("rooms/:room/:member") { request, context in
    let member = try context.parameters.require("member")
    let text = String(buffer: try await request.body.collect(upTo: 1_000))
    return try await rooms.perform(on: try context.parameters.require("room")) { room in
      room.interactor.post(text, by: member)
      return room.text
    }
  }
  router.put("rooms/:room/news") { _, context in
    try await rooms.perform(on: try context.parameters.require("room")) { room in
      room.routeToNews()
      return room.text
    }
  }
  router.delete("rooms/:room/news") { _, context in
    let text = try await rooms.perform(onExisting: try context.parameters.require("room")) { room in
      room.detachNews()
      return room.text
    }
    guard let text else { throw HTTPError(.notFound) }
    return text
  }
  return router
}
