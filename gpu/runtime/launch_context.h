#pragma once

#include <CL/opencl.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/array.h"
#include "core/base/progress.h"
#include "core/base/stopwatch.h"
#include "core/kernels/inserted_text.h"
#include "core/run/run.h"
#include "core/run/tuning_table.h"
#include "gpu/runtime/device_clock.h"
#include "gpu/runtime/device_context.h"
#include "gpu/runtime/recorded/launch_recorder.h"

namespace ks::gpu {

/// The bytes moved and the operations of a launch, for its timing row.
struct Cost {
    std::uint64_t bytes = 0;
    std::uint64_t operations = 0;
};

/// What the launch function of a variant gets in addition to the problem: kernels, buffers and timed stages
/// on one device. Everything is enqueued in order on one queue. Cancelling takes effect between launches, so
/// work is cut into launches of about 50 ms (see Slicer). The exception is a user's kernel, which may rely on
/// being a single launch.
class LaunchContext {
  public:
    /// @param tuning of the run's variant @param language the version of OpenCL C to compile it as
    LaunchContext(DeviceContext& device, Run& run, Progress& progress, TuningTable tuning = {},
                  std::string language = opencl_c_12);
    ~LaunchContext();
    LaunchContext(const LaunchContext&) = delete;
    LaunchContext& operator=(const LaunchContext&) = delete;

    DeviceContext& device() { return device_; }
    const DeviceInfo& info() const { return device_.info(); }
    const Request& request() const { return run_.request; }
    const Variant& variant() const { return run_.variant; }
    const TuningTable& tuning() const { return tuning_; }
    /// Defines from the user's table of tuned values.
    const std::map<std::string, std::string>& user_tuned() const { return run_.tuned; }
    Progress& progress() { return progress_; }
    /// The host's stages so far, and after finish() also the device's.
    std::vector<Timing>& timings() { return run_.timings; }
    /// A stage of the host's work around its computations, from construction to end: planning, calls of
    /// OpenCL, waiting.
    class Overhead {
      public:
        Overhead(LaunchContext& context, const char* stage) : context_(context), stage_(stage) {}
        ~Overhead() { add(context_.run_.timings, {stage_, StageKind::overhead, watch_.lap()}); }
        Overhead(const Overhead&) = delete;
        Overhead& operator=(const Overhead&) = delete;

      private:
        LaunchContext& context_;
        const char* stage_;
        Stopwatch watch_;
    };
    /// Bytes that this run may hold on the device.
    std::uint64_t budget() const;

    /// A kernel of the variant's source (or of the request's source). With the name of an embedded file,
    /// which is the variant's own file or one of its shared files: a kernel of that file. The program is
    /// built once. Defines become -D options, and MAX_REGISTERS also a limit for NVIDIA's compiler (without
    /// effect on kernels that require a group size). If neither memory nor disk has the program, the
    /// compiler's time is in the row "build kernels".
    cl::Kernel kernel(const std::string& entry_point, const std::map<std::string, std::string>& defines);
    /// Like the first function, with a text before the source, such as one that the user typed. The build log
    /// contains the text.
    cl::Kernel kernel_behind(const InsertedText& inserted, const std::string& entry_point);
    cl::Kernel kernel(const std::string& source_file, const std::string& entry_point,
                      const std::map<std::string, std::string>& defines);

