// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import HTTPTrees
import RIBsStore

extension Access {
  /// A rider reaches only its own tree, a dispatcher all, and only an operator administers them.
  ///
  /// - Parameter tokens: nil if each client reaches all riders, on a server that only this machine reaches.
  static func riders(_ tokens: BearerTokens?) -> Access {
    guard let tokens else { return Access(read: Access.anyone, change: Access.anyone) }
    let rule: Rule = { request in
      guard let caller = request.caller else { return false }
      return caller.id == request.key || caller.roles.contains("dispatcher")
    }
    return Access(
      identify: { request, _ in try tokens.caller(of: request) }, read: rule, change: rule,
      administer: { request in request.caller?.roles.contains("operator") == true })
  }
}
