/// \file
/// A library whose initialisation never ends, as that of OpenBLAS 0.3.29 where addresses are limited. limits_test.cpp loads it
/// (LD_PRELOAD), also into the programs that start gradus.

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace {

constexpr std::size_t more_than_any_limit = std::size_t{1} << 40;

[[gnu::constructor]] void ask() {
  if (std::strcmp(program_invocation_short_name, "gradus") != 0) return;
  while (::mmap(nullptr, more_than_any_limit, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
    continue;
}

}  // namespace
