// std::async gives the result of a function that runs in another thread, or its exception. With -D UNCAUGHT nobody catches
// the exception.
#include <cassert>
#include <future>

static int half(int n) {
  if (n % 2 != 0) throw n;
  return n / 2;
}

int main() {
  auto good = std::async(std::launch::async, half, 4), bad = std::async(std::launch::deferred, half, 3);
  assert(good.get() == 2);
#ifdef UNCAUGHT
  bad.get();
#else
  try {
    bad.get();
    assert(false);
  } catch (int n) {
    assert(n == 3);
  }
#endif
}
