#include "gpu/spots/frames/frame_pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/run/stream_scheduler.h"
#include "core/spots/analysis.h"
#include "core/spots/collector.h"
#include "core/spots/results/marked_pixels.h"
#include "gpu/spots/frame_room.h"
#include "gpu/spots/frames/frame_reader.h"
#include "gpu/spots/frames/packed_upload.h"
#include "gpu/spots/grouping/device_groups.h"
#include "gpu/spots/kernel_sets.h"
#include "gpu/spots/signal_list.h"

namespace ks::gpu::spots {
namespace {

constexpr const char* margins_file = "gpu/spots/frames/margins.cl";
constexpr std::size_t wide = 64;  ///< work-items per group that clear margins

std::vector<std::size_t> frames_there(const SpotProblem& problem) {
    std::vector<std::size_t> frames;
    for (std::size_t frame = 0; frame < problem.frames(); ++frame)
        if (!problem.missing(frame)) frames.push_back(frame);
    return frames;
}

/// A slab is a frame, a step a batch of them: as many as one launch takes.
class Pipeline : public StreamClient {
  public:
    Pipeline(const SpotProblem& problem, LaunchContext& context, MakeKernels make, bool groups, bool decode)
        : problem_(problem),
          context_(context),
          shape_(shape_of(problem)),
          frames_(frames_there(problem)),
          kernels_(with_large_counts(make(problem, context), problem, context)),
          groups_wanted_(groups && DeviceGroups::takes(problem, context)),
          decode_wanted_(decode && PackedUpload::takes(problem)) {}

    ~Pipeline() override {
        // The queues may still use memory that is freed now.
        try {
            if (upload_queue_() != nullptr) upload_queue_.finish();
            context_.device().queue().finish();
        } catch (const cl::Error&) {
            return;  // lost after an error, which says more
        }
    }

    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    std::string run(SignalSink& sink) {
        if (frames_.empty()) return kernels_->names();
        sink_ = &sink;
        StreamPlan stream;
        {
            const LaunchContext::Overhead overhead(context_, "plan");
            stream = plan();
        }
        run_stream(stream, context_.budget(), *this, context_.progress(), "find signal");
        return fmt::format("{}, {}", kernels_->names(),
                           groups_ ? groups_->names() : "count_signal, list_signal");
    }

    void prepare() override {
        const LaunchContext::Overhead overhead(context_, "plan");
        ignore_ = ignore_on_device();
        kernels_->prepare(context_, *ignore_);
        if (groups_) groups_->prepare(context_);
        for (Slot& slot : slots_) {
            if (kept_ < batches()) slot.images = empty_plane();
            slot.bits = context_.buffer(shape_of_batch().bit_bytes());
            if (groups_)
                slot.groups = groups_->make(context_);
            else
                slot.list = lists_->make(context_);
            if (packed_) slot.damage = packed_->make(at_once_);
        }
    }

    void read(std::size_t index, std::size_t buffer) override {
        reader_->read(index, frames_[index], !is_resident(batch_of(index)), buffer);
    }

    void upload(std::size_t index, std::size_t buffer) override {
        const std::size_t i = batch_of(index);
        Slot& slot = slot_of(i);
        if (index == first_of(i)) begin(slot, i);
        const FrameReader::Read read = reader_->take(index);
        if (read.timing.bytes > 0) add(context_.timings(), read.timing);
        slot.frames.push_back(read.pixels);
        slot.left_out.push_back(read.damaged);
        if (!is_resident(i)) upload(slot, slot.frames.size() - 1, read, buffer);
    }

    void execute(std::size_t i) override {
        Slot& slot = slot_of(i);
        if (packed_) packed_->end(slot.damage);
        enqueue(slot, i);
    }

    bool is_done(std::size_t i) override {
        const Slot& slot = slot_of(i);
        const cl::Event& read = groups_ ? slot.groups.read : slot.list.read;
        return read.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() <= CL_COMPLETE;
    }

