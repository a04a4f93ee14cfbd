#include "gpu/xpcs/gram_rows.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "gpu/runtime/cl_name.h"

namespace ks::gpu::xpcs {
namespace {

constexpr const char* source_file = "gpu/xpcs/regroup.cl";
constexpr std::uint64_t piece_bytes = std::uint64_t{8} << 20;

/// Frames per work-group: starting a group of one work-item pays only for several frames, as long as they
/// stay in the cache; a larger group reads the table of pixels once for all of them. A tile's frames are a
/// multiple.
std::size_t frames_of(std::size_t group, const ks::xpcs::CorrelationProblem& problem) {
    constexpr std::size_t cache = std::size_t{1} << 18, most = 16, in_registers = 4;
    if (group > 1) return in_registers;
    std::size_t frames = most;
    while (frames > 1 && frames * (problem.frames_bytes() / problem.frames()) > cache) frames /= 2;
    return frames;
}

/// Work-items that share a row: all that the device allows if rows are long, since the fewer frames are read
/// at a time, the more of them stay in the cache until all bins have taken their pixels.
std::size_t group_of(const DeviceInfo& info, const ks::xpcs::CorrelationProblem& problem) {
    if (info.type == "CPU") return 1;
    constexpr std::size_t long_row = 16384, sums_bytes = 4 * sizeof(cl_ulong);
    std::size_t group = problem.largest_bin() >= long_row ? 1024 : 256;
    while (group > 1 && (group > info.largest_work_group || group * sums_bytes > info.local_bytes))
        group /= 2;
    return group;
}

/// Pixels of a bin that are adjacent in a frame: those of bin b are runs[first[b] .. first[b + 1]).
struct PixelRuns {
    std::vector<std::uint32_t> first;
    std::vector<std::array<std::uint32_t, 2>> runs;  ///< first pixel, number
};

/// @param pixels of the partition, or their positions in a packed frame
PixelRuns runs_of(const ks::QPartition& partition, std::span<const std::uint32_t> pixels) {
    PixelRuns all;
    all.first.reserve(partition.bins() + 1);
    all.runs.reserve(partition.selected() / 4);
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

/// Type of a lane's part of the sum of a row: 32 bits if the whole sum fits.
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
    if (shape.step > 0) defines["STEP"] = std::to_string(shape.step);
    if (shape.product == GramShape::Product::wgmma) defines["ALTERNATE"] = "1";
    if (shape.planes > 1) defines["PLANES"] = std::to_string(shape.planes);
    return defines;
}

}  // namespace

GramRows::GramRows(LaunchContext& context, const ks::xpcs::CorrelationProblem& problem,
                   const GramShape& shape, const GramPlan& plan, FramesOnDevice& frames,
                   const StagingPlan& staging)
    : context_(context),
      problem_(problem),
      shape_(shape),
      plan_(plan),
      frames_(frames),
      staging_plan_(staging),
      group_(group_of(context.info(), problem)),
      group_frames_(frames_of(group_, problem)),
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
    // In pieces, so that a cancellation takes effect between them.
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

DeviceSlab GramRows::make(const RowSlab& slab) const {
    DeviceSlab made;
    made.rows = context_.buffer(slab.elements * size_of(shape_.row_type));
    made.sums = context_.buffer(slab.group.bins() * slab.padded * sizeof(cl_ulong));
    made.blocks = context_.table("upload tables", slab.blocks);
    made.row_lengths = context_.table("upload tables", slab.row_lengths);
    return made;
}

void GramRows::upload(std::size_t index, std::size_t buffer) {
    if (plan_.resident) {
        upload_band(index);
        return;
    }
    const RowSlab& slab = plan_.slabs[index];
    DeviceSlab made = make(slab);
    if (slab.elements > 0) upload_rows(slab, made, staging_[buffer]);
    resident_[index] = std::move(made);
}

void GramRows::upload_rows(const RowSlab& slab, DeviceSlab& to, std::span<const std::byte> rows) {
    if (staging_plan_.stages(rows.size())) {
        if (!staged_) staged_.emplace(context_, staging_plan_);
        staged_->upload(StagedUpload::from_memory("upload rows", rows), to.rows, 0, rows.size());
    } else {
        context_.upload("upload rows", to.rows, rows);
    }
    set_arguments(kernel_, *to.blocks, *to.row_lengths, to.rows, to.sums);
    context_.launch("row sums", kernel_, {group_, slab.padded / group_frames_, slab.group.bins()},
                    {group_, 1, 1}, {rows.size(), slab.elements});
    take_sums(slab, to);
}

void GramRows::take_sums(const RowSlab& slab, DeviceSlab& to) const {
    if (shape_.fp64) return;
    to.host_sums =
        context_.downloaded<std::uint64_t>("download sums", to.sums, slab.group.bins() * slab.padded);
}

void GramRows::upload_band(std::size_t band) {
    const RowSlab& slab = plan_.slabs.front();
    if (band == 0) resident_[0] = make(slab);
    if (slab.elements == 0) return;
    const std::uint64_t others = plan_.stream.fixed_bytes + plan_.stream.slabs.front().device_bytes;
    frames_.bring(plan_.bands[band], others);
    if (band == 0) upload_places(others);
    regroup(plan_.steps[band]);
    if (band + 1 == plan_.bands.size()) take_sums(slab, resident_[0]);
}

void GramRows::upload_places(std::uint64_t others) {
    const ks::QPartition& partition = problem_.partition();
    const std::string key = problem_.partition_key() + (frames_.packed() ? " packed" : "");
    // The plan counts the tables as fixed; here they stay, as the frames do.
    const auto keep = [&](const std::string& name, std::span<const std::byte> values) {
        const std::uint64_t tables =
            (partition.pixels_of_whole().size() + partition.bins()) * sizeof(std::uint32_t);
        return resident(context_, {name, "upload partition", values.size(), values.size(), values, {}},
                        others - std::min(others, tables));
    };
    const auto find = [&](const char* first, const char* second) {
        offsets_ = context_.device().find_resident(key + first);
        places_ = context_.device().find_resident(key + second);
        return offsets_ && places_;
    };
    if (group_ == 1) {
        if (find(" first runs", " runs")) return;
        const PixelRuns runs = runs_of(partition, frames_.places());
        offsets_ = keep(key + " first runs", std::as_bytes(std::span(runs.first)));
        places_ = keep(key + " runs", std::as_bytes(std::span(runs.runs)));
        return;
    }
    if (frames_.packed()) {
        if (find(" offsets", " pixels")) return;
        offsets_ = keep(key + " offsets", std::as_bytes(std::span(partition.offsets())));
        places_ = keep(key + " pixels", std::as_bytes(frames_.places()));
        return;
    }
    // Parts share the table of all pixels, which stays while parts change.
    std::vector<std::uint32_t> offsets = partition.offsets();
    for (std::uint32_t& offset : offsets) offset += static_cast<std::uint32_t>(partition.first_pixel());
    offsets_ = keep(key + " offsets", std::as_bytes(std::span(offsets)));
    places_ = keep(problem_.whole_partition_key() + " pixels", std::as_bytes(partition.pixels_of_whole()));
}

void GramRows::regroup(const PairStep& band) {
    const RowSlab& slab = plan_.slabs.front();
    const DeviceSlab& to = resident_.at(0);
    set_arguments(kernel_, frames_.buffer(), *offsets_, *places_, *to.blocks, *to.row_lengths, to.rows,
                  to.sums, static_cast<cl_uint>(problem_.frames()),
                  static_cast<cl_uint>(frames_.frame_pixels()), static_cast<cl_uint>(slab.padded));
    const std::size_t bins = slab.group.bins(), first = band.first / group_frames_,
                      pieces = (band.end - band.first) / group_frames_;
    const std::uint64_t count = band.end - band.first, elements = slab.elements / slab.padded * count,
                        read = problem_.partition().selected() * count * size_of(problem_.source_type());
    context_.launch("regroup", kernel_, cl::NDRange(group_, bins, pieces), {group_, 1, 1},
                    {read + elements * size_of(shape_.row_type), elements}, cl::NDRange(0, 0, first));
}

void GramRows::add_read_time() {
    if (reading_.launches > 0) add(context_.timings(), reading_);
}

}  // namespace ks::gpu::xpcs
