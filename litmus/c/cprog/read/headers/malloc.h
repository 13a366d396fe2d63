#include <stdlib.h>
#ifndef __litmus_malloc_h
#define __litmus_malloc_h
void *memalign(size_t, size_t);
#endif
