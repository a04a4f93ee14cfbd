#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "core/run/bench.h"
#include "core/run/bench_statistics.h"

namespace ks::ui::lab {

/// A benchmark among those that are compared.
struct Compared {
    BenchReport report;  ///< as far as it has come
    QString file = {};   ///< that it was opened from; empty: it was measured here
    bool complete = false;
    QString label = {};  ///< of its device, where another one has the same name
    /// File of the session that it comes from: it was measured here, at an earlier start. Empty: at this one.
    QString kept = {};

    /// "NVIDIA H100", of one that was opened or comes from an earlier start "NVIDIA H200, 2026-11-02".
    QString name() const;
    /// The same of what ran on the host: "host: AMD EPYC 9454".
    QString nameOfHost() const;
    /// Whether its device is one of this start.
    bool isNow() const { return file.isEmpty() && kept.isEmpty(); }

  private:
    QString withDay(const QString& device) const;
};
using ComparedList = std::vector<std::shared_ptr<const Compared>>;

/// What times are of: only those of one problem can be compared.
struct LabProblem {
    ParameterSet sizes;
    BenchFrom from = BenchFrom::device;

    bool operator==(const LabProblem&) const = default;
};
/// Of all benchmarks, each once, in the order of their first.
std::vector<LabProblem> problemsOf(const ComparedList& all);
/// "frames 500, height 201, from memory": of each what differs among all of them.
QStringList problemTexts(const std::vector<LabProblem>& problems);
/// One sentence where benchmarks have problems that others lack, with those of each; else empty.
QString differenceText(const ComparedList& all);

/// A variant at one point of a benchmark. It points into `of`.
struct Entry {
    std::shared_ptr<const Compared> of;
    const BenchPoint* point;
    const BenchRow* row;
    std::size_t problem;     ///< in problemsOf() of all that are compared
    Rank rank{0, 0};         ///< by one time, among all rows of its problem, of whatever device
    bool otherThen = false;  ///< its text was another one in thenOf()

    bool onHost() const { return row->variant.on_host(); }
};

/// All of them, benchmark after benchmark, point after point.
std::vector<Entry> entriesOf(const ComparedList& all, double BenchSample::*time);
/// The same without ranks and comparisons, which take time to compute.
std::vector<Entry> unrankedEntries(const ComparedList& all);
/// Those of one problem, or of each problem after the other; fastest first, those without samples last.
std::vector<Entry> fastestFirst(const std::vector<Entry>& entries, std::optional<std::size_t> problem,
                                double BenchSample::*time);

/// What changes of a row that was measured here are counted from: the first report that was opened and has
/// the row; null where none has it.
const BenchRow* thenOf(const Entry& entry, const ComparedList& all);

/// "gram.tiled"; "user.mine, text 3f2a61" for a text of the user's own; ", tuned" behind it where its runs
/// took values of a table of tuned ones.
QString variantText(const BenchRow& row);

/// "1", "2-3" where it is tied with others; empty without a place.
QString rankText(const Rank& rank);

/// Entries of one problem whose order is not sure: each two of a set are tied, and no set is
/// part of another. Indices into `entries`, by their medians.
std::vector<std::vector<std::size_t>> tiesOf(const std::vector<Entry>& entries, double BenchSample::*time);

/// Why all are tied: "too few repeats for a significant order: at least 8 are needed", of the first benchmark
/// that has too few. Else empty.
QString tooFewRepeats(const std::vector<Entry>& entries);

/// The same variant on the same problem in another benchmark; null: there is none with samples.
const BenchRow* sameRow(const Compared& in, const Entry& entry);

/// "frames 500, height 201": of the sizes of `point` those that differ among all points.
QString pointText(const ParameterSet& point, const std::vector<std::string>& varied);

/// Nanoseconds that building kernels took in the first run; NaN where nothing was built.
double buildTime(const BenchRow& row);

/// The sample whose time is the nearest to the median; null without samples.
const BenchSample* medianSample(const BenchRow& row, double BenchSample::*time);

}  // namespace ks::ui::lab
