// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Sets the environment of the test runner, unless it is set.
__attribute__((constructor)) static void setEnvironment(void) {
  // Lets twice as many tests run at a time as there are processors. The runner would start all at once: a test would wait
  // for its turn behind each other one, longer than processes wait for answers.
  char width[16];
  snprintf(width, sizeof width, "%ld", 2 * sysconf(_SC_NPROCESSORS_ONLN));
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
  // The runner would record where each error was thrown, and look through all records after each test case. That takes a
  // fifth of the time of all tests, and the places are not printed.
  setenv("SWT_SWIFT_ERROR_BACKTRACING_ENABLED", "0", 0);
}
