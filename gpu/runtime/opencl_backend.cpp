#include "gpu/runtime/opencl_backend.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <utility>

#include "collected_gpu.h"
#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "gpu/runtime/ceilings.h"
#include "gpu/runtime/device_query.h"
#include "gpu/runtime/kernel_files.h"
#include "gpu/runtime/recorded/launch_recorder.h"

namespace ks::gpu {

// What each folder of an analysis defines.
#define KS_DECLARE(folder)                \
    namespace folder {                    \
    std::vector<ClVariant> cl_variants(); \
    }
KS_COLLECTED_gpu(KS_DECLARE)
#undef KS_DECLARE

namespace {

std::vector<ClVariant> collect() {
    std::vector<ClVariant> all;
    const auto take = [&all](std::vector<ClVariant> some) {
        for (ClVariant& variant : some) {
            variant.info.source = kernel_text(variant.info.source_file);
            all.push_back(std::move(variant));
        }
    };
#define KS_TAKE(folder) take(folder::cl_variants());
    KS_COLLECTED_gpu(KS_TAKE)
#undef KS_TAKE
    return all;
}

class OpenClBackend : public Backend {
  public:
    explicit OpenClBackend(std::function<void()> before_drivers)
        : before_drivers_(std::move(before_drivers)), table_(collect()) {
        for (const ClVariant& row : table_) variants_.push_back(row.info);
    }

    std::string name() const override { return "opencl"; }

    std::vector<DeviceInfo> devices() override {
        std::vector<DeviceInfo> infos;
        infos.reserve(found().size());
        for (const FoundDevice& device : found()) infos.push_back(device.info);
        return infos;
    }

    std::vector<DeviceProperty> properties(const DeviceInfo& device) override {
        const FoundDevice& one = found().at(static_cast<std::size_t>(device.index));
        return device_properties(one.platform, one.device);
    }

    std::map<std::string, std::string> kernel_files() override {
        std::map<std::string, std::string> texts;
        for (const KernelFile& file : gpu::kernel_files()) texts.emplace(file.path, kernel_text(file.path));
        return texts;
    }

    std::string kernel_text_with_files(const Variant& variant) override {
        return gpu::kernel_text_with_files(variant.source_file);
    }

    const std::vector<Variant>& variants() const override { return variants_; }

    std::string why_not(const Variant& variant, const DeviceInfo& device) override {
        const Constraints& needs = variant.constraints;
        if (needs.fp64 && !device.fp64)
            return fmt::format("{} does not support double precision", device.name);
        if (needs.local_bytes > device.local_bytes)
            return fmt::format("{} has {} bytes of local memory, but {} are needed", device.name,
                               device.local_bytes, needs.local_bytes);
        for (const std::string& extension : needs.extensions)
            if (!device.has_extension(extension))
                return fmt::format("{} does not support {}", device.name, extension);
        if (needs.work_group > device.largest_work_group)
            return fmt::format("its work-groups have {} work-items, but {} allows at most {}",
                               needs.work_group, device.name, device.largest_work_group);
        const ClVariant& row = row_of(variant);
        if (!row.probe.empty() && language_of(context_of(device), row).empty())
            return row.lacks.empty()
                       ? fmt::format("a program that it needs does not build on {}", device.name)
                       : fmt::format("{} {}", device.name, row.lacks);
        return {};
    }

    /// Creating a context takes a driver 0.1 s.
    void open(const DeviceInfo& device) override {
        try {
            context_of(device);
        } catch (const cl::Error&) {
            return;  // execute() reports it
        }
    }

    void execute(const Problem& problem, Run& run, Progress& progress) override {
        execute(problem, run, progress, nullptr);
    }

    /// Drops cached buffers first, so that every upload that the kernels read is recorded.
    std::unique_ptr<RecordedLaunches> record(const Problem& problem, Run& run, Progress& progress) override {
        forget();
        auto recorder = std::make_unique<LaunchRecorder>(context_of(run.device));
        execute(problem, run, progress, recorder.get());
        try {
            recorder->end(run.variant.id);
        } catch (const cl::Error& error) {
            throw to_error(error, fmt::format("{} on {}", run.variant.id, run.device.name));
        }
        return recorder;
    }

    Ceilings measure_ceilings(const DeviceInfo& device, const CeilingsPlan& plan,
                              Progress& progress) override {
        try {
            return gpu::measure_ceilings(context_of(device), plan, progress);
        } catch (const cl::Error& error) {
            throw to_error(error, fmt::format("ceilings of {}", device.name));
        }
    }

    void forget() override {
        for (const auto& [index, device] : contexts_) {
            device->shrink_resident(0);
            device->tables().clear();
        }
    }

  private:
    void execute(const Problem& problem, Run& run, Progress& progress, LaunchRecorder* recorder) {
        try {
            Stopwatch watch;
            context_of(run.device).wake();
            const ClVariant& row = row_of(run.variant);
            DeviceContext& device = context_of(run.device);
            {
                LaunchContext context(device, run, progress, row.tuning, language_of(device, row));
                if (recorder != nullptr) context.record_to(*recorder);
                add(run.timings, {"set up", StageKind::overhead, watch.lap()});
                run.result = row.launch(problem, context);
                context.finish();
                context.require_source_used();
                for (std::string& warning : context.take_warnings())
                    run.result.warnings.push_back(std::move(warning));
                watch.lap();
            }
            add(run.timings, {"clean up", StageKind::overhead, watch.lap()});
        } catch (const cl::Error& error) {
            throw to_error(error, fmt::format("{} on {}", run.variant.id, run.device.name));
        }
    }

    /// The first version as which its probe builds; empty: none.
    static std::string language_of(DeviceContext& device, const ClVariant& row) {
        if (row.probe.empty()) return row.languages.front();
        for (const std::string& language : row.languages)
            if (device.probe(row.info.id, row.probe, language)) return language;
        return {};
    }

    const ClVariant& row_of(const Variant& variant) const {
        const std::string& id = variant.from_user() ? variant.base : variant.id;
        for (const ClVariant& row : table_)
            if (row.info.id == id && row.info.analysis == variant.analysis) return row;
        throw Error(ErrorKind::input, "no such OpenCL variant", variant.id);
    }

    DeviceContext& context_of(const DeviceInfo& device) {
        const auto index = static_cast<std::size_t>(device.index);
        if (device.index < 0 || index >= found().size())
            throw Error(ErrorKind::device, "no such OpenCL device", device.name);
        const std::lock_guard lock(opening_);
        auto& context = contexts_[{index, device.context}];
        if (!context) context = std::make_unique<DeviceContext>(found()[index]);
        return *context;
    }

    /// Drivers are loaded when devices are first requested.
    const std::vector<FoundDevice>& found() {
        std::call_once(searched_, [this] {
            if (before_drivers_) before_drivers_();
            found_ = find_devices();
            for (std::size_t i = 0; i < found_.size(); ++i) found_[i].info.index = static_cast<int>(i);
        });
        return found_;
    }

    std::function<void()> before_drivers_;
    std::once_flag searched_;
    std::vector<FoundDevice> found_;
    std::vector<ClVariant> table_;
    std::vector<Variant> variants_;
    std::mutex opening_;  ///< of contexts_, whose own members are each used by one run at a time
    std::map<std::pair<std::size_t, std::uint32_t>, std::unique_ptr<DeviceContext>> contexts_;
};

}  // namespace

std::unique_ptr<Backend> make_opencl_backend(std::function<void()> before_drivers) {
    return std::make_unique<OpenClBackend>(std::move(before_drivers));
}

}  // namespace ks::gpu
