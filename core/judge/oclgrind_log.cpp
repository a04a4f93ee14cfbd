#include "core/judge/oclgrind_log.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

namespace ks {
namespace {

std::string trimmed_line(const std::string& line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) return {};
    return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

/// "At line 51 (column 11) of input.cl:" gives 51.
std::optional<std::size_t> line_number(const std::string& line) {
    constexpr std::string_view start = "At line ";
    if (!line.starts_with(start)) return std::nullopt;
    std::size_t number = 0;
    const auto [stop, status] =
        std::from_chars(line.data() + start.size(), line.data() + line.size(), number);
    return status == std::errc{} && number > 0 ? std::optional(number) : std::nullopt;
}

bool begins_fault(const std::string& line) {
    return line.find("data race at") != std::string::npos || line.starts_with("Invalid read") ||
           line.starts_with("Invalid write");
}

/// A race is the same whichever of its work-items came first.
bool same(const SimulatedFault& a, const SimulatedFault& b) {
    const auto line = &SimulatedFault::Place::line;
    return a.is_race() == b.is_race() && a.kernel == b.kernel && a.places.size() == b.places.size() &&
           std::ranges::is_permutation(a.places, b.places, {}, line, line);
}

using Origin = std::function<std::optional<SourcePlace>(const std::string& kernel, std::size_t line)>;

Finding finding_of(const SimulatedFault& fault, const Origin& origin) {
    Finding finding{fault.is_race() ? "races" : "accesses", Finding::State::no, {}};
    std::string code;
    for (const SimulatedFault::Place& place : fault.places) {
        const auto from = origin(fault.kernel, place.line);
        if (from) finding.places.push_back(*from);
        const std::string where =
            from ? fmt::format("{}:{}", from->file, from->line) : fmt::format("line {}", place.line);
        finding.text += (finding.text.empty() ? "" : " and ") + where;
        code += (code.empty() ? "" : " | ") + place.code;
    }
    if (!finding.text.empty()) finding.text += ": ";
    finding.text += fault.what;
    if (!fault.kernel.empty()) finding.text += ", in the kernel " + fault.kernel;
    if (!code.empty()) finding.text += ": " + code;
    return finding;
}

}  // namespace

std::vector<SimulatedFault> faults_in(const std::string& log) {
    std::vector<SimulatedFault> all;
    std::optional<SimulatedFault> open;
    const auto close = [&] {
        if (open &&
            std::ranges::none_of(all, [&](const SimulatedFault& known) { return same(known, *open); }))
            all.push_back(std::move(*open));
        open.reset();
    };
    std::istringstream in(log);
    bool code_follows = false;
    for (std::string raw; std::getline(in, raw);) {
        const std::string line = trimmed_line(raw);
        constexpr std::string_view kernel = "Kernel: ";
        if (!raw.starts_with('\t') && begins_fault(line)) {
            close();
            open = SimulatedFault{line, {}, {}};
        } else if (open && code_follows) {
            open->places.back().code = line;
        } else if (open && line.starts_with(kernel)) {
            open->kernel = line.substr(kernel.size());
        } else if (const auto number = line_number(line); open && number) {
            open->places.push_back({*number, {}});
            code_follows = true;
            continue;
        }
        code_follows = false;
    }
    close();
    return all;
}

std::vector<Finding> findings_of(const std::vector<SimulatedFault>& faults, const Origin& origin) {
    std::vector<Finding> all;
    for (const bool races : {true, false}) {
        const std::size_t before = all.size();
        for (const SimulatedFault& fault : faults)
            if (fault.is_race() == races) all.push_back(finding_of(fault, origin));
        if (all.size() == before) all.push_back({races ? "races" : "accesses", Finding::State::yes, {}});
    }
    return all;
}

std::vector<Finding> findings_without_oclgrind() {
    return {{"races", Finding::State::unknown,
             "oclgrind is not installed; it finds work-items that use the same memory at the same time"},
            {"accesses", Finding::State::unknown,
             "oclgrind is not installed; it finds reads and writes outside of buffers and of local memory"}};
}

}  // namespace ks
