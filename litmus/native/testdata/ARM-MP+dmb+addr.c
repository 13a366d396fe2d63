
#if !(defined(__arm__) && !defined(__thumb__))
#error "This file is for Armv7 or Armv8 in 32-bit mode."
#endif

/* MP+dmb+addr */
static __attribute__((noinline)) void P0(char *const *at, unsigned long *out) {
  register unsigned long r4 __asm__("r4") = (unsigned long)at[0];
  register unsigned long r5 __asm__("r5") = (unsigned long)at[1];
  register unsigned long r0 __asm__("r0") = 0;
  register unsigned long r1 __asm__("r1") = 0;
  __asm__ __volatile__(
    "MOV R0,#1\n\t"
    "STR R0,[R4]\n\t"
    "DMB\n\t"
    "MOV R1,#1\n\t"
    "STR R1,[R5]\n"
    : "+&r"(r4), "+&r"(r5), "+&r"(r0), "+&r"(r1)
    :
    : "cc", "memory"
    );
}

static __attribute__((noinline)) void P1(char *const *at, unsigned long *out) {
  register unsigned long r4 __asm__("r4") = (unsigned long)at[0];
  register unsigned long r5 __asm__("r5") = (unsigned long)at[1];
  register unsigned long r0 __asm__("r0") = 0;
  register unsigned long r1 __asm__("r1") = 0;
  register unsigned long r2 __asm__("r2") = 0;
  __asm__ __volatile__(
    "LDR R0,[R5]\n\t"
    "EOR R1,R0,R0\n\t"
    "LDR R2,[R1,R4]\n"
    : "+&r"(r4), "+&r"(r5), "+&r"(r0), "+&r"(r1), "+&r"(r2)
    :
    : "cc", "memory"
    );
  out[0] = r0; /* R0 */
  out[1] = r2; /* R2 */
}

static const struct object object[] = {
  {"x", 4, 0x5d000000},
  {"y", 4, 0x5d010000},
};
static const struct initial initial[] = {{0, 0, 0, 0, 0}};
static const struct observed observed[] = {
  {"1:R0", 0, 1, 0, 0, 32, 1},
  {"1:R2", 0, 1, 1, 0, 32, 1},
};
static const struct address address[] = {
  {0x5d000000, "x"},
  {0x5d010000, "y"},
};
static int holds(const uint64_t *v) {
  return (v[0] == 1 && v[1] == 0);
}
static void (*const run[])(char *const *at, unsigned long *out) = {P0, P1};
static const int results[] = {1, 2};
static const struct test test = {
  .path = "MP+dmb+addr.litmus", .name = "MP+dmb+addr",
  .source =
    "ARM MP+dmb+addr\n"
    "\"DMB in the writer, an address dependency in the reader.\"\n"
    "{\n"
    " 0:R4=x; 0:R5=y;\n"
    " 1:R4=x; 1:R5=y;\n"
    "}\n"
    " P0          | P1             ;\n"
    " MOV R0,#1   | LDR R0,[R5]    ;\n"
    " STR R0,[R4] | EOR R1,R0,R0   ;\n"
    " DMB         | LDR R2,[R1,R4] ;\n"
    " MOV R1,#1   |                ;\n"
    " STR R1,[R5] |                ;\n"
    "exists (1:R0=1 /\\ 1:R2=0)\n",
  .kind = "Allowed", .condition = "exists (1:R0=1 /\\ 1:R2=0)", .hash = 0,
  .threads = 2, .objects = 2, .initials = 0, .seen = 2, .shown = 2, .addresses = 2,
  .low = 0, .run = run, .results = results, .object = object, .initial = initial,
  .observed = observed, .address = address, .holds = holds, .accepts = 0,
};
