
#include <dlfcn.h>
#include <stddef.h>

/* Runs a kernel on the first NVIDIA GPU, by the CUDA driver, which is loaded here. */
static struct driver {
  int (*init)(unsigned);
  int (*device)(int *, int);
  int (*name)(char *, int, int);
  int (*retain)(void **, int);
  int (*use)(void *);
  int (*load)(void **, const void *, unsigned, int *, void **);
  int (*unload)(void *);
  int (*function)(void **, void *, const char *);
  int (*allocate)(unsigned long long *, size_t);
  int (*release)(unsigned long long);
  int (*to_gpu)(unsigned long long, const void *, size_t);
  int (*from_gpu)(void *, unsigned long long, size_t);
  int (*clear)(unsigned long long, unsigned char, size_t);
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
  int (*running)(void *);
  int (*error)(int, const char **);
} driver;

enum { CUDA_NOT_READY = 600, ERROR_LOG = 5, ERROR_LOG_SIZE = 6 };

/* Ends the program with a message: no other test can run either. */
static void no_gpu(const char *name, const char *why) {
  fprintf(stderr, "%s: no NVIDIA GPU: %s\n", name, why);
  exit(7);
}

/* Ends the program if a call of the driver has failed. */
static void must(const char *name, const char *what, int status) {
  const char *text = NULL;
  if (!status)
    return;
  if (driver.error)
    driver.error(status, &text);
  fprintf(stderr, "%s: %s: CUDA error %d%s%s\n", name, what, status, text ? ", " : "", text ? text : "");
  exit(7);
}

static void start_driver(const char *name) {
  static const struct {
    const char *name;
    size_t at;
  } entry[] = {
      {"cuInit", offsetof(struct driver, init)},
      {"cuDeviceGet", offsetof(struct driver, device)},
      {"cuDeviceGetName", offsetof(struct driver, name)},
      {"cuDevicePrimaryCtxRetain", offsetof(struct driver, retain)},
      {"cuCtxSetCurrent", offsetof(struct driver, use)},
      {"cuModuleLoadDataEx", offsetof(struct driver, load)},
      {"cuModuleUnload", offsetof(struct driver, unload)},
      {"cuModuleGetFunction", offsetof(struct driver, function)},
      {"cuMemAlloc_v2", offsetof(struct driver, allocate)},
      {"cuMemFree_v2", offsetof(struct driver, release)},
      {"cuMemcpyHtoD_v2", offsetof(struct driver, to_gpu)},
      {"cuMemcpyDtoH_v2", offsetof(struct driver, from_gpu)},
      {"cuMemsetD8_v2", offsetof(struct driver, clear)},
      {"cuLaunchKernel", offsetof(struct driver, launch)},
      {"cuStreamQuery", offsetof(struct driver, running)},
      {"cuGetErrorString", offsetof(struct driver, error)},
  };
  void *library = dlopen("libcuda.so.1", RTLD_NOW), *context;
  int device;
  if (gpu[0])
    return;
  if (!library)
    no_gpu(name, "the driver's library libcuda.so.1 is not installed");
  for (size_t i = 0; i < sizeof entry / sizeof *entry; i++) {
    void *f = dlsym(library, entry[i].name);
    if (!f) {
      fprintf(stderr, "%s: the CUDA driver has no %s\n", name, entry[i].name);
      exit(7);
    }
    memcpy((char *)&driver + entry[i].at, &f, sizeof f);
  }
  if (driver.init(0) || driver.device(&device, 0))
    no_gpu(name, "the driver finds none");
  must(name, "the GPU's name", driver.name(gpu, sizeof gpu, device));
  must(name, "the GPU's context", driver.retain(&context, device));
  must(name, "the GPU's context", driver.use(context));
}

