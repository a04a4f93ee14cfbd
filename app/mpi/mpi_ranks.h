#pragma once

#include "core/ranks/ranks.h"

namespace ks {

/// The type of the function that the module kernelscope-mpi.so exports: it joins the other processes and
/// returns the ranks, which live as long as the process; null if MPI cannot be started.
/// @param interface of the program that loads it: rank_interface
using StartRanks = Ranks* (*)(int interface);
constexpr const char* start_ranks_name = "kernelscope_start_ranks";
/// Changes with Ranks: a module of another build may be next to the program.
constexpr int rank_interface = 1;

}  // namespace ks
