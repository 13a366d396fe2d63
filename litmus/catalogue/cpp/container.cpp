// A std::map under a mutex: two threads insert. With -D NO_LOCK they change its tree at once.
#include <cassert>
#include <map>
#include <mutex>
#include <thread>

static std::map<int, int> squares;
static std::mutex mutex;

static void insert(int n) {
#ifndef NO_LOCK
  std::lock_guard guard(mutex);
#endif
  squares[n] = n * n;
}

int main() {
  std::thread other(insert, 2);
  insert(3);
  other.join();
  assert(squares.size() == 2 && squares.begin()->second == 4);
}
