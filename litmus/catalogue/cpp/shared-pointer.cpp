// std::shared_ptr: two threads may each drop a copy, and the last one deletes the object. With -D SAME both threads use the
// same std::shared_ptr, whose copies are not synchronised.
#include <cassert>
#include <memory>
#include <thread>

struct Object {
  int value = 1;
};

int main() {
  auto mine = std::make_shared<Object>();
#ifdef SAME
  std::thread other([&mine] { mine.reset(); });
#else
  std::thread other([copy = mine]() mutable { copy.reset(); });
#endif
  auto second = mine;
  other.join();
  if (second) assert(second->value == 1);
}
