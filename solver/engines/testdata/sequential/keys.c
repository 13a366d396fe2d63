#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>
static pthread_key_t key, other, forgotten;
static tss_t again;
static int freed, order[2], ended, rounds, never;
static void owned(void *p)
{
	assert(!pthread_getspecific(key));
	freed += *(int *)p;
	free(p);
	order[ended++] = 1;
}
static void another(void *p) { order[ended++] = *(int *)p; }
static void repeats(void *p)
{
	rounds++;
	tss_set(again, p);
}
static void wrong(void *p) { never = 1; }
static void *thread(void *argument)
{
	int *p = malloc(sizeof *p), two = 2;
	*p = (int)(long)argument;
	assert(!pthread_getspecific(key));
	pthread_setspecific(key, p);
	assert(pthread_getspecific(key) == p);
	pthread_setspecific(other, &freed);
	pthread_setspecific(other, 0);
	pthread_setspecific(forgotten, &two);
	if (*p == 2)
		pthread_exit(0);
	return 0;
}
static int repeating(void *argument)
{
	tss_set(again, argument);
	return 5;
}
int main(void)
{
	int result;
	assert(!pthread_key_create(&key, owned) && !pthread_key_create(&other, another) && tss_create(&again, repeats) == thrd_success);
	assert(!pthread_key_create(&forgotten, wrong) && !pthread_key_delete(forgotten));
	pthread_t t;
	pthread_create(&t, 0, thread, (void *)1);
	pthread_join(t, 0);
	assert(freed == 1 && ended == 1);
	ended = 0;
	pthread_create(&t, 0, thread, (void *)2);
	pthread_join(t, 0);
	assert(freed == 3);
	thrd_t u;
	thrd_create(&u, repeating, &rounds);
	thrd_join(u, &result);
	assert(result == 5 && rounds == TSS_DTOR_ITERATIONS && !never);
	tss_set(again, &rounds);
	END;
	return 0;
}
