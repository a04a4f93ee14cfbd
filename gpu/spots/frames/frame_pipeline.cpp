#include "gpu/spots/frames/frame_pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/spots/traits.h"
#include "gpu/spots/frames/frame_reader.h"
#include "gpu/spots/frames/frame_room.h"
#include "gpu/spots/frames/signal_list.h"
#include "gpu/spots/grouping/device_groups.h"
#include "gpu/spots/kernel_sets.h"

namespace ks::gpu::spots {
namespace {

std::vector<std::size_t> frames_there(const SpotProblem& problem) {
    std::vector<std::size_t> frames;
    for (std::size_t frame = 0; frame < problem.frames(); ++frame)
        if (!problem.missing(frame)) frames.push_back(frame);
    return frames;
}

class Pipeline {
  public:
    Pipeline(const SpotProblem& problem, LaunchContext& context, MakeKernels make, bool groups)
        : problem_(problem),
          context_(context),
          shape_(shape_of(problem)),
          frames_(frames_there(problem)),
          kernels_(make(problem, context)),
          groups_wanted_(groups && DeviceGroups::takes(problem, context)) {}

    ~Pipeline() {
        // The queues may still use memory that goes now.
        try {
            if (upload_queue_() != nullptr) upload_queue_.finish();
            context_.device().queue().finish();
        } catch (const cl::Error&) {
            return;  // lost after an error, which says more
        }
    }

    std::string run(SignalSink& sink) {
        if (frames_.empty()) return kernels_->names();
        prepare();
        for (std::size_t frame = 0; frame < std::min(reader_->ahead(), frames_.size()); ++frame)
            read_ahead(frame);
        for (std::size_t i = 0; i < batches(); ++i) {
            Slot& slot = slot_of(i);
            if (slots_.size() == 1 && i > 0) deliver(i - 1, sink);
            // Held here, as later batches may push it out of what stays on the device.
            std::shared_ptr<const Buffer> kept =
                stays(i) ? context_.device().find_resident(key_of(i)) : nullptr;
            Buffer fresh;
            const Buffer* images = stays(i) ? kept.get() : &slot.images;
            if (images == nullptr) {
                fresh = empty_plane();
                images = &fresh;
            }
            const bool fill = images == &fresh || !stays(i);
            slot.frames.clear();
            const bool pipelined = slots_.size() > 1 && i > 0;
            for (std::size_t frame = first_of(i); frame < end_of(i); ++frame) {
                const FrameReader::Read read = reader_->take();
                if (problem_.shared()->in_memory().empty())
                    add(context_.timings(), {"read", StageKind::read, read.nanoseconds, read.pixels.size()});
                // One that is read alone is to be on its way as soon as the one before is there.
                const bool alone = reader_->ahead() == 1;
                if (alone) read_ahead(frame + 1);
                slot.frames.push_back(read.pixels);
                if (fill) upload(*images, slot.frames.size() - 1, read.to_upload);
                if (!alone) read_ahead(frame + reader_->ahead());
                // The sink works on the batch before while this one is read.
                if (frame + 1 < end_of(i) && pipelined && !delivery_.valid()) start_delivery(i - 1, sink);
            }
            // Only when all frames are on their way: else a later run would find part of them.
            if (images == &fresh) {
                kept = context_.device().keep_resident(key_of(i), std::move(fresh));
                images = kept.get();
            }
            slot.kept = std::move(kept);
            enqueue(*images, slot, i);
            if (pipelined) deliver(i - 1, sink);
        }
        deliver(batches() - 1, sink);
        return fmt::format("{}, {}", kernels_->names(),
                           groups_ ? groups_->names() : "count_signal, list_signal");
    }

  private:
    /// A batch of frames on its way: as many as a launch takes.
    struct Slot {
        Buffer images;  ///< where the batch does not stay on the device
        Buffer bits;
        SignalLists::Pending list;     ///< where the host groups
        DeviceGroups::Pending groups;  ///< where the device does
        std::vector<std::span<const std::byte>> frames{};
        std::vector<std::uint32_t> signal{};            ///< of all frames, once taken for the host to group
        std::optional<ks::spots::FrameGroups> found{};  ///< once taken
        std::shared_ptr<const Buffer> kept{};  ///< where the batch stays: held as long as kernels may read it
    };
    void read_ahead(std::size_t frame) {
        if (frame < frames_.size()) reader_->start(frames_[frame], !is_resident(frame / at_once_));
    }
    std::size_t batches() const { return (frames_.size() + at_once_ - 1) / at_once_; }
    std::size_t first_of(std::size_t i) const { return i * at_once_; }
    std::size_t end_of(std::size_t i) const { return std::min(frames_.size(), (i + 1) * at_once_); }
    Slot& slot_of(std::size_t i) { return slots_[i % slots_.size()]; }
    bool stays(std::size_t i) const { return i < kept_; }
    const std::string& key_of(std::size_t i) const { return keys_[i]; }
    bool is_resident(std::size_t i) {
        return stays(i) && context_.device().find_resident(key_of(i)) != nullptr;
    }
    PlaneShape shape_of_batch() const {
        PlaneShape shape = shape_;
        shape.modules *= at_once_;
        return shape;
    }

