
#if !(defined(__powerpc64__))
#error "This file is for Power (64 bits)."
#endif

/* MP+lwsync+addr */
static __attribute__((noinline)) void P0(char *const *at, unsigned long *out) {
  /* r1 is r30, r2 is r29 */
  register unsigned long r4 __asm__("r4") = (unsigned long)at[0];
  register unsigned long r5 __asm__("r5") = (unsigned long)at[1];
  register unsigned long r30 __asm__("r30") = 0;
  register unsigned long r29 __asm__("r29") = 0;
  __asm__ __volatile__(
    "li %%r30,1\n\t"
    "stw %%r30,0(%%r4)\n\t"
    "lwsync\n\t"
    "li %%r29,1\n\t"
    "stw %%r29,0(%%r5)\n"
    : "+&r"(r4), "+&r"(r5), "+&r"(r30), "+&r"(r29)
    :
    : "cr0", "cr1", "cr2", "cr3", "cr4", "cr5", "cr6", "cr7", "ctr", "lr", "xer", "memory"
    );
}

static __attribute__((noinline)) void P1(char *const *at, unsigned long *out) {
  /* r1 is r30, r2 is r29 */
  register unsigned long r4 __asm__("r4") = (unsigned long)at[0];
  register unsigned long r5 __asm__("r5") = (unsigned long)at[1];
  register unsigned long r30 __asm__("r30") = 0;
  register unsigned long r29 __asm__("r29") = 0;
  register unsigned long r3 __asm__("r3") = 0;
  __asm__ __volatile__(
    "lwz %%r30,0(%%r5)\n\t"
    "xor %%r29,%%r30,%%r30\n\t"
    "lwzx %%r3,%%r29,%%r4\n"
    : "+&r"(r4), "+&r"(r5), "+&r"(r30), "+&r"(r29), "+&r"(r3)
    :
    : "cr0", "cr1", "cr2", "cr3", "cr4", "cr5", "cr6", "cr7", "ctr", "lr", "xer", "memory"
    );
  out[0] = r30; /* r1 */
  out[1] = r3; /* r3 */
}

static const struct object object[] = {
  {"x", 4, 0x5d7a00000000},
  {"y", 4, 0x5d7a00400000},
};
static const struct initial initial[] = {{0, 0, 0, 0, 0}};
static const struct observed observed[] = {
  {"1:r1", 0, 1, 0, 0, 32, 1},
  {"1:r3", 0, 1, 1, 0, 32, 1},
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
  .path = "MP+lwsync+addr.litmus", .name = "MP+lwsync+addr",
  .source =
    "PPC MP+lwsync+addr\n"
    "\"The cheapest sound message passing: lwsync in the writer, an address dependency in the reader.\"\n"
    "{\n"
    " 0:r4=x; 0:r5=y;\n"
    " 1:r4=x; 1:r5=y;\n"
    "}\n"
    " P0           | P1            ;\n"
    " li r1,1      | lwz r1,0(r5)  ;\n"
    " stw r1,0(r4) | xor r2,r1,r1  ;\n"
    " lwsync       | lwzx r3,r2,r4 ;\n"
    " li r2,1      |               ;\n"
    " stw r2,0(r5) |               ;\n"
    "exists (1:r1=1 /\\ 1:r3=0)\n",
  .kind = "Allowed", .condition = "exists (1:r1=1 /\\ 1:r3=0)", .hash = 0,
  .threads = 2, .objects = 2, .initials = 0, .seen = 2, .shown = 2, .addresses = 2,
  .low = 0, .run = run, .results = results, .object = object, .initial = initial,
  .observed = observed, .address = address, .holds = holds, .accepts = 0,
};
