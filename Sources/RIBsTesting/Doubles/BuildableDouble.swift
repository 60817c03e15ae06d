// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// A test double for a child's builder. Subclass it and conform to the builder's protocol.
///
/// ```swift
/// final class TweetDetailBuildableDouble: BuildableDouble<TweetDetailRouting>, TweetDetailBuildable {
///   func build(withListener listener: TweetDetailListener, tweet: Tweet) -> TweetDetailRouting {
///     make(listener, tweet)
///   }
/// }
/// ```
///
/// Create it with a closure that makes the child, usually another double:
///
/// ```swift
/// let builder = TweetDetailBuildableDouble(in: test.transcript) { TweetDetailRoutingDouble() }
/// test.launch(TimelineRouter(detailBuilder: builder))
/// ```
open class BuildableDouble<Product>: RecordingDouble, Buildable {
  private let product: () -> Product
  private var made: [WeakReference] = []

  /// The products that are still alive, in creation order.
  public final var products: [Product] { made.compactMap { $0.object as? Product } }

  /// Creates a double.
  ///
  /// - Parameters:
  ///   - transcript: the transcript that calls are recorded in.
  ///   - product: creates a new product for each call.
  public init(in transcript: Transcript? = nil, _ product: @escaping () -> Product) {
    self.product = product
    super.init(in: transcript)
  }

  /// Records the call of the calling function, and creates its product.
  ///
  /// - Parameters:
  ///   - arguments: the arguments of that function, in order.
  ///   - function: Defaults to the calling function.
  public final func make(_ arguments: Any?..., function: String = #function) -> Product {
    add(Call(function, arguments))
    let product = product()
    made.append(WeakReference(object: product as AnyObject))
    return product
  }
}

struct WeakReference {
  weak var object: AnyObject?
}
