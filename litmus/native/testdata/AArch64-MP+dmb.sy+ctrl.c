
#if !(defined(__aarch64__))
#error "This file is for AArch64."
#endif

/* MP+dmb.sy+ctrl */
static __attribute__((noinline)) void P0(char *const *at, unsigned long *out) {
  register unsigned long x10 __asm__("x10") = (unsigned long)at[0];
  register unsigned long x11 __asm__("x11") = (unsigned long)at[1];
  register unsigned long x0 __asm__("x0") = 0;
  register unsigned long x1 __asm__("x1") = 0;
  __asm__ __volatile__(
    "MOV W0,#1\n\t"
    "STR W0,[X10]\n\t"
    "DMB SY\n\t"
    "MOV W1,#1\n\t"
    "STR W1,[X11]\n"
    : "+&r"(x10), "+&r"(x11), "+&r"(x0), "+&r"(x1)
    :
    : "cc", "memory"
    );
}

static __attribute__((noinline)) void P1(char *const *at, unsigned long *out) {
  register unsigned long x10 __asm__("x10") = (unsigned long)at[0];
  register unsigned long x11 __asm__("x11") = (unsigned long)at[1];
  register unsigned long x0 __asm__("x0") = 0;
  register unsigned long x1 __asm__("x1") = 0;
  __asm__ __volatile__(
    "LDR W0,[X11]\n\t"
    "CBNZ W0,LLC01_%=\n"
    "LLC01_%=:\n\t"
    "LDR W1,[X10]\n"
    : "+&r"(x10), "+&r"(x11), "+&r"(x0), "+&r"(x1)
    :
    : "cc", "memory"
    );
  out[0] = x0; /* X0 */
  out[1] = x1; /* X1 */
}

static const struct object object[] = {
  {"x", 4, 0x5d7a00000000},
  {"y", 4, 0x5d7a00400000},
};
static const struct initial initial[] = {{0, 0, 0, 0, 0}};
static const struct observed observed[] = {
  {"1:X0", 0, 1, 0, 0, 32, 1},
  {"1:X1", 0, 1, 1, 0, 32, 1},
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
  .path = "MP+dmb.sy+ctrl.litmus", .name = "MP+dmb.sy+ctrl",
  .source =
    "AArch64 MP+dmb.sy+ctrl\n"
    "\"A branch does not delay a later read, which may be executed speculatively.\"\n"
    "{\n"
    " 0:X10=x; 0:X11=y;\n"
    " 1:X10=x; 1:X11=y;\n"
    "}\n"
    " P0           | P1                 ;\n"
    " MOV W0,#1    | LDR W0,[X11]       ;\n"
    " STR W0,[X10] | CBNZ W0,LC01       ;\n"
    " DMB SY       | LC01: LDR W1,[X10] ;\n"
    " MOV W1,#1    |                    ;\n"
    " STR W1,[X11] |                    ;\n"
    "exists (1:X0=1 /\\ 1:X1=0)\n",
  .kind = "Allowed", .condition = "exists (1:X0=1 /\\ 1:X1=0)", .hash = 0,
  .threads = 2, .objects = 2, .initials = 0, .seen = 2, .shown = 2, .addresses = 2,
  .low = 0, .run = run, .results = results, .object = object, .initial = initial,
  .observed = observed, .address = address, .holds = holds, .accepts = 0,
};
