
#if !(defined(__riscv) && __riscv_xlen == 64)
#error "This file is for RISC-V (64 bits)."
#endif

/* MP+poprl+poaqp */
static __attribute__((noinline)) void P0(char *const *at, unsigned long *out) {
  register unsigned long x10 __asm__("x10") = (unsigned long)at[0];
  register unsigned long x11 __asm__("x11") = (unsigned long)at[1];
  register unsigned long x5 __asm__("x5") = 0;
  register unsigned long x6 __asm__("x6") = 0;
  __asm__ __volatile__(
    "li t0,1\n\t"
    "sw t0,0(a0)\n\t"
    "li t1,1\n\t"
    ".insn r 0x2f,2,0x1d,x0,a1,t1\n"
    : "+&r"(x10), "+&r"(x11), "+&r"(x5), "+&r"(x6)
    :
    : "memory"
    );
}

static __attribute__((noinline)) void P1(char *const *at, unsigned long *out) {
  register unsigned long x10 __asm__("x10") = (unsigned long)at[0];
  register unsigned long x11 __asm__("x11") = (unsigned long)at[1];
  register unsigned long x5 __asm__("x5") = 0;
  register unsigned long x6 __asm__("x6") = 0;
  __asm__ __volatile__(
    ".insn r 0x2f,2,0x1a,t0,a1,x0\n\t"
    "lw t1,0(a0)\n"
    : "+&r"(x10), "+&r"(x11), "+&r"(x5), "+&r"(x6)
    :
    : "memory"
    );
  out[0] = x5; /* x5 */
  out[1] = x6; /* x6 */
}

static const struct object object[] = {
  {"x", 4, 0x5d7a00000000},
  {"y", 4, 0x5d7a00400000},
};
static const struct initial initial[] = {{0, 0, 0, 0, 0}};
static const struct observed observed[] = {
  {"1:x5", 0, 1, 0, 0, 64, 1},
  {"1:x6", 0, 1, 1, 0, 64, 1},
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
  .path = "MP+poprl+poaqp.litmus", .name = "MP+poprl+poaqp",
  .source =
    "RISCV MP+poprl+poaqp\n"
    "\"The flag is written by a store-release and read by a load-acquire.\"\n"
    "{\n"
    " 0:a0=x; 0:a1=y;\n"
    " 1:a0=x; 1:a1=y;\n"
    "}\n"
    " P0             | P1             ;\n"
    " li t0,1        | lw.aq t0,0(a1) ;\n"
    " sw t0,0(a0)    | lw t1,0(a0)    ;\n"
    " li t1,1        |                ;\n"
    " sw.rl t1,0(a1) |                ;\n"
    "exists (1:t0=1 /\\ 1:t1=0)\n",
  .kind = "Allowed", .condition = "exists (1:t0=1 /\\ 1:t1=0)", .hash = 0,
  .threads = 2, .objects = 2, .initials = 0, .seen = 2, .shown = 2, .addresses = 2,
  .low = 0, .run = run, .results = results, .object = object, .initial = initial,
  .observed = observed, .address = address, .holds = holds, .accepts = 0,
};
