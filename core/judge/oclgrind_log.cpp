#include "core/judge/oclgrind_log.h"

#include <algorithm>
#include <array>
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

struct Question {
    SimulatedFault::Kind kind;
    const char *finding, *finds;
};
constexpr std::array questions{
    Question{SimulatedFault::Kind::race, "races", "work-items that use the same memory at the same time"},
    Question{SimulatedFault::Kind::access, "accesses",
             "reads and writes outside of buffers and of local memory"},
    Question{SimulatedFault::Kind::barrier, "barriers", "barriers that a part of a work-group reaches"}};

std::optional<SimulatedFault::Kind> fault_that_begins(const std::string& line) {
    if (line.find("data race at") != std::string::npos) return SimulatedFault::Kind::race;
    if (line.starts_with("Invalid read") || line.starts_with("Invalid write"))
        return SimulatedFault::Kind::access;
    if (line.starts_with("Work-group divergence")) return SimulatedFault::Kind::barrier;
    return std::nullopt;
}

/// A race is the same whichever of its work-items came first.
bool same(const SimulatedFault& a, const SimulatedFault& b) {
    const auto line = &SimulatedFault::Place::line;
    return a.kind == b.kind && a.kernel == b.kernel && a.places.size() == b.places.size() &&
           std::ranges::is_permutation(a.places, b.places, {}, line, line);
}

using Origin = std::function<std::optional<SourcePlace>(const std::string& kernel, std::size_t line)>;

Finding finding_of(const SimulatedFault& fault, const Origin& origin) {
    const auto question = std::ranges::find(questions, fault.kind, &Question::kind);
    Finding finding{question->finding, Finding::State::no, {}};
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
        constexpr std::string_view kernel = "Kernel: ", reached = "Only ";
        const auto begins = raw.starts_with('\t') ? std::nullopt : fault_that_begins(line);
        if (begins) {
            close();
            open = SimulatedFault{*begins, line, {}, {}};
        } else if (open && open->kind == SimulatedFault::Kind::barrier && line.starts_with(reached)) {
            // "Only 1 out of 64 work-items executed barrier" tells more than that groups diverge.
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

std::vector<Finding> findings_of(const std::vector<SimulatedFault>& faults, const Origin& origin) {
    std::vector<Finding> all;
    for (const Question& question : questions) {
        const std::size_t before = all.size();
        for (const SimulatedFault& fault : faults)
            if (fault.kind == question.kind) all.push_back(finding_of(fault, origin));
        if (all.size() == before) all.push_back({question.finding, Finding::State::yes, {}});
    }
    return all;
}

std::vector<Finding> unknown_to_oclgrind(const std::string& why) {
    std::vector<Finding> all;
    for (const Question& question : questions)
        all.push_back({question.finding, Finding::State::unknown, why});
    return all;
}

std::vector<Finding> findings_without_oclgrind() {
    std::vector<Finding> all;
    for (const Question& question : questions)
        all.push_back({question.finding, Finding::State::unknown,
                       std::string("oclgrind is not installed; it finds ") + question.finds});
    return all;
}

}  // namespace ks
