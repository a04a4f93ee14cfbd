#pragma once

#include <QString>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/judge/judgement.h"
#include "core/kernels/resolved_source.h"

namespace ks::ui {

/// A row of the findings list.
struct FindingRow {
    Finding::State state = Finding::State::unknown;
    QString text;                      ///< "Data races: found, line 56 and line 55: ..."
    std::optional<SourcePlace> place;  ///< where a click leads
    bool further = false;              ///< another place, or a message, of the previous row
};

/// One row per finding, followed by rows for further lines that it names: the second access of a data race,
/// the messages of a compiler.
/// @param file of the kernel, whose name is omitted in its lines
/// @param text of it
/// @param kernelFiles texts of the program's kernel files by path
std::vector<FindingRow> findingRows(const std::vector<Finding>& findings, const std::string& file,
                                    const std::string& text,
                                    const std::map<std::string, std::string>& kernelFiles);

/// `no` if a check failed, otherwise `unknown` if the result of one is not known.
Finding::State worstState(const std::vector<Finding>& findings);

/// "3 of 7 checks failed", "no faults found; 2 unknown".
QString findingsHeadline(const std::vector<Finding>& findings);

}  // namespace ks::ui
