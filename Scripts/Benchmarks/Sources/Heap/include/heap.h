#ifndef HEAP_H
#define HEAP_H

#include <stddef.h>

/// How many bytes of the heap are in use, or 0 where the C library does not tell.
size_t heap_in_use(void);

/// Keeps what is freed from now on for this process, where the C library can be asked to.
void heap_keep(void);

#endif
