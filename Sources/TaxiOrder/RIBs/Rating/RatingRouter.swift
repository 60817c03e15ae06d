// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol RatingInteractable: Interactable {}

final class RatingRouter: Router<any RatingInteractable>, RatingRouting {}
