#pragma once
/// \file
/// Other versions of a leaf's kernels, such as the naive ones of a lesson. Models do not use them: they are judged, timed and
/// counted beside the leaf's own. A version is one file, `cuda/LEAF_NAME_cuda.cu`, which ends with an object for each Real.

#include <string>
#include <tuple>
#include <vector>

namespace gradus {

/// The functions of a version, in a list of all versions with the same types of functions: those that the program was linked with.
template <class... F>
class KernelVersion {
 public:
  /// Adds itself to the list, so it must last as long as the program.
  explicit KernelVersion(const char* n, F*... functions) : name(n), calls(functions...) { list().push_back(this); }
  KernelVersion(const KernelVersion&) = delete;
  KernelVersion& operator=(const KernelVersion&) = delete;

  static const std::vector<const KernelVersion*>& all() { return list(); }

  const std::string name;
  const std::tuple<F*...> calls;

 private:
  static std::vector<const KernelVersion*>& list() {
    static std::vector<const KernelVersion*> versions;
    return versions;
  }
};

}  // namespace gradus