    void collect(std::size_t i) override { take_signal(i); }
    void deliver(std::size_t i) override { give(i, *sink_); }

  private:
    /// A batch in progress.
    struct Slot {
        Buffer images;  ///< if the batch does not stay on the device
        Buffer fresh;   ///< if it will, once it is known to be undamaged
        Buffer bits;
        SignalLists::Pending list;                         ///< if the host groups
        DeviceGroups::Pending groups;                      ///< if the device groups
        PackedUpload::Damage damage;                       ///< if the device decodes
        std::vector<std::span<const std::byte>> frames{};  ///< empty spans: the host has no values
        std::vector<RawBytes> fetched{};                   ///< values that it needs nevertheless
        std::vector<bool> left_out{};                      ///< damaged ones, whose images are empty
        std::vector<std::uint32_t> signal{};            ///< of all frames, once taken for the host to group
        std::optional<ks::spots::FrameGroups> found{};  ///< once taken
        std::shared_ptr<const Buffer> kept{};  ///< if the batch stays: held as long as kernels may read it

        const Buffer& planes() const { return kept ? *kept : fresh ? fresh : images; }
    };
    void begin(Slot& slot, std::size_t i) {
        slot.kept = is_resident(i) ? residents_[i] : nullptr;
        slot.fresh = !slot.kept && stays(i) ? empty_plane() : Buffer();
        slot.frames.clear();
        slot.left_out.clear();
        if (packed_) packed_->begin(slot.damage);
    }
    std::size_t batch_of(std::size_t index) const { return index / at_once_; }
    std::size_t batches() const { return (frames_.size() + at_once_ - 1) / at_once_; }
    std::size_t first_of(std::size_t i) const { return i * at_once_; }
    std::size_t end_of(std::size_t i) const { return std::min(frames_.size(), (i + 1) * at_once_); }
    Slot& slot_of(std::size_t i) { return slots_[i % slots_.size()]; }
    bool stays(std::size_t i) const { return i < kept_; }
    const std::string& key_of(std::size_t i) const { return keys_[i]; }
    bool is_resident(std::size_t i) const { return stays(i) && residents_[i] != nullptr; }
    PlaneShape shape_of_batch() const {
        PlaneShape shape = shape_;
        shape.modules *= at_once_;
        return shape;
    }

    /// Device bytes that batches of `at_once` frames need.
    RoomNeeds needs_of(std::size_t at_once, bool groups) {
        at_once_ = at_once;
        RoomNeeds needs{shape_.pixels() + kernels_->scratch_bytes(), shape_of_batch().bit_bytes(),
                        shape_of_batch().pixels() * size_of(problem_.type())};
        if (groups) {
            // A part has frames before and after it.
            groups_.emplace(problem_, at_once, at_once < frames_.size() || problem_.is_part(), context_);
            needs.once += groups_->once_bytes();
            needs.slot += groups_->pending_bytes();
        } else {
            groups_.reset();
            lists_.emplace(shape_of_batch(), at_once, problem_.type(), context_);
            needs.slot += lists_->pending_bytes();
        }
        return needs;
    }

    /// As many frames at once as fit; groups on the device only if one frame fits with that.
    RoomNeeds choose_batches() {
        // Pixels of a batch have 32-bit indices, and its planes are one allocation. Two batches are in host
        // memory, too.
        constexpr std::uint64_t max_pixels = std::uint64_t{1} << 32, max_bytes = std::uint64_t{640} << 20;
        const std::size_t frame_pixels = problem_.height() * problem_.width();
        std::size_t at_once = std::min(kernels_->frames_at_once(), frames_.size());
        for (bool groups = groups_wanted_;; groups = false) {
            RoomNeeds needs = needs_of(at_once, groups);
            while (at_once > 1 && (context_.budget() < needs.once + 2 * (needs.slot + needs.plane) ||
                                   needs.plane > std::min(context_.info().largest_allocation, max_bytes) ||
                                   std::max(shape_of_batch().pixels(), at_once * frame_pixels) >= max_pixels))
                needs = needs_of(at_once /= 2, groups);
            if (!groups || context_.budget() >= needs.once + needs.slot + needs.plane) return needs;
        }
    }

