#pragma once

#include <QObject>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/data/partition/q_partition.h"
#include "core/data/pixel_mask.h"
#include "ui/files/open_file.h"
#include "ui/xpcs/partition_form.h"

namespace ks::ui {
class Jobs;
}

namespace ks::ui::xpcs {

/// Everything a partition is made from.
struct PartitionInput {
    PartitionChoice choice;
    std::size_t height = 0, width = 0;
    Geometry geometry;
    bool located = false;             ///< the beam position is known
    PixelMask mask;                   ///< empty: none
    std::vector<std::int32_t> drawn;  ///< for PartitionChoice::Drawn, [y][x]
};

/// Finer bins inside the bins, without regard to the mask.
struct StaticBins {
    std::vector<std::int32_t> labels;     ///< [y][x]; 0: in none
    std::vector<std::int32_t> dynamicOf;  ///< the bin of each label; empty: not known
};

struct Partitioned {
    std::shared_ptr<const QPartition> partition;  ///< without masked pixels
    std::vector<BinMeaning> meanings;             ///< NaN if unknown
    std::vector<std::string> names;               ///< names of bins from a file; empty: none
    std::vector<std::string> notes;               ///< remarks, for example bins outside the image
    bool plain = false;                           ///< can be expressed by --rings alone: no sectors
    /// Masked pixels (y * width + x) with the labels that they would otherwise have.
    std::vector<std::pair<std::uint32_t, std::int32_t>> masked;
    std::shared_ptr<const StaticBins> statics;  ///< null: the bins have none
    std::shared_ptr<const PartitionInput> input;
    DataFiles files = {};  ///< the label file, if one was read
};

/// Throws ks::Error(input).
Partitioned makePartition(std::shared_ptr<const PartitionInput> input);
/// Mean of a frame over the valid pixels of each bin; NaN in bins without any.
std::vector<double> binMeans(const QPartition& partition, const Array& frame);

/// Makes partitions as jobs. While one is running, only the newest request is kept, so that a drag shows
/// every result that is ready.
class PartitionMaker : public QObject {
    Q_OBJECT
  public:
    explicit PartitionMaker(Jobs& jobs, QObject* parent = nullptr) : QObject(parent), jobs_(jobs) {}

    void make(PartitionInput input);
    /// Cancels the running job.
    void drop();
    bool busy() const { return busy_; }
    /// The newest request has not been answered yet.
    bool awaited() const { return busy_ || waiting_; }
    /// The file that the newest request that failed reads, as it was before that; empty: it reads none.
    const FileStates& unread() const { return unread_; }

  signals:
    void made(const ks::ui::xpcs::Partitioned& made);
    void failed(const ks::Error& error);

  private:
    void start(std::shared_ptr<const PartitionInput> input);
    void next();

    Jobs& jobs_;
    bool busy_ = false;
    FileStates unread_;
    std::shared_ptr<const PartitionInput> waiting_;
};

}  // namespace ks::ui::xpcs
