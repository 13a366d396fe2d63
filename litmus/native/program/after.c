enum { LINE = 128, BEHIND = 4095, MOST_THREADS = 64, FREE_RUN = 0, POLL, TIMED };

/* The options; see usage. */
static long runs = 10, size = 10000, stride = 1, limit = 20, from = 0;
static int synchronise = -1, affinity = 1, shuffle = 1, noise = 1, quiet = 0;
static uint64_t seed;

static volatile sig_atomic_t interrupted;
static const struct test *volatile current;

/* The processor's time base. */
static inline uint64_t now(void) {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t t;
  __asm__ __volatile__("mrs %0,cntvct_el0" : "=r"(t)::"memory");
  return t;
#elif defined(__riscv) && __riscv_xlen == 64
  uint64_t t;
  __asm__ __volatile__("rdtime %0" : "=r"(t)::"memory");
  return t;
#elif defined(__powerpc64__)
  uint64_t t;
  __asm__ __volatile__("mfspr %0,268" : "=r"(t)::"memory");
  return t;
#else
  struct timespec t; /* user code cannot read the time base */
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
#endif
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __asm__ __volatile__("pause" ::: "memory");
#elif defined(__aarch64__)
  __asm__ __volatile__("yield" ::: "memory");
#else
  __asm__ __volatile__("" ::: "memory");
#endif
}

static inline uint64_t next_random(uint64_t *s) { /* xorshift */
  *s ^= *s << 13;
  *s ^= *s >> 7;
  return *s ^= *s << 17;
}

/* What the threads share. The two counters of the barrier are alone on their cache lines. */
static struct shared {
  _Alignas(LINE) atomic_ulong arrived;
  _Alignas(LINE) atomic_ulong start; /* the time at which the threads start this cell */
  _Alignas(LINE) atomic_ulong round;
  _Alignas(LINE) char *memory;
  char **at; /* for each cell, the addresses of its objects */
  size_t bytes;
  int mode, waiting, meetings, processors, threads;
  long begun; /* the run */
  int order[MOST_THREADS];
  uint64_t ticks; /* of the time base in 200 ns */
  pthread_mutex_t mutex;
  pthread_cond_t met;
} shared = {.mutex = PTHREAD_MUTEX_INITIALIZER, .met = PTHREAD_COND_INITIALIZER};

#ifdef __linux__
static cpu_set_t allowed;
#endif

struct worker {
  _Alignas(LINE) const struct test *test;
  int id;
  uint64_t random;
  unsigned long *out;
};

/* Waits for all threads and the main thread. Returns 0 if the time is over first. */
static int meet(double until) {
  int ok = 1;
  pthread_mutex_lock(&shared.mutex);
  int meeting = shared.meetings;
  if (++shared.waiting == shared.threads + 1) {
    shared.waiting = 0;
    shared.meetings++;
    pthread_cond_broadcast(&shared.met);
  }
  while (meeting == shared.meetings && ok) {
    if (until <= 0) {
      pthread_cond_wait(&shared.met, &shared.mutex);
      continue;
    }
    struct timespec t;
    double left = until - seconds();
    if (left <= 0) {
      ok = 0;
      break;
    }
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += (time_t)left + 1;
    pthread_cond_timedwait(&shared.met, &shared.mutex, &t);
  }
  pthread_mutex_unlock(&shared.mutex);
  return ok;
}

/* Puts this thread on a processor of its own in most runs. */
static void place(const struct worker *w) {
#ifdef __linux__
  cpu_set_t set;
  int n = shared.order[w->id], cpu;
  if (shared.begun % 4 == 3 || shared.threads > shared.processors) {
    sched_setaffinity(0, sizeof allowed, &allowed);
    return;
  }
  for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, &allowed) && n-- == 0)
      break;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
#elif defined(__APPLE__)
  thread_affinity_policy_data_t hint = {shared.begun % 4 == 3 ? 0 : w->id + 1};
  thread_policy_set(pthread_mach_thread_np(pthread_self()), THREAD_AFFINITY_POLICY, (thread_policy_t)&hint, 1);
