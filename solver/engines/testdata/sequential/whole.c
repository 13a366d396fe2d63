#include <assert.h>
#include <stdatomic.h>
struct tagged { int index, tag; };
static _Atomic struct tagged top;
int main(void)
{
	struct tagged old=atomic_load(&top), next={1,old.tag+1};
	assert(atomic_compare_exchange_strong(&top,&old,next));
	old=top;
	assert(old.index==1&&old.tag==1);
	struct tagged w={9,9};
	assert(!atomic_compare_exchange_strong(&top,&w,next)&&w.index==1);
	top=(struct tagged){5,6};
	assert(atomic_exchange(&top,next).tag==6);
	atomic_store(&top,old);
	assert(atomic_load_explicit(&top,memory_order_acquire).tag==1);
	END;
	return 0;
}
