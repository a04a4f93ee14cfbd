#include "core/judge/oclgrind_log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ks {
namespace {

using Kind = SimulatedFault::Kind;

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

struct SimulatedQuestion {
    Kind kind;
    const char *finding, *finds;
    const char* but = "";  ///< what is not looked for
};
constexpr std::array simulated_questions{
    SimulatedQuestion{Kind::race, "races", "concurrent accesses of work-items to the same memory",
                      "but writes of the same value by several work-items are races, too, and are not "
                      "reported"},
    SimulatedQuestion{Kind::access, "accesses", "reads and writes outside buffers and local memory"},
    SimulatedQuestion{Kind::uninitialised, "uninitialised", "uses of unwritten memory"},
    SimulatedQuestion{Kind::barrier, "barriers", "barriers reached by only part of a work-group"}};

/// The start of a fault in the log of oclgrind 21.10, and a replacement where the wording is unclear.
struct Beginning {
    std::string_view text;
    Kind kind;
    const char* said = nullptr;
};
constexpr std::array beginnings{
    Beginning{"Read-write data race", Kind::race},
    Beginning{"Write-write data race", Kind::race},
    Beginning{"Invalid memory load - source pointer is not aligned", Kind::access,
              "Unaligned read: the address does not have the alignment of the type"},
    Beginning{"Invalid memory store - source pointer is not aligned", Kind::access,
              "Unaligned write: the address does not have the alignment of the type"},
    Beginning{"Unaligned address on", Kind::access},
    Beginning{"Invalid read", Kind::access},
    Beginning{"Invalid write", Kind::access},
    Beginning{"Index (", Kind::access},
    Beginning{"Uninitialized value written", Kind::uninitialised},
    Beginning{"Uninitialized address used", Kind::uninitialised},
    Beginning{"Controlflow depends on uninitialized", Kind::uninitialised,
              "A branch depends on an uninitialized value"},
    Beginning{"Instruction depends on an uninitialized index", Kind::uninitialised,
              "An index is an uninitialized value"},
    Beginning{"Work-group divergence", Kind::barrier},
    Beginning{"Work-item finished without waiting for events", Kind::barrier},
    Beginning{"Invalid wait event", Kind::barrier}};

const Beginning* beginning_of(const std::string& line) {
    const auto found = std::ranges::find_if(
        beginnings, [&](const Beginning& beginning) { return line.starts_with(beginning.text); });
    return found == beginnings.end() ? nullptr : &*found;
}

/// Without the address, which varies between work-items: "... in global memory".
SimulatedFault begun(const Beginning& beginning, const std::string& line) {
    SimulatedFault fault{beginning.kind, beginning.said == nullptr ? line : beginning.said, {}};
    constexpr std::string_view address = " address 0x", at = " at ";
    const std::size_t begin = fault.what.find(address);
    if (begin == std::string::npos) return fault;
    std::uint64_t value = 0;
    const char* const digits = fault.what.data() + begin + address.size();
    if (std::from_chars(digits, fault.what.data() + fault.what.size(), value, 16).ec == std::errc{} &&
        beginning.kind == Kind::race)
        fault.buffer = value >> 48;
    fault.what.resize(begin);
    if (const std::size_t place = fault.what.rfind(at); place != std::string::npos)
        fault.what.replace(place, at.size(), " in ");
    return fault;
}

std::vector<std::size_t> sorted_lines(const SimulatedFault& fault) {
    std::vector<std::size_t> lines;
    for (const SimulatedFault::Place& place : fault.places) lines.push_back(place.line);
    std::ranges::sort(lines);
    return lines;
}

/// A race is the same regardless of which work-item came first.
bool same_fault(const SimulatedFault& a, const SimulatedFault& b) {
    return a.kind == b.kind && a.what == b.what && a.kernel == b.kernel && a.buffer == b.buffer &&
           sorted_lines(a) == sorted_lines(b);
}

/// The faults of one access.
struct FaultGroup {
    Kind kind;
    std::string kernel;
    std::optional<std::uint64_t> buffer;
    std::vector<std::string> what;
    std::vector<SimulatedFault::Place> places;

