internal import Foundation

/// Writes a line at once, also into a pipe.
@Sendable
func say(_ line: Any) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
