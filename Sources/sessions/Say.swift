internal import Foundation

/// Writes a line without buffering.
@Sendable
func say(_ line: Any) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
