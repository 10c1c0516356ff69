# Optional parts of a machine. A part counts if a program can include its header and link its library: a machine may have
# headers without the library, the library without headers, or a file of pkg-config without both. Each configuration asks
# anew, because the part may have been installed or removed since the last one.

function(optional_part_works result target header)
  try_compile(works SOURCE_FROM_CONTENT part.cpp "#if !__has_include(<${header}>)\n#error no header\n#endif\nint main() {}\n"
              LINK_LIBRARIES ${target} NO_CACHE)
  set(${result} ${works} PARENT_SCOPE)
endfunction()

# Removes what the cache has about a part, so that the next configuration searches anew.
function(forget_variables pattern)
  get_cmake_property(names CACHE_VARIABLES)
  list(FILTER names INCLUDE REGEX ${pattern})
  foreach(name IN LISTS names)
    unset(${name} CACHE)
  endforeach()
endfunction()

# Sets GRADUS_HAS_<PREFIX>; the target is then PkgConfig::<PREFIX>.
function(optional_pkg_config prefix module header)
  set(works FALSE)
  pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${module})
  if(${prefix}_FOUND)
    optional_part_works(works PkgConfig::${prefix} ${header})
    if(NOT works)
      message(STATUS "${module} is left out: pkg-config knows it, but its header or its library is missing")
    endif()
  endif()
  set(GRADUS_HAS_${prefix} ${works} PARENT_SCOPE)
endfunction()
