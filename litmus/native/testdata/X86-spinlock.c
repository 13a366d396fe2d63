
#if !(defined(__x86_64__))
#error "This file is for x86-64."
#endif

/* spinlock */
static __attribute__((noinline)) void P0(char *const *at, unsigned long *out) {
  register unsigned long rax __asm__("rax") = 0;
  register unsigned long rbx __asm__("rbx") = 0;
  __asm__ __volatile__(
    "LL0_%=:\n\t"
    "movl $1,%%eax\n\t"
    "xchgl %%eax,(%[l])\n\t"
    "cmpl $0,%%eax\n\t"
    "jne LL0_%=\n\t"
    "movl (%[c]),%%ebx\n\t"
    "incl %%ebx\n\t"
    "movl %%ebx,(%[c])\n\t"
    "movl $0,(%[l])\n"
    : "+&r"(rax), "+&r"(rbx)
    : [l] "r"((unsigned long)at[0]), [c] "r"((unsigned long)at[1])
    : "cc", "memory"
    );
}

static __attribute__((noinline)) void P1(char *const *at, unsigned long *out) {
  register unsigned long rax __asm__("rax") = 0;
  register unsigned long rbx __asm__("rbx") = 0;
  __asm__ __volatile__(
    "LL1_%=:\n\t"
    "movl $1,%%eax\n\t"
    "xchgl %%eax,(%[l])\n\t"
    "cmpl $0,%%eax\n\t"
    "jne LL1_%=\n\t"
    "movl (%[c]),%%ebx\n\t"
    "incl %%ebx\n\t"
    "movl %%ebx,(%[c])\n\t"
    "movl $0,(%[l])\n"
    : "+&r"(rax), "+&r"(rbx)
    : [l] "r"((unsigned long)at[0]), [c] "r"((unsigned long)at[1])
    : "cc", "memory"
    );
}

static const struct object object[] = {
  {"l", 4, 0x5d000000},
  {"c", 4, 0x5d010000},
};
static const struct initial initial[] = {{0, 0, 0, 0, 0}};
static const struct observed observed[] = {
  {"[c]", 0, -1, 1, 0, 32, 1},
};
static const struct address address[] = {
  {0x5d000000, "l"},
  {0x5d010000, "c"},
};
static int holds(const uint64_t *v) {
  return v[0] == 1;
}
static void (*const run[])(char *const *at, unsigned long *out) = {P0, P1};
static const int results[] = {1, 1};
static const struct test test = {
  .path = "spinlock.litmus", .name = "spinlock",
  .source =
    "X86 spinlock\n"
    "\"A spin lock around a plain increment: no increment gets lost while the release stays after the write.\"\n"
    "{}\n"
    " P0             | P1             ;\n"
    " L0: MOV EAX,$1 | L1: MOV EAX,$1 ;\n"
    " XCHG [l],EAX   | XCHG [l],EAX   ;\n"
    " CMP EAX,$0     | CMP EAX,$0     ;\n"
    " JNE L0         | JNE L1         ;\n"
    " MOV EBX,[c]    | MOV EBX,[c]    ;\n"
    " INC EBX        | INC EBX        ;\n"
    " MOV [c],EBX    | MOV [c],EBX    ;\n"
    " MOV [l],$0     | MOV [l],$0     ;\n"
    "exists (c=1)\n",
  .kind = "Allowed", .condition = "exists (c=1)", .hash = 0,
  .threads = 2, .objects = 2, .initials = 0, .seen = 1, .shown = 1, .addresses = 2,
  .low = 0, .run = run, .results = results, .object = object, .initial = initial,
  .observed = observed, .address = address, .holds = holds, .accepts = 0,
};
