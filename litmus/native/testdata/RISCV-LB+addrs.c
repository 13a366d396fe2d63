
#if !(defined(__riscv) && __riscv_xlen == 64)
#error "This file is for RISC-V (64 bits)."
#endif

/* LB+addrs */
static __attribute__((noinline)) void P0(char *const *at, unsigned long *out) {
  register unsigned long x10 __asm__("x10") = (unsigned long)at[0];
  register unsigned long x11 __asm__("x11") = (unsigned long)at[1];
  register unsigned long x5 __asm__("x5") = 0;
  register unsigned long x6 __asm__("x6") = 0;
  register unsigned long x7 __asm__("x7") = 0;
  __asm__ __volatile__(
    ".option arch, +zba, +zbb, +zbs\n\t"
    "lw t0,0(a0)\n\t"
    "xor t1,t0,t0\n\t"
    "add t1,a1,t1\n\t"
    "li t2,1\n\t"
    "sw t2,0(t1)\n"
    : "+&r"(x10), "+&r"(x11), "+&r"(x5), "+&r"(x6), "+&r"(x7)
    :
    : "memory"
    );
  out[0] = x5; /* x5 */
}

static __attribute__((noinline)) void P1(char *const *at, unsigned long *out) {
  register unsigned long x10 __asm__("x10") = (unsigned long)at[0];
  register unsigned long x11 __asm__("x11") = (unsigned long)at[1];
  register unsigned long x5 __asm__("x5") = 0;
  register unsigned long x6 __asm__("x6") = 0;
  register unsigned long x7 __asm__("x7") = 0;
  __asm__ __volatile__(
    ".option arch, +zba, +zbb, +zbs\n\t"
    "lw t0,0(a1)\n\t"
    "xor t1,t0,t0\n\t"
    "add t1,a0,t1\n\t"
    "li t2,1\n\t"
    "sw t2,0(t1)\n"
    : "+&r"(x10), "+&r"(x11), "+&r"(x5), "+&r"(x6), "+&r"(x7)
    :
    : "memory"
    );
  out[0] = x5; /* x5 */
}

static const struct object object[] = {
  {"x", 4, 0x5d7a00000000},
  {"y", 4, 0x5d7a00400000},
};
static const struct initial initial[] = {{0, 0, 0, 0, 0}};
static const struct observed observed[] = {
  {"0:x5", 0, 0, 0, 0, 64, 1},
  {"1:x5", 0, 1, 0, 0, 64, 1},
};
static const struct address address[] = {
  {0x5d7a00000000, "x"},
  {0x5d7a00400000, "y"},
};
static int holds(const uint64_t *v) {
  return (v[0] == 1 && v[1] == 1);
}
static void (*const run[])(char *const *at, unsigned long *out) = {P0, P1};
static const int results[] = {1, 1};
static const struct test test = {
  .path = "LB+addrs.litmus", .name = "LB+addrs",
  .source =
    "RISCV LB+addrs\n"
    "\"Address dependencies in both threads: a write waits until its address is known.\"\n"
    "{\n"
    " 0:a0=x; 0:a1=y;\n"
    " 1:a0=x; 1:a1=y;\n"
    "}\n"
    " P0           | P1           ;\n"
    " lw t0,0(a0)  | lw t0,0(a1)  ;\n"
    " xor t1,t0,t0 | xor t1,t0,t0 ;\n"
    " add t1,a1,t1 | add t1,a0,t1 ;\n"
    " li t2,1      | li t2,1      ;\n"
    " sw t2,0(t1)  | sw t2,0(t1)  ;\n"
    "exists (0:t0=1 /\\ 1:t0=1)\n",
  .kind = "Allowed", .condition = "exists (0:t0=1 /\\ 1:t0=1)", .hash = 0,
  .threads = 2, .objects = 2, .initials = 0, .seen = 2, .shown = 2, .addresses = 2,
  .low = 0, .run = run, .results = results, .object = object, .initial = initial,
  .observed = observed, .address = address, .holds = holds, .accepts = 0,
};
