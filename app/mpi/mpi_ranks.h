#pragma once

#include "core/ranks/ranks.h"

namespace ks {

/// What the module kernelscope-mpi.so exports, by this name: joins the other processes, and gives the ranks,
/// which live as long as the process; null where MPI cannot be started.
/// @param interface of the program that loads it: rank_interface
using StartRanks = Ranks* (*)(int interface);
constexpr const char* start_ranks_name = "kernelscope_start_ranks";
/// Changes with Ranks: a module of another build may be found beside the program.
constexpr int rank_interface = 1;

}  // namespace ks