    /// What batches of `at_once` frames need.
    RoomNeeds needs_of(std::size_t at_once, bool groups) {
        at_once_ = at_once;
        RoomNeeds needs{shape_.pixels() + kernels_->scratch_bytes(), shape_of_batch().bit_bytes(),
                        shape_of_batch().pixels() * size_of(problem_.type())};
        if (groups) {
            groups_.emplace(problem_, at_once, at_once < frames_.size(), context_);
            needs.once += groups_->once_bytes();
            needs.slot += groups_->pending_bytes();
        } else {
            groups_.reset();
            lists_.emplace(shape_of_batch(), at_once, problem_.type(), context_);
            needs.slot += lists_->pending_bytes();
        }
        return needs;
    }

    /// So many frames at once that all of it has room, on the device grouped only where one frame has.
    RoomNeeds choose_batches() {
        // Pixels of a batch have numbers of 32 bits, and its planes are one allocation. Two batches are in
        // the host's memory too.
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

    void prepare() {
        const RoomNeeds needs = choose_batches();
        plane_bytes_ = needs.plane;
        // a frame's modules are uploaded one by one; two batches may be on their way
        context_.let_wait(2 * (at_once_ * shape_.modules + 16));
        reader_.emplace(problem_, context_.device(), 2 * at_once_ + 1);
        const FrameRoom room = FrameRoom::of(needs, batches(), context_);
        kept_ = room.kept;
        const bool all_stay = kept_ == batches();
        for (std::size_t i = 0; i < kept_; ++i)
            keys_.push_back(frames_key(problem_, frames_[first_of(i)], frames_[end_of(i) - 1]));
        std::vector<std::string> keys{mask_key(problem_)};
        keys.insert(keys.end(), keys_.begin(), keys_.end());
        std::vector<std::uint64_t> bytes(keys.size(), plane_bytes_);
        bytes[0] = shape_.pixels();
        make_room(context_.device(), context_.budget(), keys, bytes,
                  kernels_->scratch_bytes() + (groups_ ? groups_->once_bytes() : 0) +
                      room.slots * (needs.slot + (all_stay ? 0 : plane_bytes_)));
        ignore_ = ignore_on_device();
        kernels_->prepare(context_, *ignore_);
        if (groups_) groups_->prepare(context_);
        for (std::size_t i = 0; i < room.slots; ++i)
            slots_.push_back({all_stay ? Buffer() : empty_plane(),
                              context_.buffer(shape_of_batch().bit_bytes()),
                              groups_ ? SignalLists::Pending{} : lists_->make(context_),
                              groups_ ? groups_->make(context_) : DeviceGroups::Pending{}});
    }

    /// A queue of its own where uploads run beside kernels, once there is something to upload.
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
        upload_queue().enqueueFillBuffer(plane.cl(), cl_uchar{0}, 0, plane_bytes_);
        return plane;
    }

    std::shared_ptr<const Buffer> ignore_on_device() {
        const std::string key = mask_key(problem_);
        if (auto known = context_.device().find_resident(key)) return known;
        Stopwatch watch;
        std::vector<std::uint8_t> plane(shape_.pixels(), 1);
        const std::vector<std::uint8_t>& ignore = problem_.ignore_cut();
        for (std::size_t module = 0, at = 0; module < shape_.modules; ++module)
            for (std::size_t y = 0; y < shape_.height; ++y, at += shape_.width)
                std::copy_n(ignore.data() + at, shape_.width, plane.data() + shape_.offset(module, y, 0));
        add(context_.timings(), {"lay out mask", StageKind::host, watch.lap(), plane.size()});
        return context_.device().keep_resident(key, context_.uploaded<std::uint8_t>("upload mask", plane));
    }

