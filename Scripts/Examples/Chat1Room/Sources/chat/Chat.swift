import RIBs
import RIBsInspector

@main
@MainActor
struct Chat {
  static func main() async {
    let room = RoomRouter()
    let tree = Tree(root: room)
    tree.launch()
    room.interactor.post("hello", by: "mara")
    room.interactor.post("hi mara", by: "jonas")
    print(room.text)
    print(tree.snapshot().text())
    print(await tree.shutdown(timeout: .seconds(5)))
  }
}
