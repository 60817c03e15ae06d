/// What happens to errors of bound work where no handler is set.
enum FailureHandling {
  @Sendable
  static func standard(_ failure: WorkFailure) { writeToStandardError(failure.description + "\n") }
}
