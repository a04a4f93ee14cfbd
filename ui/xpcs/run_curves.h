#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/data/partition/q_partition.h"
#include "core/run/run.h"
#include "ui/files/open_file.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/map_plot.h"
#include "ui/runs/queued_job.h"
#include "ui/runs/run_table_model.h"

namespace ks::ui::xpcs {

/// g2 of every bin of every run as curves over the delay: in seconds if all runs know the frame time,
/// otherwise in frames of the file, also of runs that skip or add up frames.
struct G2Curves {
    QVector<CurveSeries> series;
    QString delayUnit;  ///< "s" or "frames"
    /// "run 1, run 2": runs on the same bins of which other pixels are left by their masks. Empty: none.
    QStringList otherMasks = {};
    bool sectors = false;           ///< labels have azimuths
    std::vector<int> numbers = {};  ///< of the run of each of the series
};
/// The bins that are switched off in the table of bins.
struct BinsOff {
    std::vector<int> labels = {};
    std::shared_ptr<const QPartition> bins = nullptr;  ///< those of the table; null: those of every run

    /// Those of a run: none if its bins are not those of the table, whatever is masked.
    std::vector<int> of(const Run& run) const;
};

/// The delays of a run. @param seconds otherwise frames of the file
std::vector<double> shownDelays(const Run& run, bool seconds);

/// Runs of other frames than the open file's, or of its earlier content, come last, as foreign curves that
/// name their file; null: all runs are of these frames.
/// @param off bins that are not shown
G2Curves g2Curves(const std::vector<RunRow>& runs, const BinsOff& off, const OpenFile* frames = nullptr);

/// Label of the bin of each pixel that the run used, [y][x], 0: none, as of masked pixels. Empty: the run
/// does not contain them. Valid as long as the run.
std::span<const std::int32_t> labelsOf(const Run& run);
/// The errors of the curves as separate curves, without that of a last delay with a single pair of frames,
/// which has no spread: it would be 0, and all others would lie flat below the axis.
QVector<CurveSeries> errorsOf(QVector<CurveSeries> curves);

/// The two-time map of a run; nullopt if it has none.
std::optional<MapData> twoTimeMap(const Run& run, QString* unit = nullptr);
/// Label of the bin whose two-time map the run contains; 0: none.
int twoTimeBin(const Run& run);

/// Whether a variant makes two-time maps.
bool makesTwoTime(const Variant& variant);

/// The job that computes the two-time map of one bin of a run: the run's request reduced to this bin, so that
/// it takes only a fraction of the time. nullopt if the run has no such bin.
/// @param label of the bin, 1..n
std::optional<Supplement> twoTimeSupplement(const RunRow& row, int label);

/// Two-time maps of several runs and bins. The oldest are dropped beyond `limit` bytes.
class TwoTimeMaps {
  public:
    static constexpr std::size_t limit = std::size_t{256} << 20;

    struct Entry {
        int number;  ///< number of the run
        int label;   ///< label of the bin
        MapData map;
        QString unit;  ///< unit of its axes
    };
    /// Stores the run's map; no effect if it has none.
    void keep(const RunRow& row);
    /// Null if there is none. Valid until the next keep().
    const Entry* find(int number, int label) const;

  private:
    std::deque<Entry> entries_;  ///< oldest first
};

}  // namespace ks::ui::xpcs
