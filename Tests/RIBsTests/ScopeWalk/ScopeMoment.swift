// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The callbacks in which a walk acts.
enum ScopeMoment: Int, CaseIterable {
  case outside, didBecomeActive, willResignActive, didLoad, isActiveStream
  case taskStep, handler, errorHandler, connect, slice, finished, value, didFail, childDidFail, failure
  case routerDeinit, interactorDeinit, captureDeinit, workerDeinit, scopedDeinit, disposal, scopedDisposal
  case onEvent, subscriber, misuse, summary, aroundWork, onEnd, savedState, savedChildren, afterSave
  case slotBuilder, stackBuilder, listBuilder, models, didUpdate, nearness
  case didStart, didStop, workflowStep, workflowHook, workflowError, page, pagerState, lifecycle
}