    /// Frame `place` of those of a batch: on the device when the kernels' queue gets to them.
    void upload(const Buffer& to, std::size_t place, std::span<const std::byte> frame) {
        const std::size_t bytes = size_of(problem_.type()), width = shape_.width * bytes;
        const ks::spots::ModuleLayout& layout = problem_.layout();
        cl::Event uploaded;
        for (std::size_t module = 0; module < shape_.modules; ++module) {
            const auto& from = layout.origins[module];
            const std::size_t row =
                (place * shape_.modules + module) * (shape_.height + PlaneShape::margin_rows) +
                PlaneShape::margin_rows;
            upload_queue().enqueueWriteBufferRect(
                to.cl(), CL_FALSE, {PlaneShape::margin_columns * bytes, row, 0}, {from.x * bytes, from.y, 0},
                {width, shape_.height, 1}, shape_.pitch() * bytes, 0, layout.frame_width * bytes, 0,
                const_cast<std::byte*>(frame.data()), nullptr, &uploaded);
            context_.track("upload frames", StageKind::upload, uploaded, {width * shape_.height, 0});
        }
        if (upload_queue()() == context_.device().queue()()) return;
        upload_queue().flush();
        reader_->uploading(frame, uploaded);
        const std::vector<cl::Event> before{uploaded};
        context_.device().queue().enqueueBarrierWithWaitList(&before);
    }

    void enqueue(const Buffer& images, Slot& slot, std::size_t i) {
        const FrameOnDevice frames{images, *ignore_, slot.bits, slot.frames.size()};
        if (kernels_->wants_cleared_bits()) {
            cl::Event cleared;
            const std::size_t bytes = shape_.bit_bytes() * frames.frames;
            context_.device().queue().enqueueFillBuffer(slot.bits.cl(), cl_uint{0}, 0, bytes, nullptr,
                                                        &cleared);
            context_.track("clear bits", StageKind::kernel, cleared, {bytes, 0});
        }
        kernels_->enqueue(context_, frames);
        if (groups_)
            groups_->enqueue(context_, frames, std::span(frames_).subspan(first_of(i), frames.frames),
                             slot.groups);
        else
            lists_->enqueue(context_, slot.bits, shape_.modules * frames.frames, slot.list);
    }

    /// Takes the signal of batch `i` and gives it to the sink on another thread; deliver() waits for that.
    void start_delivery(std::size_t i, SignalSink& sink) {
        take_signal(i);
        delivery_ = beside([this, i, &sink] { give(i, sink); });
    }

    /// What is left of batch `i`: all of it, or what start_delivery() began.
    void deliver(std::size_t i, SignalSink& sink) {
        if (delivery_.valid()) {
            delivery_.get();
        } else {
            take_signal(i);
            give(i, sink);
        }
        context_.progress().report(static_cast<double>(end_of(i)) / static_cast<double>(frames_.size()),
                                   "find signal");
    }

    void take_signal(std::size_t i) {
        Slot& slot = slot_of(i);
        if (!groups_) {
            slot.signal = lists_->take(context_, slot.bits, slot.list);
            return;
        }
        slot.found = groups_->take(context_, slot.groups);
        if (!slot.found) slot.signal = groups_->list_of(context_, slot.bits, slot.groups);
    }

    void give(std::size_t i, SignalSink& sink) {
        Slot& slot = slot_of(i);
        if (slot.found) {
            slot.found->first_pixels = slot.frames.front();
            sink.add_groups(*std::exchange(slot.found, {}));
            return;
        }
        const std::size_t count = slot.frames.size();
        // The device's groups are of whole frames, whatever modules they have.
        const auto layout =
            groups_ ? ks::spots::ModuleLayout::whole(problem_.height(), problem_.width()) : problem_.layout();
        const std::size_t pixels = layout.pixels();
        std::vector<std::vector<std::uint32_t>> signals(count);
        std::vector<FrameSignal> found;
        for (std::size_t place = 0; place < count; ++place) {
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
    bool groups_wanted_;
    cl::CommandQueue upload_queue_;
    std::size_t at_once_ = 1;
    std::uint64_t plane_bytes_ = 0;
    std::optional<SignalLists> lists_;    ///< where the host groups
    std::optional<DeviceGroups> groups_;  ///< where the device does
    std::optional<FrameReader> reader_;
    std::size_t kept_ = 0;
    std::vector<std::string> keys_;  ///< of the batches that stay
    std::shared_ptr<const Buffer> ignore_;
    std::vector<Slot> slots_;
    Pending<void> delivery_;  ///< last, as it works on what is above
};

}  // namespace

std::string find_signal(const SpotProblem& problem, LaunchContext& context, MakeKernels make,
                        SignalSink& sink, GroupsOn where) {
    context.require(ks::spots::traits_of(problem));
    const bool groups =
        where == GroupsOn::device || (where == GroupsOn::best && context.info().type == "GPU");
    return Pipeline(problem, context, make, groups && sink.takes_groups()).run(sink);
}

}  // namespace ks::gpu::spots
