#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/judge/judgement.h"
#include "core/kernels/resolved_source.h"

namespace ks {

/// What the simulator oclgrind found.
struct SimulatedFault {
    /// A data race between work-items, an access outside of all memory, a barrier that a part of a group
    /// reached.
    enum class Kind { race, access, barrier };
    Kind kind = Kind::race;
    std::string what;    ///< in its words: "Write-write data race at global memory address 0x4000000000000"
    std::string kernel;  ///< empty where the log does not tell
    struct Place {
        std::size_t line;  ///< of the text that the compiler got, from 1
        std::string code;  ///< of that line
    };
    std::vector<Place> places;  ///< of a race: of both work-items
};

/// The faults in a log, each once for the same kernel and lines. Text that is none is left out.
std::vector<SimulatedFault> faults_in(const std::string& log);

/// Findings "races", "accesses" and "barriers", one for each fault, or one "yes" where there is none of its
/// kind.
/// @param origin where a line of a kernel's program comes from; nothing where that is not known
std::vector<Finding> findings_of(
    const std::vector<SimulatedFault>& faults,
    const std::function<std::optional<SourcePlace>(const std::string& kernel, std::size_t line)>& origin);

/// The same where nothing is known, with the reason.
std::vector<Finding> unknown_to_oclgrind(const std::string& why);
/// The same where the simulator is not there, with what it would look for.
std::vector<Finding> findings_without_oclgrind();

}  // namespace ks
