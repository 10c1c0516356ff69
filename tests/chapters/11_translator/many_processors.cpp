/// \file
/// Simulates a machine with 64 processors, for limits_test.cpp, which loads it before the C library (LD_PRELOAD).

#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

#include <cstring>

extern "C" {

long sysconf(int name) {
  static const auto real = reinterpret_cast<long (*)(int)>(dlsym(RTLD_NEXT, "sysconf"));
  return name == _SC_NPROCESSORS_CONF || name == _SC_NPROCESSORS_ONLN ? 64 : real(name);
}

int sched_getaffinity(pid_t, std::size_t size, cpu_set_t* processors) {
  std::memset(processors, 0, size);
  for (std::size_t i = 0; i < 64; ++i) CPU_SET_S(i, size, processors);
  return 0;
}

}  // extern "C"
