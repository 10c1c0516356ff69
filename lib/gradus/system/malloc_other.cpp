#include "gradus/util/peak_memory.hpp"

namespace gradus {

void return_large_blocks() {}  // other allocators do so by themselves, or cannot be asked

}  // namespace gradus