#else
  (void)w;
#endif
}

/* Moves some of the cell's cache lines to this processor, or away from it. */
static inline void disturb(struct worker *w, char *const *at) {
  uint64_t r = next_random(&w->random);
  for (int k = 0; k < w->test->objects; k++, r >>= 3) {
    switch (r & 7) {
    case 0:
      __builtin_prefetch(at[k], 0);
      break;
    case 1:
      __builtin_prefetch(at[k], 1);
      break;
    case 2:
      (void)*(volatile char *)at[k];
      break;
#if defined(__x86_64__)
    case 3:
      __asm__ __volatile__("clflush (%0)" ::"r"(at[k]) : "memory");
      break;
#endif
    }
    if (r == 0)
      r = next_random(&w->random);
  }
}

/* Waits until all threads have come to cell i, then for a moment that differs from thread to thread. */
static inline void arrive(struct worker *w, unsigned long i) {
  unsigned long all = (unsigned long)shared.threads * (i + 1);
  int spins = 0, patience = shared.threads > shared.processors ? 16 : 4096;
  if (shared.mode == POLL) {
    atomic_fetch_add(&shared.arrived, 1);
    while (atomic_load_explicit(&shared.arrived, memory_order_acquire) < all) {
      pause_briefly();
      if (++spins % patience == 0)
        sched_yield();
    }
  } else {
    if (atomic_fetch_add(&shared.arrived, 1) + 1 == all) {
      atomic_store_explicit(&shared.start, (unsigned long)(now() + shared.ticks), memory_order_relaxed);
      atomic_store(&shared.round, i + 1);
    }
    while (atomic_load_explicit(&shared.round, memory_order_acquire) <= i) {
      pause_briefly();
      if (++spins % patience == 0)
        sched_yield();
    }
    unsigned long start = atomic_load_explicit(&shared.start, memory_order_relaxed);
    while ((long)((unsigned long)now() - start) < 0)
      ;
  }
  uint64_t r = next_random(&w->random);
  if (r & 1)
    for (int k = (int)(r >> 1 & 31); k > 0; k--)
      __asm__ __volatile__("" ::: "memory");
}

/* One thread: in each run it goes through all cells, in the order of the other threads. */
static void *work(void *argument) {
  struct worker *w = argument;
  const struct test *t = w->test;
  for (;;) {
    meet(0);
    if (shared.begun < 0)
      return NULL;
    if (affinity)
      place(w);
    long k = 0, lap = 0;
    for (long i = 0; i < size; i++) {
      char *const *at = shared.at + k * t->objects;
      if (noise)
        disturb(w, at);
      if (shared.mode != FREE_RUN)
        arrive(w, (unsigned long)i);
      t->run[w->id](at, w->out + k * t->results[w->id]);
      if ((k += stride) >= size)
        k = ++lap;
    }
    meet(0);
  }
}

/* The outcomes seen, with their counts: a table with open addressing. */
struct tally {
  size_t room, used;
  int width;
  uint64_t *values;
  unsigned long long *count;
};

static void *get(size_t n, size_t bytes) {
  void *p = calloc(n ? n : 1, bytes ? bytes : 1);
  if (!p) {
    fprintf(stderr, "out of memory\n");
    exit(2);
  }
  return p;
}

