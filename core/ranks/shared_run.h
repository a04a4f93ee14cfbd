#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/devices/device_info.h"
#include "core/ranks/exchange.h"
#include "core/run/engine.h"

namespace ks {

/// Runs a request by all ranks: each loads it, and computes a share of its units on a device of its node;
/// rank 0 joins what they found, and checks it where the request says so. The result is the same bytes as
/// that of one process. All ranks must have the same program, request and files.
/// @return the run, at rank 0; nothing elsewhere
/// Throws ks::Error: as Engine::run() does, for what differs between ranks, and where the analysis cannot be
/// shared out.
std::optional<Run> run_over_ranks(Engine& engine, Exchange& exchange, const Request& request,
                                  Progress& progress);

/// The device of a rank: of those of its node that the request allows (all of a kind where it names none) the
/// ranks of the node take one after another. Throws ks::Error(input) where there is none.
std::string device_of_rank(const std::vector<DeviceInfo>& devices, const Request& request,
                           std::size_t local_rank);

/// "ranks: 3 (34 %, 33 %, 33 % of the work)", and which had none; empty for a run of one process.
std::string ranks_text(const Run& run);

}  // namespace ks