    StreamPlan plan() {
        RoomNeeds needs = choose_batches();
        plane_bytes_ = needs.plane;
        // a frame's modules are uploaded one by one; two batches may be in transit
        context_.let_wait(2 * (at_once_ * (decode_wanted_ ? 2 : shape_.modules) + 16));
        const std::uint64_t ring = choose_decoder(needs);
        const FrameRoom room = FrameRoom::of(needs, batches(), context_);
        slots_.resize(room.slots);
        kept_ = room.kept;
        for (std::size_t i = 0; i < kept_; ++i)
            keys_.push_back(frames_key(problem_, frames_[first_of(i)], frames_[end_of(i) - 1]));
        std::vector<std::string> keys{mask_key(problem_)};
        keys.insert(keys.end(), keys_.begin(), keys_.end());
        std::vector<std::uint64_t> bytes(keys.size(), plane_bytes_);
        bytes[0] = shape_.pixels();
        make_room(context_.device(), context_.budget(), keys, bytes,
                  kernels_->scratch_bytes() + (groups_ ? groups_->once_bytes() : 0) + ring +
                      room.slots * (needs.slot + (kept_ == batches() ? 0 : plane_bytes_)));
        // Held here, as later batches may evict them from the device.
        for (const std::string& key : keys_) residents_.push_back(context_.device().find_resident(key));
        return stream();
    }

    /// Frames have their places in slots, or stay: the budget has been divided.
    StreamPlan stream() {
        const bool values = !groups_;  // the device's groups need values of few frames
        reader_.emplace(problem_, context_.device(),
                        FrameReader::Wants{2 * at_once_ + 1, values, packed_.has_value()});
        StreamPlan plan;
        plan.steps_at_once = slots_.size();
        plan.reads_at_once = reader_->reads_at_once();
        plan.staging_buffers = reader_->staging_buffers();
        plan.slabs.reserve(frames_.size());
        for (std::size_t i = 0; i < batches(); ++i) {
            StreamStep& step = plan.steps.emplace_back();
            step.work = static_cast<double>(end_of(i) - first_of(i));
            for (std::size_t index = first_of(i); index < end_of(i); ++index) {
                plan.slabs.push_back({0, reader_->staging_bytes(!is_resident(i))});
                step.slabs.push_back(index);
            }
        }
        return plan;
    }

    /// Decodes on the device if that is wanted and there is room; returns the bytes that it takes.
    std::uint64_t choose_decoder(RoomNeeds& needs) {
        const std::uint64_t ring = PackedUpload::ring_bytes(problem_) + 2 * at_once_ * sizeof(std::uint32_t);
        if (!decode_wanted_ || !groups_ ||
            context_.budget() < needs.once + ring + 2 * (needs.slot + needs.plane))
            return 0;
        packed_.emplace(problem_, shape_, context_, upload_queue());
        needs.once += ring;
        return ring;
    }

    /// A separate queue if uploads run in parallel to kernels, created once there is something to upload.
    const cl::CommandQueue& upload_queue() {
        DeviceContext& device = context_.device();
        if (upload_queue_() == nullptr)
            upload_queue_ =
                context_.info().type == "GPU"
                    ? cl::CommandQueue(device.context(), device.device(), cl::QueueProperties::Profiling)
                    : device.queue();
        return upload_queue_;
    }

