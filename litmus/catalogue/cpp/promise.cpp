// std::promise and std::future: get() waits for the value and sees everything before it. With -D POLL the receiver does not
// wait for the promise and reads too early.
#include <cassert>
#include <future>
#include <thread>

static int notes;

int main() {
  std::promise<int> promise;
  auto future = promise.get_future();
  std::thread sender([&] {
    notes = 1;
    promise.set_value(2);
  });
#ifndef POLL
  assert(future.get() == 2);
#endif
  assert(notes == 1);
  sender.join();
}
