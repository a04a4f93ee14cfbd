#pragma once

#include <QString>
#include <QStringList>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/bench.h"
#include "core/run/bench_statistics.h"

namespace ks::ui::lab {

/// A benchmark in the comparison.
struct Compared {
    BenchReport report;  ///< as far as it is available
    QString file = {};   ///< the file it was opened from; empty: measured here
    bool complete = false;
    QString label = {};  ///< of its device, if another one has the same name
    QString apart = {};  ///< its time or file, if another report has the same device and day
    /// Session file that it comes from: it was measured here, before the last restart. Empty: measured since
    /// then.
    QString kept = {};
    /// Contents of that file when it was read: the session may keep another measurement since. Null: none.
    std::shared_ptr<const std::string> keptText = {};

    /// "NVIDIA H100"; with a date for a report that was opened or restored, "NVIDIA H200, 2026-11-02".
    QString name() const;
    /// The same for rows that ran on the host: "host: AMD EPYC 9454".
    QString nameOfHost() const;
    /// The one of the two where a row ran.
    QString nameWhere(const BenchRow& row) const { return row.variant.on_host() ? nameOfHost() : name(); }
    /// Whether its device index is valid for the devices that are present now.
    bool isNow() const { return file.isEmpty() && kept.isEmpty(); }

  private:
    QString withDay(const QString& device) const;
};
using ComparedList = std::vector<std::shared_ptr<const Compared>>;

/// Sets `apart` of a report that was opened, if one of the others would have the same name.
void nameApart(Compared& report, const ComparedList& others);

/// The problem that was timed: only times of the same problem are comparable.
struct LabProblem {
    ParameterSet sizes;
    BenchFrom from = BenchFrom::device;

    bool operator==(const LabProblem&) const = default;
};
/// The problems of all benchmarks without duplicates, in order of first occurrence.
std::vector<LabProblem> problemsOf(const ComparedList& all);
/// "frames 500, height 201, from memory": for each problem, what differs among all of them.
QStringList problemTexts(const std::vector<LabProblem>& problems);
/// If benchmarks have problems that others lack, one sentence that lists those of each; otherwise empty.
QString differenceText(const ComparedList& all);

/// Why a row has no times: "failed: ...", "wrong: ..." for values of which no result can be made, "not run:
/// ...".
QString whyNotTimed(const BenchRow& row, const QString& why);

/// A variant at one point of a benchmark. It points into `of`.
struct Entry {
    std::shared_ptr<const Compared> of;
    const BenchPoint* point;
    const BenchRow* row;
    std::size_t problem;     ///< index into problemsOf() of all compared benchmarks
    Rank rank{0, 0};         ///< by one time, among the rows of its problem on all devices that are not wrong
    bool otherThen = false;  ///< its kernel text differs from the one in thenOf()
    bool wrongThen = false;  ///< the result of the one in thenOf() was wrong

    bool onHost() const { return row->variant.on_host(); }
};

/// All entries, benchmark by benchmark, point by point.
std::vector<Entry> entriesOf(const ComparedList& all, double BenchSample::*time);
/// The same without ranks and comparisons, which take time to compute.
std::vector<Entry> unrankedEntries(const ComparedList& all);
/// Entries of one problem, or of each problem in turn; fastest first, those without samples last.
std::vector<Entry> fastestFirst(const std::vector<Entry>& entries, std::optional<std::size_t> problem,
                                double BenchSample::*time);

/// The row that changes of a row measured here are relative to: from the first opened report that contains
/// it. Null if there is none.
const BenchRow* thenOf(const Entry& entry, const ComparedList& all);

/// Current text_mark() of the user's kernels, by id.
using PresentTexts = std::map<std::string, std::string>;
/// Whether the text of a user's kernel has changed since the row was measured here.
bool isOfFormerText(const Compared& of, const BenchRow& row, const PresentTexts& present);

/// "gram.tiled"; "user.mine, text 3f2a61" for the text of a user's kernel, or "user.mine, former text 3f2a61"
/// if it has changed since; followed by ", tuned" if its runs used values from a table of tuned ones.
QString variantText(const Compared& of, const BenchRow& row, const PresentTexts& present);

/// "1", or "2-3" for a tie; empty without a rank.
QString rankText(const Rank& rank);

/// Sets of entries of one problem whose order is not significant: any two of a set are tied, nothing else is
/// tied with all of a set, and any two that are tied are in some set. Indices into `entries`, by their
/// medians.
std::vector<std::vector<std::size_t>> tiesOf(const std::vector<Entry>& entries, double BenchSample::*time);

/// Why all rows of a benchmark are tied with each other: "too few repeats for a significant order: at least 8
/// are needed"; among several, "too few repeats: 11 of 13 here; 10 of 13 on 2026-11-02". All entries of a
/// problem are ranked together, so more repeats are needed than for one benchmark alone. Empty: each
/// benchmark has enough.
QString tooFewRepeats(const std::vector<Entry>& entries, double BenchSample::*time);

/// "3 of 12 runs, because one run takes longer than 5 s"; empty if there are as many as planned, or the
/// benchmark has not ended.
QString fewerRuns(const Entry& entry);

/// The same variant on the same problem in another benchmark; null: there is none with samples.
const BenchRow* sameRow(const Compared& in, const Entry& entry);

/// "frames 500, height 201": those sizes of `point` that differ among all points.
QString pointText(const ParameterSet& point, const std::vector<std::string>& varied);

/// Nanoseconds spent building kernels in the first run; NaN if nothing was built.
double buildTime(const BenchRow& row);

/// The sample closest to the median; null without samples.
const BenchSample* medianSample(const BenchRow& row, double BenchSample::*time);

}  // namespace ks::ui::lab
