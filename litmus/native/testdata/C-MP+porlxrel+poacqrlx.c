
/* MP+porlxrel+poacqrlx */
static __attribute__((noinline)) void P0(char *const *at__, unsigned long *out__) {
  atomic_int *x = (void *)at__[0];
  atomic_int *y = (void *)at__[1];
  atomic_store_explicit(x, 1, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_release);
}

static __attribute__((noinline)) void P1(char *const *at__, unsigned long *out__) {
  atomic_int *y = (void *)at__[1];
  atomic_int *x = (void *)at__[0];
  int r0 = 0;
  int r1 = 0;
  r0 = atomic_load_explicit(y, memory_order_acquire);
  r1 = atomic_load_explicit(x, memory_order_relaxed);
  out__[0] = (unsigned long)r0;
  out__[1] = (unsigned long)r1;
}

static const struct object object[] = {
  {"x", 8, 0x5d7a00000000},
  {"y", 8, 0x5d7a00400000},
};
static const struct initial initial[] = {{0, 0, 0, 0, 0}};
static const struct observed observed[] = {
  {"1:r0", 0, 1, 0, 0, 64, 1},
  {"1:r1", 0, 1, 1, 0, 64, 1},
};
static const struct address address[] = {
  {0x5d7a00000000, "x"},
  {0x5d7a00400000, "y"},
};
static int holds(const uint64_t *v) {
  return (v[0] == 1 && v[1] == 0);
}
static void (*const run[])(char *const *at, unsigned long *out) = {P0, P1};
static const int results[] = {1, 2};
static const struct test test = {
  .path = "MP+porlxrel+poacqrlx.litmus", .name = "MP+porlxrel+poacqrlx",
  .source =
    "C MP+porlxrel+poacqrlx\n"
    "\"A release that an acquire reads from: accesses before the release happen before accesses after the acquire.\"\n"
    "{}\n"
    "\n"
    "P0(atomic_int *x, atomic_int *y)\n"
    "{\n"
    "    atomic_store_explicit(x, 1, memory_order_relaxed);\n"
    "    atomic_store_explicit(y, 1, memory_order_release);\n"
    "}\n"
    "\n"
    "P1(atomic_int *y, atomic_int *x)\n"
    "{\n"
    "    int r0 = atomic_load_explicit(y, memory_order_acquire);\n"
    "    int r1 = atomic_load_explicit(x, memory_order_relaxed);\n"
    "}\n"
    "\n"
    "exists (1:r0=1 /\\ 1:r1=0)\n",
  .kind = "Allowed", .condition = "exists (1:r0=1 /\\ 1:r1=0)", .hash = 0,
  .threads = 2, .objects = 2, .initials = 0, .seen = 2, .shown = 2, .addresses = 2,
  .low = 0, .run = run, .results = results, .object = object, .initial = initial,
  .observed = observed, .address = address, .holds = holds, .accepts = 0,
};
