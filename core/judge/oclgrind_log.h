#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/judge/judgement.h"
#include "core/kernels/resolved_source.h"

namespace ks {

/// A fault found by the simulator oclgrind.
struct SimulatedFault {
    /// A data race between work-items, an invalid memory access, a use of unwritten memory, a barrier reached
    /// by only part of a group.
    enum class Kind { race, access, uninitialised, barrier };
    Kind kind = Kind::race;
    std::string what;    ///< "Write-write data race in global memory", without the address
    std::string kernel;  ///< empty if the log does not name it
    struct Place {
        std::size_t line = 0;   ///< in the text passed to the compiler, from 1
        std::string code = {};  ///< the code in that line
    };
    std::vector<Place> places = {};  ///< for a race: of both work-items
    /// For a race: the buffer, from the upper 16 bits of the address.
    std::optional<std::uint64_t> buffer = {};
};

/// The contents of oclgrind's log of a run.
struct SimulatedLog {
    std::vector<SimulatedFault> faults = {};  ///< one per kind, kernel and lines
    /// Why the simulation is incomplete: it met something it cannot execute, or stopped
    /// reporting. Empty: complete.
    std::string gave_up = {};
};

/// Parses a log, ignoring text that does not describe a fault.
SimulatedLog read_oclgrind_log(const std::string& log);

/// The origin of a line of a kernel's program; nothing if it is unknown.
using FaultOrigin =
    std::function<std::optional<SourcePlace>(const std::string& kernel, const SimulatedFault::Place& place)>;

/// Why a reported use of unwritten memory may be an error of the simulator for this kernel; empty: no doubt.
using FaultDoubt = std::function<std::string(const std::string& kernel)>;

/// Findings of the kinds "races", "accesses", "uninitialised" and "barriers": one per fault, or a single
/// "yes" for a kind without faults. That of races says that oclgrind does not report equal writes. Faults of
/// the same access are one finding. For races, these are races in the same memory that share a line; for
/// other kinds, faults in the same line. Equal findings are one, with their count.
/// @param why_not_all why the simulation is incomplete, so that questions without a fault are unknown; empty:
/// it is complete @param doubt returns a reason if a reported use of unwritten memory may be no fault; the
/// finding is then unknown. An empty function: each use is a fault
std::vector<Finding> findings_of(const std::vector<SimulatedFault>& faults, const FaultOrigin& origin,
                                 const std::string& why_not_all = {}, const FaultDoubt& doubt = {});

/// The same findings, all unknown for the given reason.
std::vector<Finding> unknown_to_oclgrind(const std::string& why);
/// The same findings if oclgrind is not installed, saying what it would find.
std::vector<Finding> findings_without_oclgrind();

}  // namespace ks
