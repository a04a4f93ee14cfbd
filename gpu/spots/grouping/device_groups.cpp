#include "gpu/spots/grouping/device_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/parallel.h"
#include "core/spots/module_layout.h"
#include "core/spots/results/marked_pixels.h"
#include "core/spots/results/spot_columns.h"
#include "gpu/runtime/tuned_defines.h"
#include "gpu/spots/frame_room.h"
#include "gpu/spots/kernel_sets.h"
#include "gpu/spots/lib/test_table.h"

namespace ks::gpu::spots {
namespace {

bool has_numbers(const PlaneShape& shape) {
    return shape.pixels() < std::numeric_limits<std::uint32_t>::max();
}

/// The positions of a frame's pixels in a plane of its modules: pixel (y, x) is at rows[y] + columns[x], or
/// nowhere if one of these says so.
struct FramePlaces {
    static constexpr std::uint32_t nowhere = 0xffffffff;
    std::vector<std::uint32_t> rows, columns;

    /// Whether of() finds them; always for whole frames.
    static bool exist(const ks::spots::ModuleLayout& layout, const PlaneShape& shape) {
        return layout.is_whole() ? has_numbers(shape) : of(layout, shape).has_value();
    }
    /// Nothing if modules are not arranged in rows and columns, or if the plane has 2^32 pixels or more.
    static std::optional<FramePlaces> of(const ks::spots::ModuleLayout& layout, const PlaneShape& shape) {
        if (!has_numbers(shape)) return {};
        const auto& origins = layout.origins;
        std::size_t across = 0;  // modules per row
        while (across < origins.size() && origins[across].y == origins[0].y) ++across;
        FramePlaces places{std::vector<std::uint32_t>(layout.frame_height, nowhere),
                           std::vector<std::uint32_t>(layout.frame_width, nowhere)};
        for (std::size_t m = 0; m < origins.size(); ++m) {
            const auto& origin = origins[m];
            const std::size_t row = m / across, column = m % across;
            if (origin.y != origins[row * across].y || origin.x != origins[column].x) return {};
            if (column == 0)
                for (std::size_t y = 0; y < layout.height; ++y) {
                    std::uint32_t& place = places.rows[origin.y + y];
                    if (place != nowhere) return {};
                    place = static_cast<std::uint32_t>(shape.offset(row * across, y, 0));
                }
            if (row == 0)
                for (std::size_t x = 0; x < layout.width; ++x) {
                    std::uint32_t& place = places.columns[origin.x + x];
                    if (place != nowhere) return {};
                    place = static_cast<std::uint32_t>(shape.offset(column, 0, x) - shape.offset(0, 0, 0));
                }
        }
        return places;
    }
};

using ks::spots::SpotRecord;

constexpr const char *gather_file = "gpu/spots/grouping/frame_bits.cl",
                     *link_file = "gpu/spots/grouping/link.cl",
                     *measure_file = "gpu/spots/grouping/measure.cl",
                     *table_file = "gpu/spots/grouping/table.cl";
constexpr std::size_t word = sizeof(std::uint32_t), words_of_piece = 8;
constexpr std::size_t frames_at = 8;  ///< FRAMES of gpu/spots/grouping/records.cl
constexpr std::size_t smallest_expected = 1024;

const TuningTable& grouping_tuning() {
    static const TuningTable rows{{"", "", {{"WG", "256"}, {"ITEMS", "4"}, {"LANES", "16"}}},
                                  {"CPU", "", {{"WG", "16"}, {"ITEMS", "64"}, {"LANES", "16"}}},
                                  {"Oclgrind", "", {{"ATOMIC_READS", "1"}}}};
    return rows;
}

PlaneShape in_frames(const SpotProblem& problem, std::size_t frames) {
    return {frames, problem.height(), problem.width()};
}

std::string before_key(const SpotProblem& problem, std::size_t at_once, const char* what) {
    return fmt::format("spots {} of {} at once: {}", problem.shared()->key(), at_once, what);
}

}  // namespace

bool DeviceGroups::takes(const SpotProblem& problem, const LaunchContext& context) {
    return !is_float(problem.type()) && context.info().has_extension("cl_khr_int64_base_atomics") &&
           context.info().has_extension("cl_khr_int64_extended_atomics") &&
           FramePlaces::exist(problem.layout(), shape_of(problem));
}

DeviceGroups::DeviceGroups(const SpotProblem& problem, std::size_t at_once, bool goes_on,
                           LaunchContext& context)
    : problem_(problem),
      modules_(shape_of(problem)),
      frames_(in_frames(problem, at_once)),
      at_once_(at_once),
      makes_table_(!goes_on && context.info().fp64),
      goes_on_(goes_on && !problem.grouping().stills),
      linked_(at_once > 1 && !problem.grouping().stills),
      lists_(frames_, at_once, problem.type(), context, true),
      room_(std::max<std::size_t>(64, lists_.capacity() / 8)),
      signal_key_(before_key(problem, at_once, "signal")),
      spots_key_(before_key(problem, at_once, "spots")),
      signal_before_(context.device().seen_before(signal_key_)),
      spots_before_(context.device().seen_before(spots_key_)) {
    auto defines = tuned(grouping_tuning(), context.info(), problem.type());
    group_ = number(defines, "WG");
    block_ = group_ * number(defines, "ITEMS");
    lanes_ = number(defines, "LANES");
    groups_ = std::max<std::size_t>(1, context.info().compute_units) * (context.info().type == "GPU" ? 8 : 1);
    defines["LINKED"] = std::to_string(int{linked_});
    if (!problem.layout().is_whole()) gather_ = context.kernel(gather_file, "frame_bits", {});
    join_ = context.kernel(link_file, "join_runs", defines);
    count_ = context.kernel(link_file, "count_roots", defines);
    number_ = context.kernel(link_file, "number_roots", defines);
    defines.erase("ITEMS");
    defines["SRC"] = common_defines(problem).at("SRC");
    defines["LABELS"] = std::to_string(int{goes_on_});
    sum_ = context.kernel(measure_file, "sum_runs", defines);
    background_ = context.kernel(measure_file, "sum_background", defines);
    if (makes_table_) table_ = context.kernel(table_file, "write_table", {});
}

std::uint64_t DeviceGroups::once_bytes() const {
    return (problem_.height() + problem_.width() + 2 * modules_.modules) * word;
}

std::uint64_t DeviceGroups::pending_bytes() const {
    const std::size_t nodes = lists_.capacity();
    const std::uint64_t bits = frames_.bit_bytes() * (problem_.layout().is_whole() ? 1 : 2);
    return lists_.pending_bytes() + bits + nodes * word * (linked_ ? 4 : 2) + (goes_on_ ? nodes : 1) * word +
           (nodes / block_ + 1) * 2 * word + room_ * words_of_piece * word + found_bytes(room_, nodes) +
           (makes_table_ ? room_ * sizeof(SpotRecord) : 0) + at_once_ * word;
}

std::size_t DeviceGroups::head_bytes() const {
    return rounded_up((frames_at + at_once_ + 1) * sizeof(std::uint64_t), sizeof(SpotRecord));
}

cl_uint DeviceGroups::records_before() const {
    return makes_table_ ? 0 : static_cast<cl_uint>(head_bytes() / sizeof(SpotRecord));
}

std::size_t DeviceGroups::found_bytes(std::size_t spots, std::size_t signal) const {
    return head_bytes() + (makes_table_ ? ks::spots::table_bytes(spots) + rounded_up(signal, 2) * word
                                        : spots * sizeof(SpotRecord));
}

void DeviceGroups::prepare(LaunchContext& context) {
    DeviceContext& device = context.device();
    const std::string key = mask_key(problem_);
    const auto kept = [&](const char* what, const auto& make) {
        const std::string name = fmt::format("{} {}", key, what);
        if (auto known = device.find_resident(name)) return known;
        const std::vector<std::uint32_t> values = make();
        return device.keep_resident(name, context.uploaded<std::uint32_t>("upload places", values));
    };
    const auto places = [&] { return *FramePlaces::of(problem_.layout(), modules_); };
    row_at_ = kept("rows", [&] { return places().rows; });
    column_at_ = kept("columns", [&] { return places().columns; });
    if (problem_.layout().is_whole()) return;
    origins_ = kept("origins", [&] {
        std::vector<std::uint32_t> origins;
        for (const auto& origin : problem_.layout().origins) {
            origins.push_back(static_cast<std::uint32_t>(origin.y));
            origins.push_back(static_cast<std::uint32_t>(origin.x));
        }
        return origins;
    });
}

DeviceGroups::Pending DeviceGroups::make(LaunchContext& context) const {
    const std::size_t nodes = lists_.capacity() * word;
    Pending made;
    made.list = lists_.make(context);
    if (!problem_.layout().is_whole()) made.frame_bits = context.buffer(frames_.bit_bytes());
    made.ranks = context.buffer(frames_.bit_bytes());
    made.piece_parent = context.buffer(nodes);
    made.piece_numbers = context.buffer(nodes);
    if (linked_) {
        made.spot_parent = context.buffer(nodes);
        made.spot_numbers = context.buffer(nodes);
    }
    made.counts = context.buffer((lists_.capacity() / block_ + 1) * 2 * word);
    made.pieces = context.buffer(room_ * words_of_piece * word);
    if (makes_table_) made.records = context.buffer(room_ * sizeof(SpotRecord));
    made.found = context.buffer(found_bytes(room_, lists_.capacity()));
    made.labels = context.buffer(goes_on_ ? nodes : word);
    return made;
}

const Buffer& DeviceGroups::spot_parent(const Pending& pending) const {
    return linked_ ? pending.spot_parent : pending.piece_parent;
}

const Buffer& DeviceGroups::spot_numbers(const Pending& pending) const {
    return linked_ ? pending.spot_numbers : pending.piece_numbers;
}

const Buffer& DeviceGroups::records(const Pending& pending) const {
    return makes_table_ ? pending.records : pending.found;
}

void DeviceGroups::enqueue(LaunchContext& context, const FrameOnDevice& on_device,
                           std::span<const std::size_t> numbers, Pending& pending) {
    pending.frames.assign(numbers.begin(), numbers.end());
    gather_bits(context, on_device, pending);
    const Buffer& bits = bits_of(on_device.bits, pending);
    place_frames(context, pending);
    Launches launches = lists_.ranked(bits, numbers.size(), pending.list,
                                      {pending.ranks, pending.piece_parent, spot_parent(pending)});
    link(bits, pending, launches);
    measure(on_device, bits, pending, launches);
    if (makes_table_) make_table(pending, launches);
    context.launch_in_turn("group signal", launches);
    const auto expected = [&](std::size_t before, std::size_t most) {
        return std::min(most, std::max(smallest_expected * at_once_, before + before / 32));
    };
    read(context, pending, expected(signal_before_, lists_.capacity()), expected(spots_before_, room_));
}

const Buffer& DeviceGroups::bits_of(const Buffer& bits, const Pending& pending) const {
    return problem_.layout().is_whole() ? bits : pending.frame_bits;
}

void DeviceGroups::gather_bits(LaunchContext& context, const FrameOnDevice& on_device, Pending& pending) {
    if (problem_.layout().is_whole()) return;
    context.fill("clear bits", pending.frame_bits, cl_uint{0},
                 in_frames(problem_, pending.frames.size()).bit_bytes());
    PlaneShape modules = modules_;
    modules.modules *= pending.frames.size();
    set_arguments(gather_, on_device.bits, *origins_, pending.frame_bits, shape_argument(modules_),
                  static_cast<cl_uint>(modules_.modules), shape_argument(frames_), word_count(modules));
    context.launch("frame_bits", gather_, {groups_ * group_}, {group_}, {modules.bit_bytes(), 0});
}

/// On the device if kernels need it.
void DeviceGroups::place_frames(LaunchContext& context, Pending& pending) {
    constexpr const char* stage = "upload frame numbers";
    if (makes_table_)
        pending.numbers = context.table(stage, pending.frames);
    else if (linked_)
        pending.numbers =
            std::make_shared<const Buffer>(context.uploaded<std::uint32_t>(stage, pending.frames));
}

void DeviceGroups::link(const Buffer& bits, const Pending& pending, Launches& launches) {
    const cl_uint4 shape = shape_argument(frames_);
    const cl::NDRange all(groups_ * group_), group(group_);
    const Buffer& numbers = linked_ ? *pending.numbers : pending.found;  // otherwise not read
    set_arguments(join_, pending.list.list, bits, pending.ranks, numbers, pending.piece_parent,
                  spot_parent(pending), shape, nodes());
    launches.push_back({join_, all, group});
    set_arguments(count_, pending.list.list, pending.piece_parent, spot_parent(pending), pending.counts,
                  nodes());
    launches.push_back({count_, all, group});
    set_arguments(number_, pending.list.list, pending.piece_parent, spot_parent(pending), pending.counts,
                  pending.piece_numbers, spot_numbers(pending), pending.pieces, records(pending),
                  pending.found, shape, nodes(), static_cast<cl_uint>(room_), records_before());
    launches.push_back({number_, all, group});
}

void DeviceGroups::measure(const FrameOnDevice& on_device, const Buffer& bits, const Pending& pending,
                           Launches& launches) {
    const cl_uint4 shape = shape_argument(frames_);
    const auto room = static_cast<cl_uint>(room_);
    const cl_ulong stride = modules_.modules * (modules_.height + PlaneShape::margin_rows) * modules_.pitch();
    const cl_ulong mark =
        ks::spots::counted_mark(problem_).value_or(std::numeric_limits<std::uint64_t>::max());
    const cl::NDRange all(groups_ * group_), group(group_);
    set_arguments(sum_, on_device.images, pending.list.list, bits, *row_at_, *column_at_,
                  pending.piece_parent, spot_parent(pending), pending.piece_numbers, spot_numbers(pending),
                  pending.pieces, records(pending), pending.found, pending.labels, shape, nodes(), room,
                  records_before(), stride, mark);
    launches.push_back({sum_, all, group});
    set_arguments(background_, on_device.images, on_device.ignore, pending.list.list, bits, *row_at_,
                  *column_at_, spot_parent(pending), spot_numbers(pending), pending.pieces, records(pending),
                  pending.found, shape, nodes(), room, records_before(), stride,
                  cl_ulong{end_of_counts(problem_)}, cl_ulong{saturated_counts(problem_).first},
                  cl_ulong{saturated_counts(problem_).last}, static_cast<cl_uint>(pending.frames.size()));
    launches.push_back({background_, all, group});
}

void DeviceGroups::make_table(const Pending& pending, Launches& launches) {
    constexpr double roundings = 1e-12;
    const ks::spots::Grouping& grouping = problem_.grouping();
    const double square = grouping.max_separation * grouping.max_separation;
    set_arguments(table_, pending.list.list, pending.records, *pending.numbers, pending.found,
                  shape_argument(frames_), nodes(), static_cast<cl_uint>(room_),
                  static_cast<cl_uint>(head_bytes()), cl_ulong{grouping.min_size},
                  cl_ulong{grouping.max_size}, cl_double{square * (1 - roundings)},
                  cl_double{square * (1 + roundings)});
    launches.push_back({table_, {groups_ * group_}, {group_}});
}

/// Reads the first part of the results, without waiting.
void DeviceGroups::read(LaunchContext& context, Pending& pending, std::size_t signal, std::size_t spots) {
    const auto read = [&](const char* stage, const Buffer& from, Array& to, ElementType type,
                          std::size_t count) {
        if (to.size() < count) to = context.host_array(type, {count});
        const std::size_t bytes = count * size_of(type);
        context.device().queue().enqueueReadBuffer(from.cl(), CL_FALSE, 0, bytes, to.bytes().data(), nullptr,
                                                   &pending.read);
        context.track_download(stage, pending.read, bytes, from);
    };
    const std::size_t found = found_bytes(spots, signal) / sizeof(std::uint64_t);
    if (makes_table_) {
        read("download table", pending.found, pending.found_here, ElementType::u64, found);
    } else {
        read("download signal", pending.list.list, pending.list_here, ElementType::u32, signal + 1);
        if (goes_on_) read("download labels", pending.labels, pending.spot, ElementType::u32, signal);
        read("download spots", pending.found, pending.found_here, ElementType::u64, found);
    }
    context.device().queue().flush();
    pending.signal_read = signal;
    pending.spots_read = spots;
}

DeviceGroups::Totals DeviceGroups::totals_of(const Pending& pending) {
    const auto totals = std::as_const(pending.found_here).as<std::uint64_t>();
    return {totals[0], totals[1], totals[2], totals[3], totals[4], totals[5]};
}

std::optional<ks::spots::FrameGroups> DeviceGroups::take(LaunchContext& context, Pending& pending) {
    pending.read.wait();
    const Totals totals = totals_of(pending);
    if (totals.signal > lists_.capacity() || totals.pieces > room_ || totals.spots > room_) return {};
    signal_before_ = totals.signal;
    spots_before_ = totals.spots;
    context.device().has_seen(signal_key_, signal_before_);
    context.device().has_seen(spots_key_, spots_before_);
    if (totals.signal > pending.signal_read || totals.spots > pending.spots_read) {
        read(context, pending, totals.signal, totals.spots);
        pending.read.wait();
    }
    return groups_of(pending, totals);
}

ks::spots::FrameGroups DeviceGroups::groups_of(Pending& pending, const Totals& totals) const {
    ks::spots::FrameGroups groups;
    groups.spots = {Array(), pending.frames, problem_.height(), problem_.width()};
    groups.marked = totals.marked;
    const auto begins =
        std::as_const(pending.found_here).as<std::uint64_t>().subspan(frames_at, pending.frames.size() + 1);
    groups.offsets.assign(begins.begin(), begins.end());
    if (makes_table_)
        take_table(pending, totals, groups);
    else
        take_records(pending, totals, groups);
    return groups;
}

void DeviceGroups::take_table(Pending& pending, const Totals& totals, ks::spots::FrameGroups& groups) const {
    const auto found = std::make_shared<Array>(std::move(pending.found_here));
    const auto from = [&](std::size_t byte) {
        return std::shared_ptr<std::byte[]>(found, found->bytes().data() + byte);
    };
    groups.table = {ks::spots::empty_table(totals.spots, [&](std::size_t) { return from(head_bytes()); }),
                    totals.inexact == 0, totals.undecided == 0};
    groups.signal = Array::in(from(found_bytes(totals.spots, 0)), ElementType::u32, {totals.signal});
}

void DeviceGroups::take_records(Pending& pending, const Totals& totals,
                                ks::spots::FrameGroups& groups) const {
    // Copies, as the next frames are read into the same memory.
    const auto copy = [](const Array& from, std::size_t first, std::size_t count) {
        const Array shared = from.slice(first, {count});
        return Array(shared);
    };
    constexpr std::size_t size = sizeof(std::uint64_t);
    const std::size_t frames = pending.frames.size(), pixels = problem_.height() * problem_.width();
    groups.spots.records =
        copy(pending.found_here, head_bytes() / size, totals.spots * sizeof(SpotRecord) / size);
    groups.signal = copy(pending.list_here, 1, totals.signal);
    const auto signal = groups.signal.as<std::uint32_t>();
    parallel_for(frames - 1, compute_threads(), [&](std::size_t i) {
        const auto first = static_cast<std::uint32_t>((i + 1) * pixels);
        for (std::size_t k = groups.offsets[i + 1]; k < groups.offsets[i + 2]; ++k) signal[k] -= first;
    });
    if (goes_on_) groups.spot = std::as_const(pending.spot).as<std::uint32_t>().first(totals.signal);
}

std::vector<std::uint32_t> DeviceGroups::list_of(LaunchContext& context, const Buffer& bits,
                                                 Pending& pending) {
    pending.list.read = pending.read;
    pending.list.head.assign(1, static_cast<std::uint32_t>(totals_of(pending).signal));
    return lists_.take(context, bits_of(bits, pending), pending.list);
}

std::string DeviceGroups::names() const {
    return fmt::format(
        "{}count_signal, list_signal, join_runs, count_roots, number_roots, sum_runs, sum_background{}",
        problem_.layout().is_whole() ? "" : "frame_bits, ", makes_table_ ? ", write_table" : "");
}

}  // namespace ks::gpu::spots
