// A thread passes its exception to another by std::exception_ptr. With -D UNCAUGHT it leaves the thread instead, which ends
// the program.
#include <cassert>
#include <exception>
#include <stdexcept>
#include <thread>

int main() {
  std::exception_ptr failure;
  std::thread worker([&] {
#ifdef UNCAUGHT
    throw std::runtime_error("no disk");
#else
    try {
      throw std::runtime_error("no disk");
    } catch (...) {
      failure = std::current_exception();
    }
#endif
  });
  worker.join();
  bool caught = false;
  try {
    std::rethrow_exception(failure);
  } catch (const std::logic_error &) {
  } catch (const std::exception &) {
    caught = true;
  }
  assert(caught);
}
