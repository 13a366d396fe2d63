// std::weak_ptr: lock() gives a std::shared_ptr to the object, or none if it is gone. With -D RAW a plain pointer is used
// instead, and the object is read after it is deleted.
#include <cassert>
#include <memory>
#include <thread>

int main() {
  std::shared_ptr<int> owner(new int(1));
  std::weak_ptr<int> weak = owner;
  int *raw = owner.get();
  std::thread other([weak, raw] {
#ifdef RAW
    assert(*raw == 1);
#else
    if (auto object = weak.lock()) assert(*object == 1);
#endif
  });
  owner.reset();
  other.join();
}
