// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// An object of a tree that code off the tree may carry in an `IsolationBox`.
protocol TreeConfined: AnyObject {}

/// Carries an object of a tree through nonisolated code back to the tree's actor. Nothing else of a tree leaves its
/// actor.
///
/// It is safe because only `Actor.content(of:as:)` returns the object, isolated to the tree's actor, and the compiler
/// lets no caller take an object that is not `Sendable` from there. The object's captures are released there too, so a
/// final release elsewhere releases nothing of the tree.
///
/// This is the only `@unchecked Sendable` type of the package. It is not generic, because a generic one loses
/// `nonisolated(nonsending)` on the operation (Swift 6.3).
struct IsolationBox: @unchecked Sendable {
  fileprivate let content: AnyObject

  init(_ content: some TreeConfined) { self.content = content }
}

extension Actor {
  /// The object of a box, on its tree's actor.
  ///
  /// - Parameter type: the type that the box was created with.
  @inline(__always)
  func content<Content: TreeConfined>(of box: IsolationBox, as type: Content.Type = Content.self) -> Content {
    preconditionIsolated()
    return unsafeDowncast(box.content, to: Content.self)
  }

  /// Runs code with the object of a box, on its tree's actor. What the code returns is `Sendable`, so the object stays
  /// there.
  @inline(__always)
  func with<Content: TreeConfined, Result: Sendable>(
    _ box: IsolationBox, _ body: @Sendable (Content) -> Result
  ) -> Result {
    body(content(of: box))
  }
}
