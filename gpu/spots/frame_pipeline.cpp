#include "gpu/spots/frame_pipeline.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/run/stopwatch.h"
#include "gpu/spots/frame_reader.h"
#include "gpu/spots/frame_room.h"
#include "gpu/spots/kernel_sets.h"
#include "gpu/spots/signal_list.h"

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
    Pipeline(const SpotProblem& problem, LaunchContext& context)
        : problem_(problem),
          context_(context),
          shape_(shape_of(problem)),
          frames_(frames_there(problem)),
          plane_bytes_(shape_.pixels() * size_of(problem.type())),
          kernels_(make_kernels(problem, context)),
          lists_(problem, context),
          reader_(problem, context.device()),
          upload_queue_(context.info().type == "GPU"
                            ? cl::CommandQueue(context.device().context(), context.device().device(),
                                               cl::QueueProperties::Profiling)
                            : context.device().queue()) {
        // a frame's modules are uploaded one by one; two frames may be on their way
        context.let_wait(2 * (shape_.modules + 16));
    }

    ~Pipeline() {
        // The queues may still use memory that goes now.
        try {
            upload_queue_.finish();
            context_.device().queue().finish();
        } catch (const cl::Error&) {
            return;  // lost after an error, which says more
        }
    }

    std::string run(SignalSink& sink) {
        if (frames_.empty()) return kernels_->names();
        prepare();
        reader_.start(frames_[0], !is_resident(0));
        for (std::size_t i = 0; i < frames_.size(); ++i) {
            const FrameReader::Read read = reader_.take();
            if (problem_.shared()->in_memory().empty())
                add(context_.timings(), {"read", StageKind::read, read.nanoseconds, read.pixels.size()});
            if (i + 1 < frames_.size()) reader_.start(frames_[i + 1], !is_resident(i + 1));
            if (slots_.size() == 1 && i > 0) deliver(i - 1, sink);
            enqueue(i, read);
            if (slots_.size() > 1 && i > 0) deliver(i - 1, sink);
        }
        deliver(frames_.size() - 1, sink);
        return kernels_->names() + ", count_signal, list_signal";
    }

  private:
    /// A frame on its way.
    struct Slot {
        Buffer images;  ///< where the frame does not stay on the device
        Buffer bits;
        SignalLists::Pending list;
        std::span<const std::byte> pixels;
    };
    Slot& slot_of(std::size_t i) { return slots_[i % slots_.size()]; }
    bool stays(std::size_t i) const { return i < kept_; }
    bool is_resident(std::size_t i) {
        return stays(i) && context_.device().find_resident(frame_key(problem_, frames_[i])) != nullptr;
    }

    void prepare() {
        const RoomNeeds needs{shape_.pixels() + kernels_->scratch_bytes(),
                              shape_.bit_bytes() + lists_.pending_bytes(), plane_bytes_};
        const FrameRoom room = FrameRoom::of(needs, frames_.size(), context_);
        kept_ = room.kept;
        const bool all_stay = kept_ == frames_.size();
        std::vector<std::string> keys{mask_key(problem_)};
        for (std::size_t i = 0; i < kept_; ++i) keys.push_back(frame_key(problem_, frames_[i]));
        std::vector<std::uint64_t> bytes(keys.size(), plane_bytes_);
        bytes[0] = shape_.pixels();
        make_room(context_.device(), context_.budget(), keys, bytes,
                  kernels_->scratch_bytes() + room.slots * (needs.slot + (all_stay ? 0 : plane_bytes_)));
        ignore_ = &ignore_on_device();
        kernels_->prepare(context_, *ignore_);
        for (std::size_t i = 0; i < room.slots; ++i)
            slots_.push_back({all_stay ? Buffer() : empty_plane(),
                              context_.buffer(shape_.bit_bytes()),
                              lists_.make(context_),
                              {}});
    }

    /// Images with nothing but margins.
    Buffer empty_plane() {
        Buffer plane = context_.buffer(plane_bytes_);
        upload_queue_.enqueueFillBuffer(plane.cl(), cl_uchar{0}, 0, plane_bytes_);
        return plane;
    }

    const Buffer& ignore_on_device() {
        const std::string key = mask_key(problem_);
        if (const Buffer* known = context_.device().find_resident(key)) return *known;
        Stopwatch watch;
        std::vector<std::uint8_t> plane(shape_.pixels(), 1);
        const std::vector<std::uint8_t>& ignore = problem_.ignore_cut();
        for (std::size_t module = 0, at = 0; module < shape_.modules; ++module)
            for (std::size_t y = 0; y < shape_.height; ++y, at += shape_.width)
                std::copy_n(ignore.data() + at, shape_.width, plane.data() + shape_.offset(module, y, 0));
        add(context_.timings(), {"lay out mask", StageKind::host, watch.lap(), plane.size()});
        return context_.device().keep_resident(key, context_.uploaded<std::uint8_t>("upload mask", plane));
    }

    /// The images of frame `i` of those that are there, on the device when the kernels' queue gets to them.
    const Buffer& images(std::size_t i, const FrameReader::Read& read) {
        if (!stays(i)) {
            upload(slot_of(i).images, read.to_upload);
            return slot_of(i).images;
        }
        const std::string key = frame_key(problem_, frames_[i]);
        if (const Buffer* known = context_.device().find_resident(key)) return *known;
        Buffer plane = empty_plane();
        upload(plane, read.to_upload);
        return context_.device().keep_resident(key, std::move(plane));
    }

    void upload(const Buffer& to, std::span<const std::byte> frame) {
        const std::size_t bytes = size_of(problem_.type()), width = shape_.width * bytes;
        const ks::spots::ModuleLayout& layout = problem_.layout();
        cl::Event uploaded;
        for (std::size_t module = 0; module < shape_.modules; ++module) {
            const auto& from = layout.origins[module];
            const std::size_t row =
                module * (shape_.height + PlaneShape::margin_rows) + PlaneShape::margin_rows;
            upload_queue_.enqueueWriteBufferRect(
                to.cl(), CL_FALSE, {PlaneShape::margin_columns * bytes, row, 0}, {from.x * bytes, from.y, 0},
                {width, shape_.height, 1}, shape_.pitch() * bytes, 0, layout.frame_width * bytes, 0,
                const_cast<std::byte*>(frame.data()), nullptr, &uploaded);
            context_.track("upload frames", StageKind::upload, uploaded, {width * shape_.height, 0});
        }
        if (upload_queue_() == context_.device().queue()()) return;
        upload_queue_.flush();
        const std::vector<cl::Event> before{uploaded};
        context_.device().queue().enqueueBarrierWithWaitList(&before);
    }

    void enqueue(std::size_t i, const FrameReader::Read& read) {
        Slot& slot = slot_of(i);
        slot.pixels = read.pixels;
        const FrameOnDevice frame{images(i, read), *ignore_, slot.bits};
        if (kernels_->wants_cleared_bits()) {
            cl::Event cleared;
            context_.device().queue().enqueueFillBuffer(slot.bits.cl(), cl_uint{0}, 0, shape_.bit_bytes(),
                                                        nullptr, &cleared);
            context_.track("clear bits", StageKind::kernel, cleared, {shape_.bit_bytes(), 0});
        }
        kernels_->enqueue(context_, frame);
        lists_.enqueue(context_, slot.bits, slot.list);
    }

    void deliver(std::size_t i, SignalSink& sink) {
        Slot& slot = slot_of(i);
        std::vector<std::uint32_t> signal = lists_.take(context_, slot.bits, slot.list);
        if (!problem_.layout().is_whole()) {
            for (std::uint32_t& pixel : signal)
                pixel = static_cast<std::uint32_t>(problem_.layout().in_frame(pixel));
            std::ranges::sort(signal);
        }
        sink.add(frames_[i], slot.pixels, signal);
        context_.progress().report(static_cast<double>(i + 1) / static_cast<double>(frames_.size()),
                                   "find signal");
    }

    const SpotProblem& problem_;
    LaunchContext& context_;
    PlaneShape shape_;
    std::vector<std::size_t> frames_;
    std::uint64_t plane_bytes_;
    std::unique_ptr<SignalKernels> kernels_;
    SignalLists lists_;
    FrameReader reader_;
    cl::CommandQueue upload_queue_;
    std::size_t kept_ = 0;
    const Buffer* ignore_ = nullptr;
    std::vector<Slot> slots_;
};

}  // namespace

std::string find_signal(const SpotProblem& problem, LaunchContext& context, SignalSink& sink) {
    return Pipeline(problem, context).run(sink);
}

}  // namespace ks::gpu::spots
