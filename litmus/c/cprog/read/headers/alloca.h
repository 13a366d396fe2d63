#include <stdlib.h>
#ifndef __litmus_alloca_h
#define __litmus_alloca_h
void *alloca(size_t);
#endif
