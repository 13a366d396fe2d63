#include <assert.h>
[[noreturn]] void die(void);
[[nodiscard]] static int f([[maybe_unused]] int x){ switch(x){case 1: x++; [[fallthrough]]; default: x++;} return x;}
struct [[gnu::packed]] q { char c; int i; };
int main(void)
{
	[[maybe_unused]] int y=f(1);
	assert(y==3);
	assert(sizeof(struct q)==5);
	END;
	return 0;
}