    bool has(std::size_t line) const {
        return std::ranges::find(places, line, &SimulatedFault::Place::line) != places.end();
    }
    bool takes(const SimulatedFault& fault) const {
        if (kind != fault.kind || kernel != fault.kernel || buffer != fault.buffer) return false;
        if (places.empty() || fault.places.empty())
            return places.empty() && fault.places.empty() && what.front() == fault.what;
        return std::ranges::any_of(fault.places,
                                   [&](const SimulatedFault::Place& place) { return has(place.line); });
    }
    void add(const std::vector<std::string>& words, const std::vector<SimulatedFault::Place>& lines) {
        for (const std::string& word : words)
            if (std::ranges::find(what, word) == what.end()) what.push_back(word);
        for (const SimulatedFault::Place& place : lines)
            if (!has(place.line)) places.push_back(place);
    }
};

std::vector<FaultGroup> grouped(const std::vector<SimulatedFault>& faults) {
    std::vector<FaultGroup> groups;
    for (const SimulatedFault& fault : faults) {
        FaultGroup all{fault.kind, fault.kernel, fault.buffer, {}, {}};
        const auto first =
            std::ranges::find_if(groups, [&](const FaultGroup& one) { return one.takes(fault); });
        const auto at = first - groups.begin();
        // A fault joins all groups with which it shares a line.
        for (const FaultGroup& one : groups)
            if (one.takes(fault)) all.add(one.what, one.places);
        std::erase_if(groups, [&](const FaultGroup& one) { return one.takes(fault); });
        all.add({fault.what}, fault.places);
        groups.insert(groups.begin() + at, std::move(all));
    }
    return groups;
}

/// "a", "a and b", "a, b and c"
std::string and_joined(const std::vector<std::string>& names) {
    if (names.size() < 2) return names.empty() ? std::string() : names.front();
    return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

Finding finding_of(const FaultGroup& group, const FaultOrigin& origin) {
    const auto question = std::ranges::find(simulated_questions, group.kind, &SimulatedQuestion::kind);
    Finding finding{question->finding, Finding::State::no, {}};
    std::vector<std::string> where, code;
    for (const SimulatedFault::Place& place : group.places) {
        const auto from = origin(group.kernel, place);
        if (from) finding.places.push_back(*from);
        where.push_back(from ? fmt::format("{}:{}", from->file, from->line)
                             : fmt::format("line {}", place.line));
        if (!place.code.empty()) code.push_back(place.code);
    }
    if (!where.empty()) finding.text = and_joined(where) + ": ";
    finding.text += fmt::format("{}", fmt::join(group.what, "; "));
    if (!group.kernel.empty()) finding.text += ", in the kernel " + group.kernel;
    if (!code.empty()) finding.text += fmt::format(": {}", fmt::join(code, " | "));
    return finding;
}

/// Faults in different memory, such as that of each work-group, can be the same finding.
void add_counted(std::vector<Finding>& all, Finding finding) {
    const auto same = std::ranges::find_if(
        all, [&](const Finding& one) { return one.text == finding.text && one.places == finding.places; });
    if (same == all.end())
        all.push_back(std::move(finding));
    else
        same->count += finding.count;
}

}  // namespace

SimulatedLog read_oclgrind_log(const std::string& log) {
    SimulatedLog all;
    std::optional<SimulatedFault> open;
    const auto close = [&] {
        if (open && std::ranges::none_of(
                        all.faults, [&](const SimulatedFault& known) { return same_fault(known, *open); }))
            all.faults.push_back(std::move(*open));
        open.reset();
    };
    std::istringstream in(log);
    bool code_follows = false, reason_follows = false;
    for (std::string raw; std::getline(in, raw);) {
        const std::string line = trimmed_line(raw);
        constexpr std::string_view kernel = "Kernel: ", reached = "Only ";
        const Beginning* const begins = raw.starts_with('\t') || code_follows ? nullptr : beginning_of(line);
        if (std::exchange(reason_follows, false)) {
            if (all.gave_up.empty()) all.gave_up = "oclgrind stopped: " + line;
        } else if (begins != nullptr) {
            close();
            open = begun(*begins, line);
        } else if (line.starts_with("OCLGRIND FATAL ERROR")) {
            close();
            reason_follows = true;
        } else if (line.ends_with("suppressing further errors")) {
            close();
            if (all.gave_up.empty()) all.gave_up = "oclgrind stopped reporting after too many faults";
        } else if (open && open->kind == Kind::barrier && line.starts_with(reached)) {
            // "Only 1 out of 64 work-items executed barrier" is more informative than that groups diverge.
            open->what = line;
        } else if (open && code_follows) {
            open->places.back().code = line;
        } else if (open && line.starts_with(kernel)) {
            open->kernel = trimmed_line(line.substr(kernel.size()));
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

std::vector<Finding> findings_of(const std::vector<SimulatedFault>& faults, const FaultOrigin& origin,
                                 const std::string& why_not_all, const FaultDoubt& doubt) {
    std::vector<Finding> all;
    const std::vector<FaultGroup> groups = grouped(faults);
    for (const SimulatedQuestion& question : simulated_questions) {
        std::vector<Finding> sure, doubtful;
        for (const FaultGroup& group : groups) {
            if (group.kind != question.kind) continue;
            Finding finding = finding_of(group, origin);
            const std::string why =
                doubt && group.kind == Kind::uninitialised ? doubt(group.kernel) : std::string();
            if (why.empty()) {
                add_counted(sure, std::move(finding));
            } else {
                finding.state = Finding::State::unknown;
                finding.text = why + ": " + finding.text;
                doubtful.push_back(std::move(finding));
            }
        }
        if (!sure.empty())
            all.insert(all.end(), sure.begin(), sure.end());
        else if (why_not_all.empty() && !doubtful.empty())
            all.push_back(doubtful.front());
        else if (why_not_all.empty())
            all.push_back({question.finding, Finding::State::yes, question.but});
        else
            all.push_back({question.finding, Finding::State::unknown, why_not_all});
    }
    return all;
}

std::vector<Finding> unknown_to_oclgrind(const std::string& why) {
    std::vector<Finding> all;
    all.reserve(simulated_questions.size());
    for (const SimulatedQuestion& question : simulated_questions)
        all.push_back({question.finding, Finding::State::unknown, why});
    return all;
}

std::vector<Finding> findings_without_oclgrind() {
    std::vector<Finding> all;
    all.reserve(simulated_questions.size());
    for (const SimulatedQuestion& question : simulated_questions)
        all.push_back({question.finding, Finding::State::unknown,
                       std::string("oclgrind is not installed; it finds ") + question.finds});
    return all;
}

}  // namespace ks