    /// Images with nothing but margins.
    Buffer empty_plane() {
        Buffer plane = context_.buffer(plane_bytes_);
        if (clear_margins_() == nullptr)
            clear_margins_ = context_.kernel(margins_file, "clear_margins", {{"WG", std::to_string(wide)}});
        const std::size_t pixel = size_of(problem_.type()), margin = PlaneShape::margin_columns * pixel,
                          image_rows = shape_.height + PlaneShape::margin_rows,
                          rows = shape_of_batch().modules * image_rows + PlaneShape::margin_rows;
        set_arguments(clear_margins_, plane, static_cast<cl_uint>(margin),
                      static_cast<cl_uint>(margin + shape_.width * pixel),
                      static_cast<cl_uint>(shape_.pitch() * pixel), cl_uint{PlaneShape::margin_rows},
                      static_cast<cl_uint>(image_rows));
        context_.launch("clear margins", clear_margins_, {wide, rows + 1}, {wide, 1}, {});
        return plane;
    }

    std::shared_ptr<const Buffer> ignore_on_device() {
        const std::string key = mask_key(problem_);
        if (auto known = context_.device().find_resident(key)) return known;
        Stopwatch watch;
        const Array plane = ignore_plane();
        add(context_.timings(), {"lay out mask", StageKind::host, watch.lap(), plane.size()});
        return context_.device().keep_resident(
            key, context_.uploaded<std::uint8_t>("upload mask", plane.as<std::uint8_t>()));
    }

    /// 1 for margins, and for pixels that the mask excludes.
    Array ignore_plane() const {
        Array plane = context_.host_array(ElementType::u8, {shape_.pixels()});
        const std::span<std::uint8_t> pixels = plane.as<std::uint8_t>();
        constexpr std::size_t bytes = std::size_t{1} << 19;
        parallel_for((pixels.size() + bytes - 1) / bytes, compute_threads(), [&](std::size_t block) {
            std::ranges::fill(pixels.subspan(block * bytes, std::min(bytes, pixels.size() - block * bytes)),
                              1);
        });
        const std::uint8_t* const ignore = problem_.ignore_cut().data();
        constexpr std::size_t rows = 128;
        const std::size_t all = shape_.modules * shape_.height;
        parallel_for((all + rows - 1) / rows, compute_threads(), [&](std::size_t block) {
            for (std::size_t row = block * rows; row < std::min(all, (block + 1) * rows); ++row)
                std::copy_n(ignore + row * shape_.width, shape_.width,
                            pixels.data() + shape_.offset(row / shape_.height, row % shape_.height, 0));
        });
        return plane;
    }

    /// Frame `place` of a batch: on the device when the kernels' queue reaches it.
    void upload(const Slot& slot, std::size_t place, const FrameReader::Read& read, std::size_t buffer) {
        const LaunchContext::Overhead overhead(context_, "call transfers");
        if (read.damaged)
            upload_nothing(slot.planes(), place);
        else if (read.packed)
            reader_->uploading(buffer, packed_->upload(*read.packed, slot.planes(), place, slot.damage));
        else
            reader_->uploading(buffer, upload_values(slot.planes(), place, read.to_upload));
    }

    /// An empty image, which has no signal.
    void upload_nothing(const Buffer& to, std::size_t place) {
        nothing_.resize(problem_.frame_bytes());
        upload_values(to, place, nothing_);
    }

    /// @return event after which `frame` is no longer needed
    cl::Event upload_values(const Buffer& to, std::size_t place, std::span<const std::byte> frame) {
        const std::size_t bytes = size_of(problem_.type()), width = shape_.width * bytes;
        const ks::spots::ModuleLayout& layout = problem_.layout();
        cl::Event uploaded;
        for (std::size_t module = 0; module < shape_.modules; ++module) {
            const auto& from = layout.origins[module];
            upload_queue().enqueueWriteBufferRect(to.cl(), CL_FALSE, origin_of(place, module),
                                                  {from.x * bytes, from.y, 0}, {width, shape_.height, 1},
                                                  shape_.pitch() * bytes, 0, layout.frame_width * bytes, 0,
                                                  const_cast<std::byte*>(frame.data()), nullptr, &uploaded);
            context_.track_upload("upload frames", uploaded, width * shape_.height, to);
        }
        upload_queue().flush();
        if (upload_queue()() != context_.device().queue()()) {
            const std::vector<cl::Event> before{uploaded};
            context_.device().queue().enqueueBarrierWithWaitList(&before);
        }
        return uploaded;
    }

