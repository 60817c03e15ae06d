// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

// Preloaded into the tests by Scripts/test fallback: stands in front of the functions of Swift's concurrency runtime that
// have no Swift name, and does not do what they did when the runtime was written. The check at first use must notice, and
// nothing may call them after it.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__x86_64__) || defined(__aarch64__)
#define SWIFT_CC __attribute__((swiftcall))
#else
#define SWIFT_CC
#endif

SWIFT_CC uint64_t swift_task_getJobTaskId(void *job) {
  (void)job;
  return 0;
}

SWIFT_CC void swift_task_enqueue(void *job, void *executor, void *witness) {
  (void)job, (void)executor, (void)witness;
  fprintf(stderr, "swift_task_enqueue was called, although the check at first use has failed.\n");
  abort();
}