    /// Its contents are undefined. In the first run of a user's kernel, and in each that is checked, they are
    /// unlikely values, as of fill_with_unlikely(): otherwise they may be the right result of another kernel,
    /// whose memory is reused.
    Buffer buffer(std::uint64_t bytes);
    /// Fills with zero bytes.
    Buffer zeros(std::uint64_t bytes);
    /// Fills the first `bytes` with a value; as a stage of kernels, or untimed.
    template <class T>
    void fill(const std::string& stage, const Buffer& to, const T& value, std::uint64_t bytes) {
        track_fill(stage, fill_bytes(to, std::as_bytes(std::span(&value, 1)), bytes), bytes);
    }
    template <class T>
    void fill(const Buffer& to, const T& value, std::uint64_t bytes) {
        fill_bytes(to, std::as_bytes(std::span(&value, 1)), bytes);
    }
    /// Writes unlikely values to the first `bytes` (a multiple of 4): as a float larger than any
    /// result, as an integer larger than any index. Before a launch into a buffer that an earlier launch
    /// filled: a kernel cannot leave the earlier values as its own. Its time is the stage "overwrite memory".
    void fill_with_unlikely(const Buffer& to, std::uint64_t bytes);
    /// Copies to the device; the host memory may be reused on return.
    void upload(const std::string& stage, const Buffer& to, std::span<const std::byte> from,
                std::uint64_t offset = 0);
    template <class T>
    Buffer uploaded(const std::string& stage, std::span<const T> from) {
        Buffer to = buffer(from.size_bytes());
        if (!from.empty()) upload(stage, to, std::as_bytes(from));
        return to;
    }
    /// A table that kernels read, which the device may still have from an earlier run: nobody writes to it.
    template <class T>
    std::shared_ptr<const Buffer> table(const std::string& stage, const std::vector<T>& values) {
        return table(stage, std::as_bytes(std::span(values)));
    }
    std::shared_ptr<const Buffer> table(const std::string& stage, std::span<const std::byte> values);
    /// A host array for a result that the device writes, at the speed of the bus if possible. Its contents
    /// are initially undefined.
    Array host_array(ElementType type, std::vector<std::size_t> shape);
    struct Read {
        const Buffer& from;
        std::span<std::byte> to;
        std::uint64_t offset = 0;
    };
    /// Copies to the host, one after another, and waits once.
    void download(const std::string& stage, std::span<const Read> reads);
    void download(const std::string& stage, const Buffer& from, std::span<std::byte> to,
                  std::uint64_t offset = 0);
    template <class T>
    std::vector<T> downloaded(const std::string& stage, const Buffer& from, std::size_t count) {
        std::vector<T> to(count);
        if (count > 0) download(stage, from, std::as_writable_bytes(std::span<T>(to)));
        return to;
    }

    /// Enqueues a kernel whose arguments are set. Throws ks::Error(cancelled) on a cancellation; lets no more
    /// than two launches wait in the queue.
    cl::Event launch(const std::string& stage, const cl::Kernel& kernel, const cl::NDRange& global,
                     const cl::NDRange& local, const Cost& cost, const cl::NDRange& offset = cl::NullRange);
    struct Launch {
        const cl::Kernel& kernel;
        cl::NDRange global, local;
    };
    /// The same for kernels that follow one another, timed as one stage from the start of the first to the
    /// end of the last: an event takes a driver as long as a launch.
    void launch_in_turn(const std::string& stage, const std::vector<Launch>& launches);
    /// How many launches may wait in the queue (2 by default): more if they are short and the host has other
    /// work to do.
    void let_wait(std::size_t launches) { may_wait_ = launches; }
    /// Adds a command that the caller enqueued, on any queue of the device, to the timings.
    void track(const std::string& stage, StageKind kind, const cl::Event& event, const Cost& cost);
    /// The same for transfers that the caller enqueued; downloads start at the beginning of the buffer.
    void track_upload(const std::string& stage, const cl::Event& event, std::uint64_t bytes,
                      const Buffer& to);
    void track_download(const std::string& stage, const cl::Event& event, std::uint64_t bytes,
                        const Buffer& from);
    /// From now on launches, fills and transfers are recorded.
    void record_to(LaunchRecorder& recorder) { recorder_ = &recorder; }
    bool is_recorded() const { return recorder_ != nullptr; }
    /// The launches of this run cannot be repeated alone: "it ..." says why.
    void not_repeatable(const std::string& why) {
        if (recorder_ != nullptr) recorder_->refuse(why);
    }
    /// Waits for everything and adds up the timings.
    void finish();
    /// Warnings to report with the result: the first problem with the program cache.
    std::vector<std::string> take_warnings() {
        warnings_.resize(std::min<std::size_t>(warnings_.size(), 1));
        return std::exchange(warnings_, {});
    }
    /// Throws ks::Error(input) if the variant does not support a problem of these traits.
    void require(const Traits& traits) const;
    /// Throws ks::Error(input) if the request gives a kernel source and no kernel was taken from it.
    void require_source_used() const;
    /// Values of the variant's defines that the user's kernel text chooses (chosen_defines()). Throws
    /// ks::Error(input) naming the line of one that the launch does not accept.
    std::map<std::string, std::string> chosen_in_text() const;
    /// True if the kernel is the user's, and its header does not allow launches in pieces. In each piece,
    /// groups are numbered from 0, so get_group_id() differs from its value in an undivided launch.
    bool launches_whole() const;
    /// Whether launches that may be divided do as little as possible (Request::shortest_launches).
    bool launches_shortest() const;