    /// Position of a module's first pixel in the planes of a batch, in bytes of a row and rows.
    cl::array<cl::size_type, 3> origin_of(std::size_t place, std::size_t module) const {
        return {PlaneShape::margin_columns * size_of(problem_.type()),
                (place * shape_.modules + module) * (shape_.height + PlaneShape::margin_rows) +
                    PlaneShape::margin_rows,
                0};
    }

    /// Downloads the values of frame `place`, for a host that did not read them.
    void fetch(Slot& slot, std::size_t place) {
        if (!slot.frames[place].empty()) return;
        const std::size_t bytes = size_of(problem_.type()), width = shape_.width * bytes;
        const ks::spots::ModuleLayout& layout = problem_.layout();
        slot.fetched.resize(std::max(slot.fetched.size(), place + 1));
        RawBytes& values = slot.fetched[place];
        values.make_room(problem_.frame_bytes());
        for (std::size_t module = 0; module < shape_.modules; ++module) {
            const auto& to = layout.origins[module];
            cl::Event fetched;
            context_.device().queue().enqueueReadBufferRect(
                slot.planes().cl(), CL_TRUE, origin_of(place, module), {to.x * bytes, to.y, 0},
                {width, shape_.height, 1}, shape_.pitch() * bytes, 0, layout.frame_width * bytes, 0,
                values.data(), nullptr, &fetched);
            context_.track("download frames", StageKind::download, fetched, {width * shape_.height, 0});
        }
        slot.frames[place] = values;
    }

    void enqueue(Slot& slot, std::size_t i) {
        const FrameOnDevice frames{slot.planes(), *ignore_, slot.bits, slot.frames.size()};
        if (kernels_->wants_cleared_bits()) {
            context_.fill("clear bits", slot.bits, cl_uint{0}, shape_.bit_bytes() * frames.frames);
        }
        kernels_->enqueue(context_, frames);
        if (groups_)
            groups_->enqueue(context_, frames, std::span(frames_).subspan(first_of(i), frames.frames),
                             slot.groups);
        else
            lists_->enqueue(context_, slot.bits, shape_.modules * frames.frames, slot.list);
    }

    void take_signal(std::size_t i) {
        const LaunchContext::Overhead overhead(context_, "wait for device");
        Slot& slot = slot_of(i);
        if (packed_) mend(slot, i);
        // Only now: otherwise a later run would find values that differ from the file's.
        const bool sound = std::ranges::find(slot.left_out, true) == slot.left_out.end();
        if (slot.fresh && stays(i) && sound)
            slot.kept = context_.device().keep_resident(key_of(i), std::move(slot.fresh));
        if (!groups_) {
            slot.signal = lists_->take(context_, slot.bits, slot.list);
            return;
        }
        slot.found = groups_->take(context_, slot.groups);
        if (slot.found) {
            const std::optional<std::size_t> first = first_place(i);
            const bool looks_for_marks =
                first && ks::spots::counted_mark(problem_).has_value() && !problem_.shared()->knows_marked();
            if (looks_for_marks) fetch(slot, *first);
            return;
        }
        slot.signal = groups_->list_of(context_, slot.bits, slot.groups);
        for (std::size_t place = 0; place < slot.frames.size(); ++place)
            if (!slot.left_out[place]) fetch(slot, place);
    }

    /// Position in the batch of the first of all undamaged frames.
    std::optional<std::size_t> first_place(std::size_t i) const {
        const std::size_t first = problem_.shared()->first_there();
        for (std::size_t at = first_of(i); at < end_of(i); ++at)
            if (frames_[at] == first) return at - first_of(i);
        return std::nullopt;
    }

