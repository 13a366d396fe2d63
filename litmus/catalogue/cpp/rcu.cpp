// Read-copy-update, the publishing half: readers follow an atomic pointer to a version that no thread writes any more.
// With -D FENCES the writer releases it and the readers consume it, which clang compiles as acquire.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FENCES
constexpr auto consume = std::memory_order_consume, release = std::memory_order_release;
#else
constexpr auto consume = std::memory_order_relaxed, release = std::memory_order_relaxed;
#endif

struct Version {
  int a, b;
};

static Version first{1, 1}, second;
static std::atomic<Version *> current{&first};

int main() {
  auto reader = [] {
    Version *v = current.load(consume);
    assert(v->a == v->b);
  };
  std::thread writer([] {
    Version *v = current.load(std::memory_order_relaxed);
    second = {v->a + 1, v->b + 1};
    current.store(&second, release);
  });
  std::thread r(reader), s(reader);
  writer.join();
  r.join();
  s.join();
}
