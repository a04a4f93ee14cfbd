#pragma once

#include <QString>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/run/bench.h"
#include "core/wire/wire.h"

namespace ks::ui {

/// What another measurement of variants would use.
struct PresentSettings {
    ParameterSet values = {};
    std::string device = {};                        ///< title; empty: none is known
    std::map<std::string, std::string> texts = {};  ///< presentTexts()

    bool operator==(const PresentSettings&) const = default;
};
/// Those of the next run.
PresentSettings presentSettings(const wire::Catalogue& catalogue, const Request& next);
/// By id of each variant of an analysis: the text_mark() of the current text of a user's kernel, empty for
/// others. None before the variants are known.
std::map<std::string, std::string> presentTexts(const wire::Catalogue& catalogue,
                                                const std::string& analysis);

/// Puts a row of a benchmark into its place, instead of an earlier one of the same variant.
void putRow(std::vector<BenchPoint>& points, std::size_t point, const ParameterSet& sizes,
            const BenchRow& row);
/// Whether something was timed.
bool hasTimes(const std::vector<BenchPoint>& points);
/// A value with as many digits as forms show.
QString valueText(const ParameterSpec& spec, const ParameterValue& value);
/// The label of a curve in legends, figures and CSV files.
QString markedLabel(const QString& label, bool wrong);
/// Rows that the device or the request excludes.
enum class Excluded { left_out, named };
/// "user.mine is wrong: ...; host failed: ..."; nothing about rows whose kernel text has changed since.
QString troublesText(const std::vector<BenchPoint>& points,
                     const std::map<std::string, std::string>& presentTexts,
                     Excluded excluded = Excluded::left_out);
/// Whether the text of a user's kernel has changed since the row was measured, or its file is gone.
bool hasOldText(const BenchRow& row, const std::map<std::string, std::string>& presentTexts);
/// The same for a variant that had a text with this mark; empty: it was not a user's kernel.
bool isOldText(const std::string& variant, const std::string& mark,
               const std::map<std::string, std::string>& presentTexts);
/// What has changed of a user's kernel that hasOldText(): "text of user.mine", "file of user.mine is gone".
QString textChange(const std::string& variant, const std::map<std::string, std::string>& presentTexts);
/// What curves were measured with.
struct MeasuredWith {
    QString mark;  ///< "Outdated (Device, text of user.mine)"; empty: nothing has changed since
    QString
        text;  ///< "Measured: CPU, Size 1000", or the mark and ": measured with ..."; empty without points
};
/// @param specs parameters of which the values are named if they are the same for all points
/// @param own ids of those whose values are not taken from the settings
MeasuredWith measuredWith(const std::vector<BenchPoint>& points, const std::string& device,
                          const std::vector<ParameterSpec>& specs, const PresentSettings& now,
                          const std::set<std::string>& own);

}  // namespace ks::ui
