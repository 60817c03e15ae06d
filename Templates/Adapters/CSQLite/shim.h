#include <sqlite3.h>

// Swift does not import the macro.
static inline sqlite3_destructor_type sqlite_transient(void) { return SQLITE_TRANSIENT; }
