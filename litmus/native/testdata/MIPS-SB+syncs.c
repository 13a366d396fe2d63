
#if !(defined(__mips64))
#error "This file is for MIPS (64 bits)."
#endif

/* SB+syncs */
static __attribute__((noinline)) void P0(char *const *at, unsigned long *out) {
  register unsigned long r4 __asm__("$4") = (unsigned long)at[0];
  register unsigned long r5 __asm__("$5") = (unsigned long)at[1];
  register unsigned long r2 __asm__("$2") = 0;
  register unsigned long r3 __asm__("$3") = 0;
  __asm__ __volatile__(
    "li $2,1\n\t"
    "sw $2,0($4)\n\t"
    "sync\n\t"
    "lw $3,0($5)\n"
    : "+&r"(r4), "+&r"(r5), "+&r"(r2), "+&r"(r3)
    :
    : "hi", "lo", "memory"
    );
  out[0] = r3; /* $3 */
}

static __attribute__((noinline)) void P1(char *const *at, unsigned long *out) {
  register unsigned long r4 __asm__("$4") = (unsigned long)at[0];
  register unsigned long r5 __asm__("$5") = (unsigned long)at[1];
  register unsigned long r2 __asm__("$2") = 0;
  register unsigned long r3 __asm__("$3") = 0;
  __asm__ __volatile__(
    "li $2,1\n\t"
    "sw $2,0($5)\n\t"
    "sync\n\t"
    "lw $3,0($4)\n"
    : "+&r"(r4), "+&r"(r5), "+&r"(r2), "+&r"(r3)
    :
    : "hi", "lo", "memory"
    );
  out[0] = r3; /* $3 */
}

static const struct object object[] = {
  {"x", 4, 0x5d000000},
  {"y", 4, 0x5d010000},
};
static const struct initial initial[] = {{0, 0, 0, 0, 0}};
static const struct observed observed[] = {
  {"0:$3", 0, 0, 0, 0, 64, 1},
  {"1:$3", 0, 1, 0, 0, 64, 1},
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
  .path = "SB+syncs.litmus", .name = "SB+syncs",
  .source =
    "MIPS SB+syncs\n"
    "\"Store buffering with SYNC in both threads.\"\n"
    "{\n"
    " 0:$4=x; 0:$5=y;\n"
    " 1:$4=x; 1:$5=y;\n"
    "}\n"
    " P0          | P1          ;\n"
    " li $2,1     | li $2,1     ;\n"
    " sw $2,0($4) | sw $2,0($5) ;\n"
    " sync        | sync        ;\n"
    " lw $3,0($5) | lw $3,0($4) ;\n"
    "exists (0:$3=0 /\\ 1:$3=0)\n",
  .kind = "Allowed", .condition = "exists (0:$3=0 /\\ 1:$3=0)", .hash = 0,
  .threads = 2, .objects = 2, .initials = 0, .seen = 2, .shown = 2, .addresses = 2,
  .low = 1, .run = run, .results = results, .object = object, .initial = initial,
  .observed = observed, .address = address, .holds = holds, .accepts = 0,
};
