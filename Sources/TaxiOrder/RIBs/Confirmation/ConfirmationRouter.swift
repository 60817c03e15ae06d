// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol ConfirmationInteractable: Interactable {
  var listener: (any ConfirmationListener)? { get set }
}

final class ConfirmationRouter: Router<any ConfirmationInteractable>, ConfirmationRouting {}
