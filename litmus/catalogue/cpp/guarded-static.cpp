// A static variable in a function is initialised once, and every thread sees it initialised. With -D PLAIN a plain pointer
// takes its place, which two threads may set.
#include <cassert>
#include <thread>

struct Table {
  int size;
  Table() : size(3) {}
};

static Table &table() {
#ifdef PLAIN
  static Table *only;
  if (!only) only = new Table;
  return *only;
#else
  static Table only;
  return only;
#endif
}

int main() {
  const Table *seen = nullptr;
  std::thread other([&] { seen = &table(); });
  const Table *mine = &table();
  other.join();
  assert(seen == mine && mine->size == 3);
}
