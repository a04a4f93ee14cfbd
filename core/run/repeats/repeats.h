#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/run/analysis.h"
#include "core/run/run.h"

namespace ks {

/// Several repeats of a measurement.
struct RepeatSet {
    std::vector<std::string> names = {};  ///< of their data
    /// Those that the user has chosen to use or not, by name. The outlier test decides about the others.
    std::map<std::string, bool> chosen = {};

    /// Absent: the outlier test decides.
    std::optional<bool> choice_for(const std::string& name) const;
};

/// A repeat that cannot be used, and why.
struct UnusableRepeat {
    std::string name;  ///< of its data
    Error error;
};

/// Works on one repeat after the other, and reports "repeat 3 of 10". A repeat whose work ends with an error
/// of its input, such as a damaged file, becomes one of `unusable`; other errors are thrown.
/// @param work gets the name of the data and a progress for its part
void for_each_repeat(const std::vector<std::string>& names,
                     const std::function<void(const std::string& name, Progress& progress)>& work,
                     std::vector<UnusableRepeat>& unusable, Progress& progress);

/// What becomes of the repeats that were computed before a stop was requested.
enum class WhenCancelled {
    dropped,  ///< nothing: ks::Error(cancelled) is thrown
    /// At least two of them that the user does not leave out give the average, which says that the others
    /// were not computed; fewer are dropped.
    averaged,
};

/// The average (AnalysisFunctions::average) of the runs of several repeats. Its fact "repeats" has a row for
/// each of them, in the order of the names; those that cannot be used are named with the reason. Throws
/// ks::Error(input) if no repeat can be used, or too few can be averaged.
/// @param run computes one repeat
Run average_of_set(const Analysis& analysis, const RepeatSet& set,
                   const std::function<Run(const std::string& name, Progress& progress)>& run,
                   WhenCancelled when_cancelled, Progress& progress);

/// One repeat of an average: a row of the fact "repeats" of its result.
struct RepeatRow {
    std::string name;            ///< of its data
    std::optional<double> chi2;  ///< per point; absent: it was not compared
    std::string left_out;        ///< why it is not part of the average; empty: it is
    std::optional<bool> chosen;  ///< the user has chosen to use it or not; absent: the outlier test decides
    std::optional<std::size_t> curve;      ///< its position among the curves kept in the result; absent: none
    std::string left_out_frames;           ///< of the file: "3-5,9"; empty: none
    std::optional<std::int64_t> modified;  ///< when its file was written, in nanoseconds since 1970
};

/// The rows of an average; empty for other runs. Rows that are not as expected are not taken.
std::vector<RepeatRow> repeats_of(const Run& run);
/// Names of their data, in the same order.
std::vector<std::string> names_of_repeats(const Run& run);
/// The same repeats, with the same choice of the user.
RepeatSet set_of(const Run& run);
/// Fact of the run of one repeat: the user has chosen to use it or not. An average has RepeatRow::chosen
/// instead.
inline constexpr const char* chosen_fact = "chosen_repeat";
/// RepeatRow::left_out of a repeat that the user leaves out.
inline constexpr const char* left_out_by_hand = "it was left out by hand";
/// Puts the rows into the result, and a warning for each repeat that is left out; earlier ones are replaced.
void set_repeats(Result& result, const std::vector<RepeatRow>& rows);
/// Number of repeats that are part of the average.
std::size_t used_repeats(const std::vector<RepeatRow>& rows);
/// "average of 8 of 10 repeats"; empty for other runs.
std::string average_text(const Run& run);

}  // namespace ks
