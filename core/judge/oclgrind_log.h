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

/// What the simulator oclgrind found.
struct SimulatedFault {
    /// A data race between work-items, a wrong access to memory, a use of memory that nobody wrote, a barrier
    /// that a part of a group reached.
    enum class Kind { race, access, uninitialised, barrier };
    Kind kind = Kind::race;
    std::string what;    ///< "Write-write data race in global memory", without the address
    std::string kernel;  ///< empty where the log does not tell
    struct Place {
        std::size_t line = 0;   ///< of the text that the compiler got, from 1
        std::string code = {};  ///< of that line
    };
    std::vector<Place> places = {};  ///< of a race: of both work-items
    /// Of a race: the buffer, as the upper 16 bits of the address tell it.
    std::optional<std::uint64_t> buffer = {};
};

/// What oclgrind logged of a run.
struct SimulatedLog {
    std::vector<SimulatedFault> faults = {};  ///< each once for the same kind, kernel and lines
    /// Why it did not look at everything: it came to what it cannot execute, or reported no more. Empty: it
    /// did.
    std::string gave_up = {};
};

/// Reads a log. Text that is no fault is left out.
SimulatedLog read_oclgrind_log(const std::string& log);

/// Where a line of a kernel's program comes from; nothing where that is not known.
using FaultOrigin =
    std::function<std::optional<SourcePlace>(const std::string& kernel, const SimulatedFault::Place& place)>;

/// Why a use of memory that nobody wrote may be a mistake of the simulator in this kernel; empty: it is none.
using FaultDoubt = std::function<std::string(const std::string& kernel)>;

/// Findings "races", "accesses", "uninitialised" and "barriers", one for each fault, or one "yes" where there
/// is none of its kind. Faults of one access are one finding: races in the same memory that share a line,
/// others at the same line.
/// @param why_not_all why the simulation did not come to its end: then a question without a fault is not
/// known; empty: it did @param doubt of a use of memory that nobody wrote, which then is not known; an empty
/// function: each is a fault
std::vector<Finding> findings_of(const std::vector<SimulatedFault>& faults, const FaultOrigin& origin,
                                 const std::string& why_not_all = {}, const FaultDoubt& doubt = {});

/// The same where nothing is known, with the reason.
std::vector<Finding> unknown_to_oclgrind(const std::string& why);
/// The same where the simulator is not there, with what it would look for.
std::vector<Finding> findings_without_oclgrind();

}  // namespace ks
