// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

#ifndef HEAP_H
#define HEAP_H

#include <stddef.h>

/// The number of heap bytes in use, or 0 if the C library does not report it.
size_t heap_in_use(void);

#endif
