#pragma once

#include <QString>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/judge/judgement.h"
#include "core/kernels/resolved_source.h"

namespace ks::ui {

/// A line of what a check found.
struct FindingRow {
    Finding::State state = Finding::State::unknown;
    QString text;                      ///< "Data races: found, line 56 and line 55: ..."
    std::optional<SourcePlace> place;  ///< where a click leads
    bool further = false;              ///< another place, or a message, of the row before
};

/// One row a finding, and below it the other lines that it names: the second of a data race, those of a
/// compiler's log.
/// @param file the kernel's own, whose lines are named without it @param text of it
/// @param kernelFiles texts of the program's kernel files by path
std::vector<FindingRow> findingRows(const std::vector<Finding>& findings, const std::string& file,
                                    const std::string& text,
                                    const std::map<std::string, std::string>& kernelFiles);

/// `no` where something is wrong, else `unknown` where something is not known.
Finding::State worstState(const std::vector<Finding>& findings);

/// "3 of 7 findings wrong", "nothing wrong found; 2 not known".
QString findingsHeadline(const std::vector<Finding>& findings);

}  // namespace ks::ui
