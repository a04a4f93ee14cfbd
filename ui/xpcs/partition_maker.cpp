#include "ui/xpcs/partition_maker.h"

#include <algorithm>
#include <limits>

#include "core/base/parallel.h"
#include "core/data/valid_pixels.h"
#include "core/io/files/data_name.h"
#include "core/io/labels/label_file.h"
#include "ui/base/jobs.h"

namespace ks::ui::xpcs {
namespace {

/// Frames up to this many pixels are partitioned synchronously: it takes a few milliseconds, without a paint
/// event in between.
constexpr std::size_t atOnce = 1 << 17;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

bool masksAny(const PixelMask& mask) {
    return std::any_of(mask.ignore.begin(), mask.ignore.end(), [](std::uint8_t value) { return value != 0; });
}

void requireShape(const QPartition& partition, const PartitionInput& input, const std::string& name) {
    if (partition.height() == input.height && partition.width() == input.width) return;
    throw Error(ErrorKind::input,
                "the labels have " + std::to_string(partition.height()) + " x " +
                    std::to_string(partition.width()) + " pixels, but the frames have " +
                    std::to_string(input.height) + " x " + std::to_string(input.width),
                name);
}

/// The static bins of a recipe; null: there is one in each bin.
std::shared_ptr<const StaticBins> staticsOf(const PartitionRecipe& recipe, const QPartition& partition) {
    if (recipe.static_per_radial <= 1 && recipe.static_per_sector <= 1) return nullptr;
    StaticPartition made = build_static_partition(partition.height(), partition.width(), recipe, nullptr);
    StaticBins statics{made.labels.labels(), std::move(made.dynamic_of)};
    // At the edge of a plain ring, rounding may put a pixel into another bin than its static bin is in: alone
    // there, it would be a static bin of its own.
    for (std::size_t i = 0; i < statics.labels.size(); ++i) {
        std::int32_t& label = statics.labels[i];
        if (label > 0 && statics.dynamicOf[static_cast<std::size_t>(label) - 1] != partition.labels()[i])
            label = 0;
    }
    return std::make_shared<const StaticBins>(std::move(statics));
}

}  // namespace

Partitioned makePartition(std::shared_ptr<const PartitionInput> input) {
    const PartitionChoice& choice = input->choice;
    Partitioned made;
    made.input = input;
    std::shared_ptr<QPartition> partition;
    if (choice.source == PartitionChoice::Rings) {
        if (!choice.problem.isEmpty()) throw Error(ErrorKind::input, choice.problem.toStdString());
        const auto rings = plainRings(choice.recipe);
        made.plain = rings.has_value();
        // Plain rings are made from their numbers exactly as in a run, pixel for pixel.
        partition =
            std::make_shared<QPartition>(rings ? QPartition::from_rings(input->height, input->width, *rings)
                                               : build_partition(input->height, input->width, choice.recipe));
        made.statics = staticsOf(choice.recipe, *partition);
    } else if (choice.source == PartitionChoice::Labels) {
        const std::string name = choice.dataset.toStdString();
        const std::filesystem::path path = io::DataName::parse(name).file;
        made.files.record = io::record_of(path);
        made.files.states.add(path);
        io::LabelFile file = io::read_labels(name);
        requireShape(file.labels, *input, name);
        made.names = std::move(file.names);
        if (!file.static_labels.empty())
            made.statics = std::make_shared<const StaticBins>(
                StaticBins{std::move(file.static_labels), std::move(file.dynamic_of)});
        for (std::size_t bin = 0; bin < file.q.size(); ++bin)
            made.meanings.push_back({file.q[bin], file.phi.empty() ? unknown : file.phi[bin]});
        partition = std::make_shared<QPartition>(std::move(file.labels));
    } else {
        partition =
            std::make_shared<QPartition>(input->height, input->width, input->drawn, "bins drawn by hand");
    }
    if (masksAny(input->mask)) {
        for (const std::uint32_t pixel : partition->pixels())
            if (input->mask.ignore[pixel] != 0) made.masked.emplace_back(pixel, partition->labels()[pixel]);
        partition->leave_out(input->mask.ignore);
    }
    if (choice.source == PartitionChoice::Rings) made.notes = empty_bins(*partition, choice.recipe);
    if (input->located && (input->geometry.complete() || made.meanings.empty()))
        made.meanings = partition->meanings(input->geometry);
    made.meanings.resize(partition->bins(), BinMeaning{unknown, unknown});
    made.partition = std::move(partition);
    return made;
}

std::vector<double> binMeans(const QPartition& partition, const Array& frame) {
    std::vector<double> means(partition.bins(), unknown);
    if (frame.size() != partition.labels().size()) return means;
    visit_element(frame.type(), [&]<class T>(T) {
        const auto values = frame.as<T>();
        parallel_for(partition.bins(), compute_threads(), [&](std::size_t bin) {
            double sum = 0;
            std::size_t valid = 0;
            for (std::uint32_t at = partition.offsets()[bin]; at < partition.offsets()[bin + 1]; ++at) {
                const T value = values[partition.pixels()[at]];
                if (!is_shown_count(value)) continue;
                sum += static_cast<double>(value);
                ++valid;
            }
            if (valid > 0) means[bin] = sum / static_cast<double>(valid);
        });
    });
    return means;
}

void PartitionMaker::make(PartitionInput input) {
    auto wish = std::make_shared<const PartitionInput>(std::move(input));
    if (busy_)
        waiting_ = std::move(wish);
    else
        start(std::move(wish));
}

void PartitionMaker::drop() {
    jobs_.drop(this, QStringLiteral("xpcs partition"));
    waiting_.reset();
    busy_ = false;
}

void PartitionMaker::start(std::shared_ptr<const PartitionInput> input) {
    // Only labels are read from a file.
    const bool reads = input->choice.source == PartitionChoice::Labels;
    if (!reads && input->height * input->width <= atOnce) {
        unread_ = {};
        try {
            emit made(xpcs::makePartition(std::move(input)));
        } catch (const Error& error) {
            emit failed(error);
        }
        return;
    }
    busy_ = true;
    const auto lane = reads ? Jobs::Lane::files : Jobs::Lane::general;
    const auto before = std::make_shared<FileStates>();
    jobs_.start(
        lane, this, QStringLiteral("xpcs partition"),
        [input, reads, before] {
            if (reads) before->add_unusable(io::DataName::parse(input->choice.dataset.toStdString()).file);
            return makePartition(input);
        },
        [this](const Partitioned& done) {
            busy_ = false;
            // Before the next job starts, so that requests made in the slot come after it.
            emit made(done);
            next();
        },
        [this, before](const Error& error) {
            busy_ = false;
            unread_ = *before;
            // The waiting request may be free of this error.
            if (!waiting_) emit failed(error);
            next();
        });
}

void PartitionMaker::next() {
    if (!busy_ && waiting_) start(std::exchange(waiting_, nullptr));
}

}  // namespace ks::ui::xpcs
