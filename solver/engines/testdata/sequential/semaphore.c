#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
int main(void)
{
	sem_t s;
	unsigned long many = 1UL << 31;
	int value;
	assert(sem_init(&s, 0, 2147483648u) == -1 && errno == EINVAL);
	errno = 0;
	assert(sem_init(&s, 0, many) == -1 && errno == EINVAL);
	errno = 0;
	assert(sem_init(&s, 0, SEM_VALUE_MAX) == 0 && errno == 0);
	assert(sem_post(&s) == -1 && errno == EOVERFLOW);
	assert(sem_getvalue(&s, &value) == 0 && value == SEM_VALUE_MAX);
	assert(sem_trywait(&s) == 0 && sem_post(&s) == 0);
	END;
	return 0;
}
