// A queue of blocks in a circle: the producer links a new block before it has published what the block contains, and
// another thread that counts the elements walks over it.
#include <atomic>
#include <cassert>
#include <thread>

struct Block {
  std::atomic<int> elements;
  std::atomic<Block *> next;
};

static Block first, added; // added is the new block
static std::atomic<Block *> tail_block{&first};

static void enqueue() {
  added.elements.store(1, std::memory_order_relaxed);
  added.next.store(&first, std::memory_order_relaxed);
#ifdef FIXED
  std::atomic_thread_fence(std::memory_order_release);
  first.next.store(&added, std::memory_order_relaxed);
#else
  first.next.store(&added, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
#endif
  tail_block.store(&added, std::memory_order_relaxed);
}

static int size() {
  int n = 0;
  Block *block = &first;
  do {
    std::atomic_thread_fence(std::memory_order_acquire);
    n += block->elements.load(std::memory_order_relaxed);
    block = block->next.load(std::memory_order_relaxed);
    assert(block); // the blocks are a circle
  } while (block != &first);
  return n;
}

int main() {
  first.next.store(&first, std::memory_order_relaxed);
  int n = 0;
  std::thread producer(enqueue), counter([&] { n = size(); });
  producer.join();
  counter.join();
  assert(n <= 1);
}
