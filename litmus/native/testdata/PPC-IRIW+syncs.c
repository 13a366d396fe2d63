
#if !(defined(__powerpc64__))
#error "This file is for Power (64 bits)."
#endif

/* IRIW+syncs */
static __attribute__((noinline)) void P0(char *const *at, unsigned long *out) {
  /* r1 is r30 */
  register unsigned long r4 __asm__("r4") = (unsigned long)at[0];
  register unsigned long r30 __asm__("r30") = 0;
  __asm__ __volatile__(
    "li %%r30,1\n\t"
    "stw %%r30,0(%%r4)\n"
    : "+&r"(r4), "+&r"(r30)
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
  __asm__ __volatile__(
    "lwz %%r30,0(%%r4)\n\t"
    "sync\n\t"
    "lwz %%r29,0(%%r5)\n"
    : "+&r"(r4), "+&r"(r5), "+&r"(r30), "+&r"(r29)
    :
    : "cr0", "cr1", "cr2", "cr3", "cr4", "cr5", "cr6", "cr7", "ctr", "lr", "xer", "memory"
    );
  out[0] = r30; /* r1 */
  out[1] = r29; /* r2 */
}

static __attribute__((noinline)) void P2(char *const *at, unsigned long *out) {
  /* r1 is r30 */
  register unsigned long r5 __asm__("r5") = (unsigned long)at[1];
  register unsigned long r30 __asm__("r30") = 0;
  __asm__ __volatile__(
    "li %%r30,1\n\t"
    "stw %%r30,0(%%r5)\n"
    : "+&r"(r5), "+&r"(r30)
    :
    : "cr0", "cr1", "cr2", "cr3", "cr4", "cr5", "cr6", "cr7", "ctr", "lr", "xer", "memory"
    );
}

static __attribute__((noinline)) void P3(char *const *at, unsigned long *out) {
  /* r1 is r30, r2 is r29 */
  register unsigned long r4 __asm__("r4") = (unsigned long)at[0];
  register unsigned long r5 __asm__("r5") = (unsigned long)at[1];
  register unsigned long r30 __asm__("r30") = 0;
  register unsigned long r29 __asm__("r29") = 0;
  __asm__ __volatile__(
    "lwz %%r30,0(%%r5)\n\t"
    "sync\n\t"
    "lwz %%r29,0(%%r4)\n"
    : "+&r"(r4), "+&r"(r5), "+&r"(r30), "+&r"(r29)
    :
    : "cr0", "cr1", "cr2", "cr3", "cr4", "cr5", "cr6", "cr7", "ctr", "lr", "xer", "memory"
    );
  out[0] = r30; /* r1 */
  out[1] = r29; /* r2 */
}

static const struct object object[] = {
  {"x", 4, 0x5d7a00000000},
  {"y", 4, 0x5d7a00400000},
};
static const struct initial initial[] = {{0, 0, 0, 0, 0}};
static const struct observed observed[] = {
  {"1:r1", 0, 1, 0, 0, 32, 1},
  {"1:r2", 0, 1, 1, 0, 32, 1},
  {"3:r1", 0, 3, 0, 0, 32, 1},
  {"3:r2", 0, 3, 1, 0, 32, 1},
};
static const struct address address[] = {
  {0x5d7a00000000, "x"},
  {0x5d7a00400000, "y"},
};
static int holds(const uint64_t *v) {
  return (v[0] == 1 && v[1] == 0 && v[2] == 1 && v[3] == 0);
}
static void (*const run[])(char *const *at, unsigned long *out) = {P0, P1, P2, P3};
static const int results[] = {1, 2, 1, 2};
static const struct test test = {
  .path = "IRIW+syncs.litmus", .name = "IRIW+syncs",
  .source =
    "PPC IRIW+syncs\n"
    "\"sync makes the readers agree.\"\n"
    "{\n"
    " 0:r4=x;\n"
    " 1:r4=x; 1:r5=y;\n"
    " 2:r5=y;\n"
    " 3:r4=x; 3:r5=y;\n"
    "}\n"
    " P0           | P1           | P2           | P3           ;\n"
    " li r1,1      | lwz r1,0(r4) | li r1,1      | lwz r1,0(r5) ;\n"
    " stw r1,0(r4) | sync         | stw r1,0(r5) | sync         ;\n"
    "              | lwz r2,0(r5) |              | lwz r2,0(r4) ;\n"
    "exists (1:r1=1 /\\ 1:r2=0 /\\ 3:r1=1 /\\ 3:r2=0)\n",
  .kind = "Allowed", .condition = "exists (1:r1=1 /\\ 1:r2=0 /\\ 3:r1=1 /\\ 3:r2=0)", .hash = 0,
  .threads = 4, .objects = 2, .initials = 0, .seen = 4, .shown = 4, .addresses = 2,
  .low = 0, .run = run, .results = results, .object = object, .initial = initial,
  .observed = observed, .address = address, .holds = holds, .accepts = 0,
};