static void count(struct tally *s, const uint64_t *v, unsigned long long n) {
  if (s->used * 2 >= s->room) {
    struct tally old = *s;
    s->room = old.room ? old.room * 2 : 64;
    s->used = 0;
    s->values = get(s->room * (size_t)s->width, sizeof *s->values);
    s->count = get(s->room, sizeof *s->count);
    for (size_t i = 0; i < old.room; i++)
      if (old.count[i])
        count(s, old.values + i * (size_t)s->width, old.count[i]);
    free(old.values);
    free(old.count);
  }
  uint64_t h = 0;
  for (int i = 0; i < s->width; i++)
    h = (h ^ v[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
  size_t i = h & (s->room - 1);
  while (s->count[i] && memcmp(s->values + i * (size_t)s->width, v, (size_t)s->width * sizeof *v))
    i = (i + 1) & (s->room - 1);
  if (!s->count[i]) {
    memcpy(s->values + i * (size_t)s->width, v, (size_t)s->width * sizeof *v);
    s->used++;
  }
  s->count[i] += n;
}

static uint64_t mask(int bits) { return bits < 64 ? ((uint64_t)1 << bits) - 1 : ~(uint64_t)0; }

static uint64_t load(const char *p, int bits) {
  switch (bits) {
  case 8:
    return *(const uint8_t *)p;
  case 16:
    return *(const uint16_t *)p;
  case 32:
    return *(const uint32_t *)p;
  }
  return *(const uint64_t *)p;
}

static void store(char *p, int bits, uint64_t v) {
  switch (bits) {
  case 8:
    *(uint8_t *)p = (uint8_t)v;
    return;
  case 16:
    *(uint16_t *)p = (uint16_t)v;
    return;
  case 32:
    *(uint32_t *)p = (uint32_t)v;
    return;
  }
  *(uint64_t *)p = v;
}

/* An address in a cell differs from cell to cell. Outcomes have the object's number for it. */
static uint64_t canonical(const struct test *t, char *const *at, uint64_t v, int bits) {
  if (bits >= 32)
    for (int k = 0; k < t->objects; k++) {
      uint64_t behind = (v - (uint64_t)(uintptr_t)at[k]) & mask(bits);
      if (behind < (t->object[k].size + LINE - 1) / LINE * LINE)
        return (t->object[k].address + behind) & mask(bits);
    }
  return v;
}

static void prepare(const struct test *t) {
  size_t base = 0;
  uint64_t *r = &seed;
  for (int k = 0; k < t->objects; k++) {
    size_t slot = (t->object[k].size + LINE - 1) / LINE * LINE;
    for (long i = 0; i < size; i++)
      shared.at[i * t->objects + k] = shared.memory + base + (size_t)i * slot;
    for (long i = size - 1; shuffle && i > 0; i--) {
      long j = (long)(next_random(r) % (uint64_t)(i + 1));
      char *p = shared.at[i * t->objects + k];
      shared.at[i * t->objects + k] = shared.at[j * t->objects + k];
      shared.at[j * t->objects + k] = p;
    }
    base += slot * (size_t)size;
  }
  memset(shared.memory, 0, base);
  for (long i = 0; i < size; i++) {
    char *const *at = shared.at + i * t->objects;
    for (int n = 0; n < t->initials; n++) {
      const struct initial *v = &t->initial[n];
      uint64_t address = v->target < 0 ? 0 : (uint64_t)(uintptr_t)at[v->target];
      store(at[v->object] + v->offset, v->bits, v->value + address);
    }
  }
  for (int i = 0; i < MOST_THREADS; i++)
    shared.order[i] = i;
  for (int i = shared.processors - 1; i > 0; i--) {
    int j = (int)(next_random(r) % (uint64_t)(i + 1)), n = shared.order[i];
    shared.order[i] = shared.order[j];
    shared.order[j] = n;
  }
  atomic_store(&shared.arrived, 0);
  atomic_store(&shared.round, 0);
}

static void collect(const struct test *t, const struct worker *w, struct tally *s) {
  uint64_t *v = get((size_t)t->seen, sizeof *v);
  for (long i = 0; i < size; i++) {
    char *const *at = shared.at + i * t->objects;
    for (int n = 0; n < t->seen; n++) {
      const struct observed *o = &t->observed[n];
      uint64_t x = o->thread < 0 ? load(at[o->index] + o->offset, o->bits)
                                 : w[o->thread].out[i * t->results[o->thread] + o->index];
      v[n] = canonical(t, at, x & mask(o->bits), o->bits);
    }
    if (!t->accepts || t->accepts(v))
      count(s, v, 1);
  }
  free(v);
}

static const struct test *sorting;

static int compare(const void *a, const void *b) {
  const uint64_t *x = *(uint64_t *const *)a, *y = *(uint64_t *const *)b;
  for (int i = 0; i < sorting->shown; i++) {
    const struct observed *o = &sorting->observed[i];
    if (x[i] != y[i] && o->is_signed)
      return (int64_t)extend(x[i], o->bits) < (int64_t)extend(y[i], o->bits) ? -1 : 1;
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  }
  return 0;
}

static void print_value(const struct test *t, uint64_t v, const struct observed *o) {
  const struct address *best = NULL;
  for (int i = 0; i < t->addresses; i++) {
    const struct address *a = &t->address[i];
    if (a->address <= v && v - a->address <= BEHIND && (!best || a->address > best->address))
      best = a;
  }
  if (best && o->bits >= (best->address >> 32 ? 64 : 32)) {
    printf("%s", best->name);
    if (v != best->address)
      printf("+%llu", (unsigned long long)(v - best->address));
  } else if (o->is_signed)
    printf("%lld", (long long)extend(v, o->bits));
  else
    printf("%llu", (unsigned long long)v);
}

static void print_state(const struct test *t, const uint64_t *v) {
  const struct observed *last = NULL;
  for (int i = 0; i < t->shown; i++) {
    const struct observed *o = &t->observed[i];
    int same = last && last->array && o->array && !strcmp(last->array, o->array);
    if (last && last->array && !same)
      printf("};");
    if (same)
      printf(",");
    else
      printf("%s%s=%s", last ? " " : "", o->array ? o->array : o->name, o->array ? "{" : "");
    print_value(t, v[i], o);
    if (!o->array)
      printf(";");
    last = o;
  }
  printf("%s\n", last && last->array ? "};" : "");
}

#ifdef GPU
static int run_on_gpu(const struct test *t);
static char gpu[256]; /* its name */
#endif

/* Prints the log in the format of litmus7. */
static void print_log(const struct test *t, const struct tally *s, double time) {
  struct tally shown = {.width = t->shown};
  uint64_t **row = get(s->used, sizeof *row);
  unsigned long long satisfy = 0, violate = 0;
  size_t n = 0;
  for (size_t i = 0; i < s->room; i++)
    if (s->count[i]) {
      const uint64_t *v = s->values + i * (size_t)s->width;
      count(&shown, v, s->count[i]);
      if (t->holds(v))
        satisfy += s->count[i];
      else
        violate += s->count[i];
    }
  for (size_t i = 0; i < shown.room; i++)
    if (shown.count[i])
      row[n++] = shown.values + i * (size_t)shown.width;
  sorting = t;
  qsort(row, n, sizeof *row, compare);
  if (!quiet) {
    for (size_t i = 0; i < strlen(t->path) + 16; i++)
      printf("%%");
    printf("\n%% Results for %s %%\n", t->path);
    for (size_t i = 0; i < strlen(t->path) + 16; i++)
      printf("%%");
    printf("\n%s\nRuns: %llu\n\n", t->source, satisfy + violate);
  }
  printf("Test %s %s\nHistogram (%zu states)\n", t->name, t->kind, n);
  for (size_t i = 0; i < n; i++) {
    size_t at = (size_t)(row[i] - shown.values) / (size_t)(shown.width ? shown.width : 1);
    printf("%-8llu%c>", shown.count[at], t->holds(row[i]) ? '*' : ':');
    print_state(t, row[i]);
  }
  int forbids = !strcmp(t->kind, "Forbidden");
  int ok = !strcmp(t->kind, "Required") ? violate == 0 : (satisfy > 0) != forbids;
  printf("%s\n\nWitnesses\nPositive: %llu, Negative: %llu\n", ok ? "Ok" : "No", forbids ? violate : satisfy,
         forbids ? satisfy : violate);
  printf("Condition %s is %s\n", t->condition, ok ? "validated" : "NOT validated");
  if (t->hash)
    printf("Hash=%s\n", t->hash);
#ifdef GPU
  if (t->kernel)
    printf("GPU=%s\n", gpu);
#endif
  printf("Observation %s %s %llu %llu\n", t->name, satisfy == 0 ? "Never" : violate == 0 ? "Always" : "Sometimes",
         satisfy, violate);
  printf("Time %s %.2f\n\n", t->name, time);
  fflush(stdout);
  free(row);
  free(shown.values);
  free(shown.count);
}

/* Returns memory at addresses that no small number of a test resembles. */
static char *allocate(size_t bytes, int low) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  for (uintptr_t hint = 0x10000000; hint < 0x70000000; hint += 0x4000000) {
    char *p = mmap((void *)hint, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (p == MAP_FAILED)
      break;
    uint32_t begin = (uint32_t)(uintptr_t)p;
    if (low ? (uintptr_t)p + bytes < 0x80000000u : begin >= 0x1000000 && begin + (uint64_t)bytes < 0xff000000u)
      return p;
    munmap(p, bytes);
  }
  return NULL;
}

static int run_test(const struct test *t) {
#ifdef GPU
  if (t->kernel)
    return run_on_gpu(t);
#endif
  size_t bytes = LINE;
  double begin = seconds(), until = begin + (double)limit;
  struct tally s = {.width = t->seen};
  struct worker *w = aligned_alloc(LINE, sizeof *w * (size_t)t->threads);
  pthread_t *id = get((size_t)t->threads, sizeof *id);
  int ok = 1;
  long ended = 0;
  current = t;
  for (int k = 0; k < t->objects; k++)
    bytes += (t->object[k].size + LINE - 1) / LINE * LINE * (size_t)size;
  shared.bytes = bytes;
  shared.memory = allocate(bytes, t->low);
  shared.at = get((size_t)(size * t->objects), sizeof *shared.at);
  if (!w || !shared.memory) {
    fprintf(stderr, "%s: no memory%s: use a smaller -s\n", t->name, t->low ? " below 2 GiB" : "");
    return 2;
  }
  shared.threads = t->threads;
  shared.waiting = shared.meetings = 0;
  shared.begun = 0;
  for (int i = 0; i < t->threads; i++) {
    w[i] = (struct worker){.test = t, .id = i, .random = next_random(&seed) | 1};
    w[i].out = get((size_t)(size * t->results[i]), sizeof *w[i].out);
    if (pthread_create(&id[i], NULL, work, &w[i])) {
      fprintf(stderr, "%s: cannot start a thread\n", t->name);
      exit(2);
    }
  }
  for (long run = 0; ok && run < runs && !interrupted && seconds() < until; run++) {
    prepare(t);
    shared.begun = run;
    shared.mode = run % 2 ? TIMED : POLL;
    if (t->threads > shared.processors) /* threads that take turns seldom meet, and waiting takes long */
      shared.mode = run % 4 ? FREE_RUN : POLL;
    if (synchronise >= 0)
      shared.mode = synchronise;
    ok = meet(until) && meet(until + 5);
    if (ok) {
      collect(t, w, &s);
      ended++;
    }
  }
  double time = seconds() - begin;
  if (ended)
    print_log(t, &s, time);
  if (!ok) { /* the threads cannot be stopped */
    fprintf(stderr, "%s: a thread does not end within %ld s%s\n", t->name, limit,
            ended ? "; the log has the runs before" : "");
    _exit(ended ? 3 : 6);
  }
  shared.begun = -1;
  meet(0);
  for (int i = 0; i < t->threads; i++) {
    pthread_join(id[i], NULL);
    free(w[i].out);
  }
  free(w);
  free(id);
  free(shared.at);
  free(s.values);
  free(s.count);
  munmap(shared.memory, bytes);
  return 0;
}

static void on_interrupt(int n) {
  (void)n;
  interrupted = 1;
}

static void on_fault(int n) {
  const char *what = n == SIGILL ? ": this processor lacks an instruction of the test\n" : ": a bad access to memory\n";
  static atomic_flag again = ATOMIC_FLAG_INIT;
  const struct test *t = current;
  if (atomic_flag_test_and_set(&again))
    for (;;) /* another thread reports it */
      pause_briefly();
  ssize_t done = t ? write(2, t->name, strlen(t->name)) : 0;
  done += write(2, what, strlen(what));
  _exit(done ? 4 : 5);
}

static void usage(const char *program) {
  printf("usage: %s [options]\n"
         "  -r N   runs (%ld)\n"
         "  -s N   cells in each run (%ld)\n"
         "  -st N  step from one cell to the next (%ld)\n"
         "  -b B   what the threads wait for before each cell: poll (a counter), time (a time), free (nothing);\n"
         "         without -b, poll and time take turns, or poll and free with more threads than processors\n"
         "  -na    leave the threads on any processor\n"
         "  -ns    leave the cells in order\n"
         "  -np    leave the caches as they are\n"
         "  -t N   seconds for each test (%ld)\n"
         "  -seed N\n"
         "  -from N  begin with test N\n"
         "  -q     print the log without the test's text\n"
         "  -l     list the tests\n",
         program, runs, size, stride, limit);
}

static int run_all(int argc, char **argv, const struct test *const *tests, int n) {
  int list = 0, bad = 0;
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  seed = (uint64_t)t.tv_nsec * 2654435761u + (uint64_t)t.tv_sec + (uint64_t)getpid();
  for (int i = 1; i < argc; i++) {
    const char *a = argv[i];
    long *number = !strcmp(a, "-r") ? &runs : !strcmp(a, "-s") ? &size : !strcmp(a, "-st") ? &stride
        : !strcmp(a, "-t") ? &limit : !strcmp(a, "-from") ? &from : NULL;
    if ((number || !strcmp(a, "-seed") || !strcmp(a, "-b")) && ++i == argc) {
      usage(argv[0]);
      return 2;
    }
    if (number)
      *number = atol(argv[i]);
    else if (!strcmp(a, "-seed"))
      seed = strtoull(argv[i], NULL, 10);
    else if (!strcmp(a, "-b"))
      synchronise = !strcmp(argv[i], "poll") ? POLL : !strcmp(argv[i], "time") ? TIMED : FREE_RUN;
    else if (!strcmp(a, "-na"))
      affinity = 0;
    else if (!strcmp(a, "-ns"))
      shuffle = 0;
    else if (!strcmp(a, "-np"))
      noise = 0;
    else if (!strcmp(a, "-q"))
      quiet = 1;
    else if (!strcmp(a, "-l"))
      list = 1;
    else {
      usage(argv[0]);
      return strcmp(a, "-h") ? 2 : 0;
    }
  }
  if (runs < 1 || size < 1 || stride < 1 || stride > size || limit < 1 || from < 0) {
    usage(argv[0]);
    return 2;
  }
  seed |= 1;
  shared.processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    shared.processors = CPU_COUNT(&allowed);
#endif
  if (shared.processors > MOST_THREADS)
    shared.processors = MOST_THREADS;
  double begin = seconds();
  uint64_t ticks = now();
  while (seconds() - begin < 0.002)
    ;
  shared.ticks = (uint64_t)((double)(now() - ticks) / (seconds() - begin) * 200e-9) + 1;
  signal(SIGINT, on_interrupt);
  signal(SIGILL, on_fault);
  signal(SIGSEGV, on_fault);
  signal(SIGBUS, on_fault);
  for (int i = (int)from; i < n && !interrupted; i++) {
    if (list)
      printf("%d %s\n", i, tests[i]->name);
    else if (run_test(tests[i]))
      bad = 1;
  }
  return bad;
}