/* A test on the GPU, with the same cells, initial values and outcomes as one on the processor. */
static int run_on_gpu(const struct test *t) {
  static char messages[8192];
  int options[] = {ERROR_LOG, ERROR_LOG_SIZE}, results = 0;
  void *values[] = {messages, (void *)(size_t)(sizeof messages - 1)}, *module, *kernel;
  unsigned long long memory, addresses, out, meetings;
  struct tally s = {.width = t->seen};
  struct worker *w = aligned_alloc(LINE, sizeof *w * (size_t)t->threads);
  size_t bytes = LINE, rows = (size_t)size * (size_t)(t->objects ? t->objects : 1);
  double begin, until;
  long ended = 0;
  start_driver(t->name);
  current = t;
  begin = seconds();
  until = begin + (double)limit;
  for (int k = 0; k < t->objects; k++)
    bytes += (t->object[k].size + LINE - 1) / LINE * LINE * (size_t)size;
  for (int i = 0; i < t->threads; i++) {
    w[i] = (struct worker){.test = t, .id = i};
    w[i].out = get((size_t)(size * t->results[i]), sizeof *w[i].out);
    results += t->results[i];
  }
  shared.bytes = bytes;
  shared.memory = get(bytes, 1);
  shared.at = get(rows, sizeof *shared.at);
  unsigned long long *row = get(rows, sizeof *row);
  uint32_t *seen = get((size_t)size * (size_t)results, sizeof *seen);
  int status = driver.load(&module, t->kernel->text, 2, options, values);
  if (status) {
    fprintf(stderr, "%s: the CUDA driver rejects the kernel: %s\n", t->name, strtok(messages, "\n"));
    exit(7);
  }
  must(t->name, "the kernel", driver.function(&kernel, module, "litmus"));
  must(t->name, "memory", driver.allocate(&memory, bytes));
  must(t->name, "memory", driver.allocate(&addresses, rows * sizeof *row));
  must(t->name, "memory", driver.allocate(&out, (size_t)size * (size_t)results * sizeof *seen));
  must(t->name, "memory", driver.allocate(&meetings, (size_t)size * sizeof *seen));
  for (long run = 0; run < runs && !interrupted && seconds() < until; run++) {
    int cells = (int)size, mode = synchronise >= 0 ? synchronise : run % 2 ? FREE_RUN : POLL;
    int patience = mode == FREE_RUN ? 0 : 1 << (6 + next_random(&seed) % 6);
    int lanes = t->kernel->lanes, grid = (cells + lanes - 1) / lanes * t->kernel->ctas;
    void *arguments[] = {&addresses, &out, &meetings, &cells, &patience};
    prepare(t);
    for (size_t i = 0; i < rows && t->objects; i++)
      row[i] = memory + (unsigned long long)(shared.at[i] - shared.memory);
    must(t->name, "copying", driver.to_gpu(memory, shared.memory, bytes));
    must(t->name, "copying", driver.to_gpu(addresses, row, rows * sizeof *row));
    must(t->name, "clearing", driver.clear(out, 0, (size_t)size * (size_t)results * sizeof *seen));
    must(t->name, "clearing", driver.clear(meetings, 0, (size_t)size * sizeof *seen));
    must(t->name, "starting", driver.launch(kernel, (unsigned)grid, 1, 1, (unsigned)(32 * t->kernel->warps), 1, 1, 0,
                                            NULL, arguments, NULL));
    while ((status = driver.running(NULL)) == CUDA_NOT_READY)
      if (seconds() > until + 5) {
        if (ended)
          print_log(t, &s, seconds() - begin);
        fprintf(stderr, "%s: a thread does not end within %ld s%s\n", t->name, limit,
                ended ? "; the log has the runs before" : "");
        _exit(ended ? 3 : 6);
      }
    must(t->name, "the kernel", status);
    must(t->name, "copying", driver.from_gpu(shared.memory, memory, bytes));
    must(t->name, "copying", driver.from_gpu(seen, out, (size_t)size * (size_t)results * sizeof *seen));
    size_t from = 0;
    for (int i = 0; i < t->threads; i++)
      for (size_t n = 0; n < (size_t)(size * t->results[i]); n++)
        w[i].out[n] = seen[from++];
    collect(t, w, &s);
    ended++;
  }
  print_log(t, &s, seconds() - begin);
  driver.release(memory);
  driver.release(addresses);
  driver.release(out);
  driver.release(meetings);
  driver.unload(module);
  for (int i = 0; i < t->threads; i++)
    free(w[i].out);
  free(w);
  free(row);
  free(seen);
  free(shared.memory);
  free(shared.at);
  free(s.values);
  free(s.count);
  return 0;
}