  private:
    static constexpr cl_uint unlikely_word = 0xfe9bfea5;
    /// Bytes of an operation on memory. On a processor, larger ones take so long that a request to stop would
    /// not be heeded in time.
    static constexpr std::size_t most_at_once = std::size_t{256} << 20;

    struct Stage {
        std::string name;
        StageKind kind;
        cl::Event event;
        Cost cost;
        std::optional<DeviceClock::HostTime> called{};  ///< just before it was queued
        cl::Event first{};                              ///< if it began with another command
        std::uint64_t launches = 1;
    };
    /// A program's text; for a user's kernel also the shipped text that it replaces.
    struct Source {
        std::string file, text;
        std::optional<std::string> shipped = {};
        std::string inserted = {};  ///< the part of `text` before that of the file
    };
    /// The variant's source, or the request's, preceded by a text.
    Source source(const InsertedText& inserted);
    cl::Kernel built(const Source& source, const std::string& entry_point,
                     const std::map<std::string, std::string>& defines);
    /// Throws ks::Error(build) if a user's kernel is missing, or takes other arguments than the shipped one.
    void require_kernel(const Source& source, ProgramCache::Entry& entry, const std::string& entry_point);
    /// Throws ks::Error(device) if a group needs more local memory than the device has.
    void require_local_memory(const cl::Kernel& kernel) const;
    void require_group(const cl::Kernel& kernel, const cl::NDRange& local) const;
    void enqueue(const std::string& stage, const Launch& launch, const cl::NDRange& offset, cl::Event* event);
    cl::Event fill_bytes(const Buffer& to, std::span<const std::byte> pattern, std::uint64_t bytes);
    /// The same without recording it, from a position on.
    cl::Event enqueue_fill(const Buffer& to, std::span<const std::byte> pattern, std::uint64_t from,
                           std::uint64_t bytes);
    /// Unlikely values, not recorded, as the stage "overwrite memory".
    void fill_in_parts(const Buffer& to, std::uint64_t bytes);
    void track_fill(const std::string& stage, const cl::Event& event, std::uint64_t bytes);
    /// Writes unlikely values to the whole words of a new buffer.
    void overwrite(const Buffer& made);
    void note_group(const Launch& launch);
    /// Adds the group sizes of the launches to the kernels in the build logs.
    void tell_groups();
    void settle(std::size_t keep);
    /// Throws ks::Error(input) if a define in the user's text, with the included files and these definitions,
    /// has a value other than the one that the launch uses. The error names the line.
    void require_values_of_text(const Source& source,
                                const std::map<std::string, std::string>& defines) const;
    /// Throws ks::Error(input) if the request has another value for a definition of the user's text than the
    /// launch, which no option changes.
    void require_own_values(const std::map<std::string, std::string>& defines) const;
    /// Adds definitions of the user's text that its launch does not know.
    std::map<std::string, std::string> with_those_of_text(
        const std::map<std::string, std::string>& defines) const;
    /// Tells the listener which kernel is running, if it may be one that never ends.
    void tell_begin(const cl::Kernel& kernel);
    void tell_end();
    /// Whether the driver compiles this kernel, which may be wrong, when it is launched with this group size.
    bool is_compiled_with_launch(const cl::Kernel& kernel, const cl::NDRange& local);
    /// Reports progress until the launch has begun: the limit of a kernel is not that of its compiler.
    void wait_for_compilation(const cl::Kernel& kernel, const cl::Event& launched);
    /// In a guarded run: waits. Throws GuardError if the kernel wrote outside its buffers.
    void require_zones(const std::string& stage, const cl::Kernel& kernel);
    void require_zones(const std::string& stage);
    /// In a guarded run: throws GuardError if a kernel wrote into an input or a table.
    void require_inputs();
    /// Throws ks::Error(input) for a define of the request that neither the variant nor the given text has.
    void require_defines() const;
    /// The file of the user's kernel, as errors name it.
    std::string file_of_source() const;
    /// Identifies the user's kernels of this run: variant and text. Empty: shipped ones.
    std::string own_kernels() const;
    /// The place of an error in this run.
    std::string where(const std::string& stage) const;
    bool may_be_wrong() const;

