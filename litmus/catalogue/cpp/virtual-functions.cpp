// A virtual function that two threads call: the object must be complete before another thread sees it. With -D RELAXED the
// pointer is published without order.
#include <atomic>
#include <cassert>
#include <thread>

struct Shape {
  virtual ~Shape() = default;
  virtual int sides() const { return 0; }
};

struct Square : Shape {
  int count = 4;
  int sides() const override { return count; }
};

#ifdef RELAXED
constexpr auto release = std::memory_order_relaxed;
#else
constexpr auto release = std::memory_order_release;
#endif

static std::atomic<Shape *> shape;

int main() {
  std::thread maker([] { shape.store(new Square, release); });
  if (Shape *s = shape.load(std::memory_order_acquire)) assert(s->sides() == 4);
  maker.join();
  delete shape.load();
}
