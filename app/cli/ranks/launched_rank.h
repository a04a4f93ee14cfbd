#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/ranks/ranks.h"

namespace ks::cli {

/// What a launcher (mpirun, srun) tells a process that is one of several.
struct LaunchedRank {
    std::size_t rank = 0, size = 0;
    std::size_t local_rank = 0;  ///< among those of its node
    std::string launcher;        ///< "mpirun"
};

/// From the environment of this process; nothing if it runs alone.
std::optional<LaunchedRank> launched_rank();

/// Joins the other processes, once per process: loads kernelscope-mpi.so from the program's folder, or from
/// where it is installed. Throws ks::Error(input) if it is missing or cannot be loaded.
Ranks& join_ranks(const LaunchedRank& launched);

}  // namespace ks::cli
