#pragma once
/// \file
/// What `--device` chooses from.

namespace gradus {

/// On what to compute. By itself a GPU is taken where there is one, in a program that was built for it.
enum class DeviceChoice { automatic, cpu, cuda };

}  // namespace gradus
