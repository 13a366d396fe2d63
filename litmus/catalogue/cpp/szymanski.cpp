// Szymanski's lock: a waiting room whose door closes after the threads that came together. The places of a thread are an
// enumeration. Without -D FENCES both threads may enter.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FENCES
#define fence() std::atomic_thread_fence(std::memory_order_seq_cst)
#else
#define fence()
#endif
constexpr auto relaxed = std::memory_order_relaxed;

enum class Place { away, before_door, inside, doorway, shut };

static std::atomic<Place> at[2];
static int visits;

static void lock(int me, int other) {
  at[me].store(Place::before_door, relaxed);
  fence();
  while (at[other].load(relaxed) >= Place::doorway) {
  }
  fence();
  at[me].store(Place::doorway, relaxed);
  fence();
  if (at[other].load(relaxed) == Place::before_door) {
    at[me].store(Place::inside, relaxed);
    fence();
    while (at[other].load(relaxed) != Place::shut) {
    }
  }
  fence();
  at[me].store(Place::shut, relaxed);
  fence();
  if (other < me)
    while (at[other].load(relaxed) >= Place::inside) {
    }
  fence();
}

static void unlock(int me, int other) {
  fence();
  if (other > me)
    for (;;) {
      Place o = at[other].load(relaxed);
      if (o != Place::inside && o != Place::doorway) break;
    }
  fence();
  at[me].store(Place::away, relaxed);
}

int main() {
  auto visitor = [](int me) {
    lock(me, 1 - me);
    visits++;
    unlock(me, 1 - me);
  };
  std::thread a(visitor, 0), b(visitor, 1);
  a.join();
  b.join();
  assert(visits == 2);
}
