// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

#include <sqlite3.h>

// Swift does not import the macro.
static inline sqlite3_destructor_type sqlite_transient(void) { return SQLITE_TRANSIENT; }
