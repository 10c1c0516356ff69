#pragma once
/// \file
/// The stream of the host layer: work is done at once, or noted while a recording is made.

#include <cstddef>
#include <functional>
#include <vector>

namespace gradus::gpu::host {

/// Something that a GPU would do: run now, or recorded. `bytes` are its arguments, byte for byte: two recordings of the
/// same step must agree in them.
void submit(std::function<void()> work, std::vector<unsigned char> bytes);

/// Something that a GPU knows nothing of, in its place among the rest: run now, or recorded. Recordings of the same
/// step need not agree in it, and nothing refuses it: destructors ask, while an error is on its way.
void submit_aside(std::function<void()> work);

/// Copies, and reading a result, are no part of a recording. Error that begins with `what`, if one is being made.
void refuse_while_recording(const char* what);

/// Appends the bytes of a value.
template <class T>
void append_bytes(std::vector<unsigned char>& bytes, const T& value) {
  const auto* const begin = reinterpret_cast<const unsigned char*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof(T));
}

}  // namespace gradus::gpu::host
