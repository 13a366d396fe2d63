#include <lkmm.h>
