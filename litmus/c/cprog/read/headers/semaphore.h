#ifndef __litmus_semaphore_h
#define __litmus_semaphore_h
#include <time.h>
typedef struct { unsigned __value; } sem_t;
#define SEM_VALUE_MAX 2147483647
int sem_init(sem_t *, int, unsigned);
int sem_destroy(sem_t *);
int sem_wait(sem_t *);
int sem_trywait(sem_t *);
int sem_timedwait(sem_t *, const struct timespec *);
int sem_clockwait(sem_t *, clockid_t, const struct timespec *);
int sem_post(sem_t *);
int sem_getvalue(sem_t *, int *);
#endif
