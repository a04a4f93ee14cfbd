#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/devices/device_info.h"
#include "core/ranks/exchange.h"
#include "core/run/engine.h"

namespace ks {

/// Runs a request on all ranks: each loads it and computes a share of its units on a device of its node; rank
/// 0 joins the results and checks them if the request says so. The result has the same bytes as that of one
/// process. All ranks must have the same program, request and files.
/// @return the run at rank 0; nothing elsewhere
/// Throws ks::Error: as Engine::run() does, if ranks differ, and if the analysis cannot be divided.
std::optional<Run> run_over_ranks(Engine& engine, Exchange& exchange, const Request& request,
                                  Progress& progress);

/// The device of a rank. The devices of a node that the request allows are assigned to its ranks in turn; if
/// the request names no device, these are all devices of one kind. Throws ks::Error(input) if there is none.
std::string device_of_rank(const std::vector<DeviceInfo>& devices, const Request& request,
                           std::size_t local_rank);

/// "ranks: 3 (34 %, 33 %, 33 % of the work)", followed by how many had none; empty for a run of one process.
std::string ranks_text(const Run& run);

}  // namespace ks
