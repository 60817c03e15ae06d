public import RIBs

/// Stands in for a child's builder. Subclass it and conform to the builder's protocol.
///
/// ```swift
/// final class TweetDetailBuildableDouble: BuildableDouble<TweetDetailRouting>, TweetDetailBuildable {
///   func build(withListener listener: TweetDetailListener, tweet: Tweet) -> TweetDetailRouting {
///     make(listener, tweet)
///   }
/// }
/// ```
///
/// It is made with what makes the child, which is usually a double too:
///
/// ```swift
/// let builder = TweetDetailBuildableDouble(in: test.transcript) { TweetDetailRoutingDouble() }
/// test.launch(TimelineRouter(detailBuilder: builder))
/// ```
open class BuildableDouble<Product>: RecordingDouble, Buildable {
  private let product: () -> Product
  private var made: [WeakReference] = []

  /// What was built and is still there, in the order of building.
  public final var products: [Product] { made.compactMap { $0.object as? Product } }

  /// Creates a double.
  ///
  /// - Parameters:
  ///   - transcript: where the calls are written to.
  ///   - product: makes what is built, anew each time.
  public init(in transcript: Transcript? = nil, _ product: @escaping () -> Product) {
    self.product = product
    super.init(in: transcript)
  }

  /// Writes down that the calling function was called, and makes what it builds.
  ///
  /// - Parameters:
  ///   - arguments: what it was given, in the order of its parameters.
  ///   - function: leave out.
  public final func make(_ arguments: Any?..., function: String = #function) -> Product {
    add(Call(function: function, arguments: arguments))
    let product = product()
    made.append(WeakReference(object: product as AnyObject))
    return product
  }
}

private struct WeakReference {
  weak var object: AnyObject?
}
