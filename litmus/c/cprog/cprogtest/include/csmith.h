/* What programs that csmith writes include, in place of its own: arithmetic without undefined
   behaviour, and a checksum. What an operation cannot say, it answers with its left operand. */
#include <stdint.h>

#define UNSIGNED(T, MAX, WIDTH) \
	static T safe_unary_minus_func_##T##_u(T a) { return -a; } \
	static T safe_add_func_##T##_u_u(T a, T b) { return a + b; } \
	static T safe_sub_func_##T##_u_u(T a, T b) { return a - b; } \
	static T safe_mul_func_##T##_u_u(T a, T b) { return (T)(1ul * a * b); } \
	static T safe_div_func_##T##_u_u(T a, T b) { return b == 0 ? a : a / b; } \
	static T safe_mod_func_##T##_u_u(T a, T b) { return b == 0 ? a : a % b; } \
	static T safe_lshift_func_##T##_u_u(T a, unsigned b) { return b >= WIDTH || a > (MAX >> b) ? a : a << b; } \
	static T safe_lshift_func_##T##_u_s(T a, int b) { return b < 0 || b >= WIDTH || a > (MAX >> b) ? a : a << b; } \
	static T safe_rshift_func_##T##_u_u(T a, unsigned b) { return b >= WIDTH ? a : a >> b; } \
	static T safe_rshift_func_##T##_u_s(T a, int b) { return b < 0 || b >= WIDTH ? a : a >> b; }

#define SIGNED(T, MIN, MAX, WIDTH) \
	static T safe_unary_minus_func_##T##_s(T a) { return a == MIN ? a : -a; } \
	static T safe_add_func_##T##_s_s(T a, T b) { return (b > 0 && a > MAX - b) || (b < 0 && a < MIN - b) ? a : a + b; } \
	static T safe_sub_func_##T##_s_s(T a, T b) { return (b < 0 && a > MAX + b) || (b > 0 && a < MIN + b) ? a : a - b; } \
	static T safe_mul_func_##T##_s_s(T a, T b) { \
		if (a == 0 || b == 0) return 0; \
		if (a > 0 ? (b > 0 ? a > MAX / b : b < MIN / a) : (b > 0 ? a < MIN / b : b < MAX / a)) return a; \
		return a * b; \
	} \
	static T safe_div_func_##T##_s_s(T a, T b) { return b == 0 || (a == MIN && b == -1) ? a : a / b; } \
	static T safe_mod_func_##T##_s_s(T a, T b) { return b == 0 || (a == MIN && b == -1) ? a : a % b; } \
	static T safe_lshift_func_##T##_s_u(T a, unsigned b) { return a < 0 || b >= WIDTH || a > (MAX >> b) ? a : a << b; } \
	static T safe_lshift_func_##T##_s_s(T a, int b) { return a < 0 || b < 0 || b >= WIDTH || a > (MAX >> b) ? a : a << b; } \
	static T safe_rshift_func_##T##_s_u(T a, unsigned b) { return b >= WIDTH ? a : a >> b; } \
	static T safe_rshift_func_##T##_s_s(T a, int b) { return b < 0 || b >= WIDTH ? a : a >> b; }

UNSIGNED(uint8_t, UINT8_MAX, 8)
UNSIGNED(uint16_t, UINT16_MAX, 16)
UNSIGNED(uint32_t, UINT32_MAX, 32)
UNSIGNED(uint64_t, UINT64_MAX, 64)
SIGNED(int8_t, INT8_MIN, INT8_MAX, 8)
SIGNED(int16_t, INT16_MIN, INT16_MAX, 16)
SIGNED(int32_t, INT32_MIN, INT32_MAX, 32)
SIGNED(int64_t, INT64_MIN, INT64_MAX, 64)

#include "checksum.h"

static uint32_t crc32_context = 0xffffffffu;
#define crc32_gentab()
#define platform_main_begin()
#define transparent_crc(value, name, print) mix((uint64_t)(value))
#define platform_main_end(crc, print) finish()
