#pragma once
/// \file
/// The header of an array in numpy's own file format (.npy).

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

struct NpyHeader {
  std::string type;                ///< as numpy writes it, such as "<f4"
  std::vector<std::size_t> shape;  ///< the data follows row by row; no axis for a single number
  std::size_t length = 0;          ///< bytes before the data
};

/// Reads the header of such a file (numpy.lib.format), which need not be trusted: a magic string, a version from 1.0 to 3.0, a length, and
/// a dictionary of Python, {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }. It is read as text; nothing of it is executed. Throws
/// Error, one line with `name`, if it has another form, is cut, or if a size is 0 or the order is that of columns.
NpyHeader parse_npy_header(std::string_view bytes, const std::string& name);

}  // namespace gradus
