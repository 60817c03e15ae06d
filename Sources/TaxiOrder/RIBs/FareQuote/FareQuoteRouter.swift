// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol FareQuoteInteractable: Interactable {}

final class FareQuoteRouter: Router<any FareQuoteInteractable>, FareQuoteRouting {}
