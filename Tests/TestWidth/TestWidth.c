#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Lets twice as many tests run at a time as there are processors, unless the environment sets another number. The runner
// would start all at once: a test would wait for its turn behind each other one, longer than processes wait for answers.
__attribute__((constructor)) static void limitParallelTests(void) {
  char width[16];
  snprintf(width, sizeof width, "%ld", 2 * sysconf(_SC_NPROCESSORS_ONLN));
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}
