
#if !(defined(__x86_64__))
#error "This file is for x86-64."
#endif

/* MP+mfence+po */
static __attribute__((noinline)) void P0(char *const *at, unsigned long *out) {
  __asm__ __volatile__(
    "movl $1,(%[x])\n\t"
    "mfence\n\t"
    "movl $1,(%[y])\n"
    :
    : [x] "r"((unsigned long)at[0]), [y] "r"((unsigned long)at[1])
    : "cc", "memory"
    );
}

static __attribute__((noinline)) void P1(char *const *at, unsigned long *out) {
  register unsigned long rax __asm__("rax") = 0;
  register unsigned long rbx __asm__("rbx") = 0;
  __asm__ __volatile__(
    "movl (%[y]),%%eax\n\t"
    "movl (%[x]),%%ebx\n"
    : "+&r"(rax), "+&r"(rbx)
    : [y] "r"((unsigned long)at[1]), [x] "r"((unsigned long)at[0])
    : "cc", "memory"
    );
  out[0] = rax; /* RAX */
  out[1] = rbx; /* RBX */
}

static const struct object object[] = {
  {"x", 4, 0x5d7a00000000},
  {"y", 4, 0x5d7a00400000},
};
static const struct initial initial[] = {{0, 0, 0, 0, 0}};
static const struct observed observed[] = {
  {"1:rax", 0, 1, 0, 0, 64, 1},
  {"1:rbx", 0, 1, 1, 0, 64, 1},
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
  .path = "MP+mfence+po.litmus", .name = "MP+mfence+po",
  .source =
    "X86_64 MP+mfence+po\n"
    "\"MP with MFENCE in P0 and nothing in P1.\"\n"
    "{}\n"
    " P0          | P1            ;\n"
    " movl $1,(x) | movl (y),%eax ;\n"
    " mfence      | movl (x),%ebx ;\n"
    " movl $1,(y) |               ;\n"
    "exists (1:rax=1 /\\ 1:rbx=0)\n",
  .kind = "Allowed", .condition = "exists (1:rax=1 /\\ 1:rbx=0)", .hash = 0,
  .threads = 2, .objects = 2, .initials = 0, .seen = 2, .shown = 2, .addresses = 2,
  .low = 0, .run = run, .results = results, .object = object, .initial = initial,
  .observed = observed, .address = address, .holds = holds, .accepts = 0,
};
