#ifndef HEAP_H
#define HEAP_H

#include <stddef.h>

/// How many bytes of the heap are in use, or 0 where the C library does not tell.
size_t heap_in_use(void);

#endif
