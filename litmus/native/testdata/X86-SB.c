
#if !(defined(__x86_64__))
#error "This file is for x86-64."
#endif

/* SB */
static __attribute__((noinline)) void P0(char *const *at, unsigned long *out) {
  register unsigned long rax __asm__("rax") = 0;
  __asm__ __volatile__(
    "movl $1,(%[x])\n\t"
    "movl (%[y]),%%eax\n"
    : "+&r"(rax)
    : [x] "r"((unsigned long)at[0]), [y] "r"((unsigned long)at[1])
    : "cc", "memory"
    );
  out[0] = rax; /* EAX */
}

static __attribute__((noinline)) void P1(char *const *at, unsigned long *out) {
  register unsigned long rax __asm__("rax") = 0;
  __asm__ __volatile__(
    "movl $1,(%[y])\n\t"
    "movl (%[x]),%%eax\n"
    : "+&r"(rax)
    : [y] "r"((unsigned long)at[1]), [x] "r"((unsigned long)at[0])
    : "cc", "memory"
    );
  out[0] = rax; /* EAX */
}

static const struct object object[] = {
  {"x", 4, 0x5d000000},
  {"y", 4, 0x5d010000},
};
static const struct initial initial[] = {{0, 0, 0, 0, 0}};
static const struct observed observed[] = {
  {"0:EAX", 0, 0, 0, 0, 32, 1},
  {"1:EAX", 0, 1, 0, 0, 32, 1},
};
static const struct address address[] = {
  {0x5d000000, "x"},
  {0x5d010000, "y"},
};
static int holds(const uint64_t *v) {
  return (v[0] == 0 && v[1] == 0);
}
static void (*const run[])(char *const *at, unsigned long *out) = {P0, P1};
static const int results[] = {1, 1};
static const struct test test = {
  .path = "SB.litmus", .name = "SB",
  .source =
    "X86 SB\n"
    "\"Each thread writes its flag, then reads the other: can both reads miss both writes\?\"\n"
    "{}\n"
    " P0          | P1          ;\n"
    " MOV [x],$1  | MOV [y],$1  ;\n"
    " MOV EAX,[y] | MOV EAX,[x] ;\n"
    "exists (0:EAX=0 /\\ 1:EAX=0)\n",
  .kind = "Allowed", .condition = "exists (0:EAX=0 /\\ 1:EAX=0)", .hash = 0,
  .threads = 2, .objects = 2, .initials = 0, .seen = 2, .shown = 2, .addresses = 2,
  .low = 0, .run = run, .results = results, .object = object, .initial = initial,
  .observed = observed, .address = address, .holds = holds, .accepts = 0,
};
