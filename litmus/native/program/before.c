#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach/mach.h>
#include <mach/thread_policy.h>
#endif

/* A variable of the test: a location, or an array. Each is alone on its cache lines. */
struct object {
  const char *name;
  size_t size;      /* in bytes */
  uint64_t address; /* the number that stands for its address in outcomes */
};

/* The initial value of a location. */
struct initial {
  int object;
  size_t offset;
  int bits;
  uint64_t value;
  int target; /* the object whose address is added to the value; -1 for none */
};

/* A register or a location that outcomes contain. */
struct observed {
  const char *name;  /* as in the log */
  const char *array; /* the array of which this is an element, if the log has the whole array */
  int thread;        /* -1 for a location */
  int index;         /* of the thread's result, or of the object */
  size_t offset;
  int bits;
  int is_signed;
};

/* The name of an address in outcomes. */
struct address {
  uint64_t address;
  const char *name;
};

#ifdef GPU
/* A kernel in PTX, and the CTAs that one cell needs, with the most warps of one, and the lanes of a warp that run
   cells. */
struct kernel {
  const char *text;
  int ctas, warps, lanes;
};
#endif

struct test {
  const char *path, *name, *source;
  const char *kind, *condition, *hash;
  int threads, objects, initials, seen, shown, addresses;
  int low; /* addresses must fit in 31 bits */
  void (*const *run)(char *const *at, unsigned long *out);
  const int *results; /* of each thread */
  const struct object *object;
  const struct initial *initial;
  const struct observed *observed; /* the first "shown" are in the log */
  const struct address *address;
  int (*holds)(const uint64_t *v);   /* the proposition of the condition */
  int (*accepts)(const uint64_t *v); /* the filter */
#ifdef GPU
  const struct kernel *kernel; /* of a test that runs on a GPU */
#endif
};

/* Numbers of different widths are compared with their signs. */
static inline uint64_t extend(uint64_t v, int bits) {
  return bits < 64 && v >> (bits - 1) & 1 ? v | ~(uint64_t)0 << bits : v;
}
