// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Orders that are paid while their server is killed: a server with a directory of trees in files, a payment process that
/// counts, and clients that repeat a request until it is answered.
///
///     OrdersProbe check <directory> <orders> <kills> [at-once]
///                                              runs all of it, and exits with 0 if nothing was lost or repeated
///     OrdersProbe serve <directory> <socket> [at-once]
///                                              the server; reads requests and writes answers
///     OrdersProbe payments <socket>            the payment process; prints what it has charged when its input ends
///
/// With `at-once`, requests are answered before they are saved, so that the check must fail.
import Foundation

signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)
let answersAtOnce = CommandLine.arguments.last == "at-once"
let arguments = Array(CommandLine.arguments.dropFirst().dropLast(answersAtOnce ? 1 : 0))
do {
  switch (arguments.first, arguments.count) {
  case ("payments", 2): try Payments.serve(arguments[1])
  case ("serve", 3): try await OrderServer.serve(directory: arguments[1], payments: arguments[2], answersAtOnce)
  case ("check", 4):
    guard let orders = Int(arguments[2]), let kills = Int(arguments[3]) else { exit(2) }
    let check = Check(directory: arguments[1], orders: orders, kills: kills, answersAtOnce: answersAtOnce)
    exit(try await check.run() ? 0 : 1)
  default:
    print(
      """
      OrdersProbe check <directory> <orders> <kills> [at-once] | serve <directory> <socket> [at-once] \
      | payments <socket>
      """)
    exit(2)
  }
} catch {
  writeLine("\(error)", to: STDERR_FILENO)
  exit(1)
}
