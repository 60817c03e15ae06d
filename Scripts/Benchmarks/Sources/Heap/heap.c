// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

#include "heap.h"

// Also defines the macros that identify the C library.
#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

size_t heap_in_use(void) { return mallinfo2().uordblks; }
#else
size_t heap_in_use(void) { return 0; }
#endif
