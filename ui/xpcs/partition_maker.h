#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/data/partition/q_partition.h"
#include "core/data/pixel_mask.h"
#include "core/io/files/file_record.h"
#include "core/io/files/file_states.h"
#include "ui/xpcs/partition_form.h"

namespace ks::ui {
class Jobs;
}

namespace ks::ui::xpcs {

/// What a partition is made from.
struct PartitionInput {
    PartitionChoice choice;
    std::size_t height = 0, width = 0;
    Geometry geometry;
    bool located = false;             ///< the geometry's beam is known
    PixelMask mask;                   ///< empty: none
    std::vector<std::int32_t> drawn;  ///< of PartitionChoice::Drawn, [y][x]
};

struct Partitioned {
    std::shared_ptr<const QPartition> partition;  ///< without the pixels that the mask ignores
    std::vector<BinMeaning> meanings;             ///< NaN where unknown
    std::vector<std::string> names;               ///< of bins, from a file; empty: none
    std::vector<std::string> notes;               ///< what is worth knowing: bins outside of the image
    bool plain = false;                           ///< the command line's --rings alone say it: no sectors
    /// Masked pixels (y * width + x) with the labels that they would have.
    std::vector<std::pair<std::uint32_t, std::int32_t>> masked;
    std::shared_ptr<const PartitionInput> input;
    FileRecord record = {};  ///< of the file with the labels, where one was read
    FileStates states = {};  ///< of the same, before it was read
};

/// Throws ks::Error(input).
Partitioned makePartition(std::shared_ptr<const PartitionInput> input);
/// Mean of a frame over each bin's valid pixels; NaN in bins without.
std::vector<double> binMeans(const QPartition& partition, const Array& frame);

/// Makes partitions in jobs. While one is under way, only the newest wish is kept, so that a hand that moves
/// sees every result that is ready.
class PartitionMaker : public QObject {
    Q_OBJECT
  public:
    explicit PartitionMaker(Jobs& jobs, QObject* parent = nullptr) : QObject(parent), jobs_(jobs) {}

    void make(PartitionInput input);
    /// What is under way is not wanted any more.
    void drop();
    bool busy() const { return busy_; }

  signals:
    void made(const ks::ui::xpcs::Partitioned& made);
    void failed(const ks::Error& error);

  private:
    void start(std::shared_ptr<const PartitionInput> input);
    void next();

    Jobs& jobs_;
    bool busy_ = false;
    std::shared_ptr<const PartitionInput> waiting_;
};

}  // namespace ks::ui::xpcs
