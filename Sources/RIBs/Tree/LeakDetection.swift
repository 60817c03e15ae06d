/// Whether a tree looks for RIBs that stay alive after they have left it.
public enum LeakDetection: Sendable, Hashable {
  /// It does not, and spends nothing on it.
  case off
  /// It looks this long, on its clock, after a RIB has resigned.
  case after(Duration)

  /// After five seconds in debug builds of this package; off in release builds.
  public static var standard: LeakDetection {
    #if DEBUG
      .after(.seconds(5))
    #else
      .off
    #endif
  }
}
