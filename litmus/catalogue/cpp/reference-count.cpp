// Two owners share an object, and the one that releases it last deletes it. The decrement must be a release and an acquire:
// with -D DECREMENT=relaxed, the deletion races with the other owner's last access.
#include <atomic>
#include <thread>

#ifndef DECREMENT
#define DECREMENT acq_rel
#endif

struct Object {
  std::atomic<int> owners{2};
  int value = 0;
};

static void release(Object *object) {
  if (object->owners.fetch_sub(1, std::memory_order::DECREMENT) == 1) delete object;
}

int main() {
  Object *object = new Object;
  std::thread other([object] {
    object->value = 1;
    release(object);
  });
  release(object);
  other.join();
}
