// std::jthread with std::stop_token: the thread works until it is asked to stop, and its destructor asks and joins. With
// -D NO_JOIN the thread is detached, and its work is read while it may go on.
#include <cassert>
#include <stop_token>
#include <thread>

static int work;

int main() {
  {
    std::jthread worker([](std::stop_token stop) {
      while (!stop.stop_requested()) {
      }
      work = 1;
    });
#ifdef NO_JOIN
    worker.request_stop();
    worker.detach();
#endif
  }
  assert(work == 1);
}
