#include <assert.h>
#define NODISCARD [[nodiscard("why, [not]")]]
NODISCARD static int element(int a[2], int i) { return a[(int[]){1, 0}[i]]; }
[[deprecated, gnu::always_inline]] static inline int three(void) { return 3; }
struct s {
	int a [[gnu::aligned(16)]];
	[[maybe_unused]] char b;
};
enum [[maybe_unused]] e { A [[deprecated]], B };
int main(void)
{
	int a[2] = {5, 6};
	assert(element(a, 0) == 6 && three() == 3);
	assert(_Alignof(struct s) == 16 && B == 1);
	END;
	return 0;
}
