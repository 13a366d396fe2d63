// sc rc11: safe
#include <assert.h>
#include <string.h>

int from[4] = {1, 2, 3, 4}, to[4];

int main(void) {
	assert(memcpy_s(to, sizeof to, from, sizeof from) == 0 && to[3] == 4);
	assert(memset_s(to, sizeof to, 1, 4) == 0 && to[0] == 0x01010101 && to[1] == 2);
	assert(memcpy_s(to, 8, from, 12) != 0 && to[0] == 0 && to[1] == 0 && to[2] == 3);
	END;
	return 0;
}
