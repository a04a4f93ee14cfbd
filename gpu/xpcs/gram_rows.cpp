#include "gpu/xpcs/gram_rows.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "gpu/runtime/cl_name.h"
#include "gpu/xpcs/frames_on_device.h"

namespace ks::gpu::xpcs {
namespace {

constexpr const char* source_file = "gpu/xpcs/regroup.cl";
constexpr std::uint64_t piece_bytes = std::uint64_t{8} << 20;

/// Frames of a work-group: a group of one work-item is worth its start only with several, as long as they
/// stay in the cache. A tile's frames are a multiple.
std::size_t frames_of(std::size_t group, const ks::xpcs::CorrelationProblem& problem) {
    constexpr std::size_t cache = std::size_t{1} << 18, most = 16;
    if (group > 1) return 1;
    std::size_t frames = most;
    while (frames > 1 && frames * (problem.frames_bytes() / problem.frames()) > cache) frames /= 2;
    return frames;
}

/// Pixels of a bin that lie side by side: those of bin b are runs[first[b] .. first[b + 1]).
struct PixelRuns {
    std::vector<std::uint32_t> first;
    std::vector<std::array<std::uint32_t, 2>> runs;  ///< first pixel, number
};

PixelRuns runs_of(const ks::QPartition& partition) {
    PixelRuns all;
    all.first.reserve(partition.bins() + 1);
    all.runs.reserve(partition.selected() / 4);
    const std::vector<std::uint32_t>& pixels = partition.pixels();
    for (std::size_t bin = 0; bin < partition.bins(); ++bin) {
        all.first.push_back(static_cast<std::uint32_t>(all.runs.size()));
        for (std::size_t i = partition.offsets()[bin]; i < partition.offsets()[bin + 1]; ++i) {
            const bool begins =
                all.runs.size() == all.first.back() || pixels[i] != all.runs.back()[0] + all.runs.back()[1];
            if (begins) all.runs.push_back({pixels[i], 0});
            ++all.runs.back()[1];
        }
    }
    all.first.push_back(static_cast<std::uint32_t>(all.runs.size()));
    return all;
}

/// Type of a lane's part of the sum of a row: 32 bits where the whole sum fits.
std::string lane_type(const GramShape& shape, const ks::xpcs::CorrelationProblem& problem) {
    if (shape.floats) return "double";
    const double largest = problem.max_count() * static_cast<double>(problem.partition().selected());
    return largest < 4294967295.0 ? "uint" : "ulong";
}

std::map<std::string, std::string> regroup_defines(const GramShape& shape,
                                                   const ks::xpcs::CorrelationProblem& problem,
                                                   std::size_t group, bool on_device) {
    std::map<std::string, std::string> defines{{"ELEM", cl_name(shape.row_type)},
                                               {"S_T", shape.defines.at("S_T")},
                                               {"SUM", lane_type(shape, problem)},
                                               {"LANES", group > 1      ? "4"
                                                         : shape.floats ? "8"
                                                                        : "16"},
                                               {"FRAMES", std::to_string(frames_of(group, problem))},
                                               {"WG", std::to_string(group)}};
    if (on_device) defines["SRC"] = cl_name(problem.source_type());
    return defines;
}

}  // namespace

GramRows::GramRows(LaunchContext& context, const ks::xpcs::CorrelationProblem& problem,
                   const GramShape& shape, const GramPlan& plan)
    : context_(context),
      problem_(problem),
      shape_(shape),
      plan_(plan),
      group_(context.info().type == "CPU" ? 1 : 128),
      frames_(frames_of(group_, problem)),
      kernel_(context.kernel(source_file, plan.resident ? "regroup" : "row_sums",
                             regroup_defines(shape, problem, group_, plan.resident))) {}

void GramRows::read(std::size_t index, std::size_t buffer) {
    if (plan_.resident) return;  // the raw frames are regrouped on the device
    Stopwatch watch;
    const RowSlab& slab = plan_.slabs[index];
    staging_[buffer].make_room(slab.elements * size_of(shape_.row_type));
    switch (shape_.row_type) {
        case ElementType::u8:
            gather<std::uint8_t>(slab, staging_[buffer]);
            break;
        case ElementType::i16:  // counts up to 32767: the same bits
        case ElementType::u16:
            gather<std::uint16_t>(slab, staging_[buffer]);
            break;
        case ElementType::u32:
            gather<std::uint32_t>(slab, staging_[buffer]);
            break;
        default:
            gather<float>(slab, staging_[buffer]);
            break;
    }
    add_piece(reading_, watch.lap());
    reading_.bytes += staging_[buffer].size();
    ++reading_.launches;
}

template <class T>
void GramRows::gather(const RowSlab& slab, RawBytes& staging) {
    // In pieces, so that Cancel takes effect between them.
    const std::uint64_t frame_bytes = problem_.frames_bytes() / problem_.frames();
    const std::size_t piece = std::clamp<std::size_t>(piece_bytes / frame_bytes, 1, slab.frames);
    T* const rows = reinterpret_cast<T*>(staging.data());
    for (std::size_t t = 0; t < slab.frames; t += piece) {
        context_.progress().check();
        problem_.gather<T>(slab.group.bin0, slab.group.bin1, slab.frame0 + t,
                           std::min(piece, slab.frames - t), GramShape::row_length(1), rows,
                           {t, slab.padded});
    }
    for (std::size_t bin = 0; bin < slab.group.bins(); ++bin) {
        const std::size_t row = slab.row_lengths[bin];
        std::fill_n(rows + slab.blocks[bin] + slab.frames * row, (slab.padded - slab.frames) * row, T{0});
    }
}

void GramRows::upload(std::size_t index, std::size_t buffer) {
    const RowSlab& slab = plan_.slabs[index];
    DeviceSlab made;
    made.rows = context_.buffer(slab.elements * size_of(shape_.row_type));
    made.sums = context_.buffer(slab.group.bins() * slab.padded * sizeof(cl_ulong));
    const auto blocks = context_.table("upload tables", slab.blocks),
               row_lengths = context_.table("upload tables", slab.row_lengths);
    const std::uint64_t row_bytes = slab.elements * size_of(shape_.row_type);
    if (slab.elements > 0) {
        if (plan_.resident) {
            regroup(slab, made, *blocks, *row_lengths);
        } else {
            context_.upload("upload rows", made.rows, staging_[buffer]);
            set_arguments(kernel_, *blocks, *row_lengths, made.rows, made.sums);
            context_.launch("row sums", kernel_, {group_, slab.padded / frames_, slab.group.bins()},
                            {group_, 1, 1}, {row_bytes, slab.elements});
        }
        if (!shape_.fp64)
            made.host_sums = context_.downloaded<std::uint64_t>("download sums", made.sums,
                                                                slab.group.bins() * slab.padded);
    }
    resident_[index] = std::move(made);
}

void GramRows::regroup(const RowSlab& slab, DeviceSlab& to, const Buffer& blocks, const Buffer& row_lengths) {
    const ks::QPartition& partition = problem_.partition();
    const std::uint64_t others = plan_.stream.fixed_bytes + plan_.stream.slabs[0].device_bytes;
    const std::shared_ptr<const Buffer> frames = frames_on_device(context_, problem_, others);
    // The plan counts the tables among what is fixed; here they stay, as the frames do.
    const PixelRuns runs = group_ == 1 ? runs_of(partition) : PixelRuns{};
    const auto first = std::as_bytes(std::span(group_ == 1 ? runs.first : partition.offsets())),
               pixels = group_ == 1 ? std::as_bytes(std::span(runs.runs))
                                    : std::as_bytes(std::span(partition.pixels()));
    const std::uint64_t beside = others - std::min<std::uint64_t>(others, first.size() + pixels.size());
    const auto table = [&](const char* name, std::span<const std::byte> values) {
        return resident(
            context_,
            {problem_.partition_key() + name, "upload partition", values.size(), values.size(), values, {}},
            beside);
    };
    const auto offsets = table(group_ == 1 ? " first runs" : " offsets", first),
               places = table(group_ == 1 ? " runs" : " pixels", pixels);
    set_arguments(kernel_, *frames, *offsets, *places, blocks, row_lengths, to.rows, to.sums,
                  static_cast<cl_uint>(problem_.frames()),
                  static_cast<cl_uint>(problem_.height() * problem_.width()));
    const std::uint64_t read =
        std::uint64_t{partition.selected()} * problem_.frames() * size_of(problem_.source_type());
    const std::size_t bins = slab.group.bins(), pieces = slab.padded / frames_;
    context_.launch("regroup", kernel_,
                    group_ == 1 ? cl::NDRange(1, bins, pieces) : cl::NDRange(group_, pieces, bins),
                    {group_, 1, 1}, {read + slab.elements * size_of(shape_.row_type), slab.elements});
}

void GramRows::add_read_time() {
    if (reading_.launches > 0) add(context_.timings(), reading_);
}

}  // namespace ks::gpu::xpcs