    /// Frames of the batch that the device could not decode are read by the host, or left out.
    void mend(Slot& slot, std::size_t i) {
        const std::vector<std::size_t> damaged = PackedUpload::damaged(slot.damage);
        if (damaged.empty()) return;
        for (const std::size_t place : damaged) {
            std::vector<std::byte> scratch;
            const auto values = problem_.shared()->sound_frame(frames_[first_of(i) + place], scratch);
            slot.left_out[place] = !values;
            if (values)
                upload_values(slot.planes(), place, *values);
            else
                upload_nothing(slot.planes(), place);
            upload_queue().finish();
        }
        enqueue(slot, i);
    }

    void give(std::size_t i, SignalSink& sink) {
        Slot& slot = slot_of(i);
        if (slot.found) {
            if (const auto first = first_place(i)) slot.found->first_pixels = slot.frames[*first];
            sink.add_groups(*std::exchange(slot.found, {}));
            return;
        }
        const std::size_t count = slot.frames.size();
        // The device groups whole frames, whatever modules they have.
        const auto layout =
            groups_ ? ks::spots::ModuleLayout::whole(problem_.height(), problem_.width()) : problem_.layout();
        const std::size_t pixels = layout.pixels();
        std::vector<std::vector<std::uint32_t>> signals(count);
        std::vector<FrameSignal> found;
        for (std::size_t place = 0; place < count; ++place) {
            if (slot.left_out[place]) continue;
            const std::size_t first = place * pixels;
            const std::span of_frame(std::ranges::lower_bound(slot.signal, first),
                                     std::ranges::lower_bound(slot.signal, first + pixels));
            signals[place] = layout.in_frame(of_frame, first);
            found.push_back({frames_[first_of(i) + place], slot.frames[place], signals[place]});
        }
        sink.add_all(found);
    }

    const SpotProblem& problem_;
    LaunchContext& context_;
    PlaneShape shape_;
    std::vector<std::size_t> frames_;
    std::unique_ptr<SignalKernels> kernels_;
    bool groups_wanted_, decode_wanted_;
    cl::CommandQueue upload_queue_;
    cl::Kernel clear_margins_;
    std::size_t at_once_ = 1;
    std::uint64_t plane_bytes_ = 0;
    std::vector<std::byte> nothing_;      ///< values of an empty image
    std::optional<SignalLists> lists_;    ///< if the host groups
    std::optional<DeviceGroups> groups_;  ///< if the device groups
    std::optional<PackedUpload> packed_;  ///< if the device decodes
    std::optional<FrameReader> reader_;
    std::size_t kept_ = 0;
    std::vector<std::string> keys_;                         ///< of the batches that stay
    std::vector<std::shared_ptr<const Buffer>> residents_;  ///< those of them that were already there
    std::shared_ptr<const Buffer> ignore_;
    std::vector<Slot> slots_;
    SignalSink* sink_ = nullptr;
};

}  // namespace

std::string find_signal(const SpotProblem& problem, LaunchContext& context, MakeKernels make,
                        SignalSink& sink, GroupsOn groups, DecodeOn decode) {
    context.require(ks::spots::traits_of(problem));
    const bool gpu = context.info().type == "GPU";
    const bool on_device = groups == GroupsOn::device || (groups == GroupsOn::best && gpu),
               decodes = decode == DecodeOn::device || (decode == DecodeOn::best && gpu);
    return Pipeline(problem, context, make, on_device && sink.takes_groups(), decodes).run(sink);
}

Result launch_spots(const SpotProblem& problem, LaunchContext& context, MakeKernels make, GroupsOn groups,
                    DecodeOn decode) {
    std::string kernels;
    const auto memory = [&](std::size_t bytes) -> std::shared_ptr<std::byte[]> {
        const auto& lent = context.device().page_locked();  // allocated once, so its pages exist
        return lent ? lent->lend(bytes) : nullptr;
    };
    Result result = ks::spots::collect(
        problem, context.timings(),
        [&](ks::spots::SignalSink& sink) {
            kernels = find_signal(problem, context, make, sink, groups, decode);
        },
        memory);
    result.facts["kernels"] = kernels;
    return result;
}

}  // namespace ks::gpu::spots
