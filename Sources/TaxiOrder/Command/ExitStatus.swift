/// The exit statuses of the program. Those from 64 are from `sysexits`.
enum ExitStatus {
  static let success: Int32 = 0
  /// Rows were rejected.
  static let failure: Int32 = 1
  static let usage: Int32 = 64
  static let badData: Int32 = 65
  static let noInput: Int32 = 66
  /// The trees can't be shown to other processes.
  static let unavailable: Int32 = 69
  /// The output could not be written.
  static let outputFailed: Int32 = 74
}
