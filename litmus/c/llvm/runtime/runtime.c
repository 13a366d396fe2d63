/* Functions of the C++ runtime, in C. Each part is compiled if the module declares one of its functions. */
#if defined(NEED_pthread_join)
int shim_pthread_join(pthread_t t, void **result) { return result ? pthread_join(t, result) : pthread_join(t, 0); }
#endif
#if defined(NEED__Znwm)
void *shim__Znwm(size_t n) { return malloc(n); }
#endif
#if defined(NEED__Znam)
void *shim__Znam(size_t n) { return malloc(n); }
#endif
#if defined(NEED__ZdlPv)
void shim__ZdlPv(void *p) { free(p); }
#endif
#if defined(NEED__ZdlPvm)
void shim__ZdlPvm(void *p, size_t n) { free(p); }
#endif
#if defined(NEED__ZdaPv)
void shim__ZdaPv(void *p) { free(p); }
#endif