    DeviceContext& device_;
    Run& run_;
    Progress& progress_;
    TuningTable tuning_;
    std::string language_;
    struct Lent {
        ProgramCache::Entry* program;
        std::string entry_point;
        cl::Kernel kernel;
        std::optional<std::uint64_t> group = {};  ///< work-items of the last launch
    };
    /// Null if the kernel is not of kernel().
    Lent* find_lent(const cl::Kernel& kernel);

    std::deque<Stage> waiting_;
    DeviceClock clock_;
    std::vector<Timing> on_device_;  ///< done, with spans of the device's clock
    std::vector<Lent> lent_;
    std::deque<std::vector<std::byte>> small_;  ///< uploads in progress
    std::size_t small_bytes_ = 0;
    bool finished_ = false;
    std::size_t may_wait_ = 2;
    bool own_source_built_ = false;
    bool overwrites_ = false;  ///< the memory of buffers, see buffer()
    std::vector<std::string> warnings_;
    LaunchRecorder* recorder_ = nullptr;  ///< null in ordinary runs
    cl_kernel told_ = nullptr;            ///< running, as far as the listener knows
};

/// Sets one argument of a kernel to a buffer. Errors in a guarded run can then name it.
inline void set_argument(cl::Kernel& kernel, cl_uint index, const Buffer& buffer) {
    kernel.setArg(index, buffer.cl());
    if (buffer.zones()) buffer.zones()->note(kernel, index, buffer.cl());
}

/// Sets the arguments of a kernel in order.
template <class... Arguments>
void set_arguments(cl::Kernel& kernel, const Arguments&... arguments) {
    cl_uint index = 0;
    const auto set = [&](const auto& argument) {
        if constexpr (requires { argument.zones(); })
            set_argument(kernel, index++, argument);
        else
            kernel.setArg(index++, argument);
    };
    (set(arguments), ...);
}

/// The number of pieces of this size that cover the value.
inline std::size_t quotient_up(std::size_t value, std::size_t piece) {
    return (value + piece - 1) / piece;
}

/// Rounds up to a multiple: a range of whole groups.
inline std::size_t rounded_up(std::size_t value, std::size_t multiple) {
    return quotient_up(value, multiple) * multiple;
}

/// A range of one to three dimensions, of the first of these sizes.
inline cl::NDRange range_of(const std::array<std::size_t, 3>& sizes, std::size_t dimensions) {
    if (dimensions == 1) return cl::NDRange(sizes[0]);
    if (dimensions == 2) return {sizes[0], sizes[1]};
    return {sizes[0], sizes[1], sizes[2]};
}

/// Nanoseconds between start and end of a finished event.
std::uint64_t duration(const cl::Event& event);

/// How much work to put into one launch: starts from a guess of the device's rate and follows the measured
/// times, so that each launch lasts about `target_ns`. If the context launches kernels as a whole, everything
/// fits into one; if its launches are to be the shortest, nothing does, and callers launch the least they
/// can.
class Slicer {
  public:
    /// @param rate_guess units of work per second
    Slicer(const LaunchContext& context, double rate_guess, double target_ns = 50e6)
        : whole_(context.launches_whole()),
          shortest_(context.launches_shortest()),
          rate_(rate_guess),
          target_ns_(target_ns) {}
    /// From 0 to 1e18, which is more than any problem has.
    double units() const { return whole_ ? 1e18 : shortest_ ? 0 : rate_ * target_ns_ * 1e-9; }
    double rate() const { return rate_; }  ///< units of work per second
    void took(double units, std::uint64_t nanoseconds);

  private:
    bool whole_, shortest_;
    double rate_, target_ns_;
};

}  // namespace ks::gpu
