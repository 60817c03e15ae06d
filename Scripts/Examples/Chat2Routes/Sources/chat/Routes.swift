import Hummingbird

func routes(of rooms: Rooms) -> Router<BasicRequestContext> {
  let router = Router()
  router.get("rooms/:room") { _, context in
    guard let room = await rooms.existing(try context.parameters.require("room")) else { throw HTTPError(.notFound) }
    return try await room.perform { root in root.text }
  }
  router.post("rooms/:room/:member") { request, context in
    let member = try context.parameters.require("member")
    let text = String(buffer: try await request.body.collect(upTo: 1_000))
    let room = await rooms.room(try context.parameters.require("room"))
    return try await room.perform { root in
      root.interactor.post(text, by: member)
      return root.text
    }
  }
  return router
}
