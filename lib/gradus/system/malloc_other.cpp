#include "gradus/util/process.hpp"

namespace gradus {

void return_large_blocks() {}  // other allocators do so themselves, or have no such call

}  // namespace gradus
