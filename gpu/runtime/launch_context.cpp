#include "gpu/runtime/launch_context.h"

#include <chrono>
#include <functional>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/judge/kernel_stage.h"
#include "core/run/build_stage.h"
#include "core/run/user/define_words.h"
#include "core/run/user/text_defines.h"
#include "core/run/user/variant_header.h"
#include "gpu/runtime/codes/opencl_code.h"
#include "gpu/runtime/kernel_files.h"
#include "gpu/runtime/quirks.h"
#include "gpu/runtime/recorded/launched_groups.h"
#include "gpu/runtime/uploads/simulated_memory.h"

namespace ks::gpu {
namespace {

std::string options_of(const std::map<std::string, std::string>& defines, const DeviceInfo& device,
                       const std::string& language, bool names_arguments) {
    const bool limits_registers = device.has_extension("cl_nv_compiler_options");
    std::string options = "-cl-std=" + language;
    if (names_arguments) options.append(" ").append(argument_info);
    for (const auto& [name, value] : defines) {
        options += " -D" + name + "=" + value;
        if (limits_registers && name == "MAX_REGISTERS") options += " -cl-nv-maxrregcount=" + value;
    }
    return options;
}

Error no_kernel(const cl::Program& program, const std::string& entry_point, const std::string& file) {
    std::string names = program.getInfo<CL_PROGRAM_KERNEL_NAMES>();
    while (!names.empty() && names.back() == '\0') names.pop_back();
    return Error(ErrorKind::build, "there is no kernel " + entry_point + " in it", file,
                 names.empty() ? "it has no kernels" : "its kernels are " + names);
}

/// A group size where the driver's choice will not do. Gives several groups of several work-items if the
/// range has divisors for that.
/// @param largest number of work-items that a group may have
cl::NDRange group_of_several(const cl::NDRange& global, std::uint64_t largest) {
    // work-items per dimension, by the number of dimensions
    constexpr std::array<std::size_t, 3> most{64, 8, 4};
    std::array<std::size_t, 3> group{1, 1, 1};
    std::uint64_t items = 1;
    for (std::size_t i = 0; i < global.dimensions(); ++i) {
        const std::size_t range = global.get()[i];
        std::size_t size = std::min(range / 2, most[global.dimensions() - 1]);
        while (size > 1 && (range % size != 0 || items * size > largest)) --size;
        if (size <= 1 && items * range <= largest) size = range;
        group[i] = std::max<std::size_t>(size, 1);
        items *= group[i];
    }
    return range_of(group, global.dimensions());
}

}  // namespace

LaunchContext::LaunchContext(DeviceContext& device, Run& run, Progress& progress, TuningTable tuning,
                             std::string language)
    : device_(device),
      run_(run),
      progress_(progress),
      tuning_(std::move(tuning)),
      language_(std::move(language)) {
    if (run_.device.backend.empty())
        run_.device = device_.info();  // a run that names none uses the context's
    require_defines();
    device_.begin_run_of(own_kernels());
    // Not in each repeat that is only timed.
    if (const std::string own = own_kernels(); !own.empty())
        overwrites_ = run_.request.check != CheckMode::none || run_.request.guarded || !device_.has_run(own);
    device_.shrink_resident(budget());
    if (run_.request.memory_limit) device_.tables().clear();
    device_.memory()->begin_run(!run_.request.memory_limit);
    if (device_.page_locked()) device_.page_locked()->begin_run();
    // A driver that does the work itself runs no kernel to guard against.
    if (run_.request.guarded && !run_.variant.entry_points.empty()) device_.begin_guarded_run();
}

LaunchContext::~LaunchContext() {
    // After an error, kernels may still be running on buffers that the caller is about to free.
    device_.memory()->abandon_run();
    if (device_.memory()->zones()) device_.end_guarded_run();
    try {
        if (!finished_) device_.queue().finish();
    } catch (const cl::Error&) {
        return;  // the queue is lost; the original error says more
    }
    for (Lent& one : lent_) one.program->idle[one.entry_point].push_back(std::move(one.kernel));
}

std::uint64_t LaunchContext::budget() const {
    return run_.request.memory_limit ? *run_.request.memory_limit : device_.default_budget(run_.device);
}

cl::Kernel LaunchContext::kernel(const std::string& entry_point,
                                 const std::map<std::string, std::string>& defines) {
    return built(source({}), entry_point, defines);
}

cl::Kernel LaunchContext::kernel_behind(const InsertedText& inserted, const std::string& entry_point) {
    return built(source(inserted), entry_point, {});
}

LaunchContext::Source LaunchContext::source(const InsertedText& inserted) {
    const Request& request = run_.request;
    const auto behind = [&inserted](const std::string& file, const std::string& text) {
        return text_behind(inserted.before(text), file, text);
    };
    const std::string& shipped = run_.variant.source_file;
    if (request.kernel_source.empty())
        return {.file = shipped,
                .text = behind(shipped, run_.variant.source),
                .shipped = std::nullopt,
                .inserted = inserted.before(run_.variant.source)};
    own_source_built_ = true;
    const std::string file = file_of_source(),
                      own = with_given_defines(request.kernel_source,
                                               values_in_text(run_.variant.defines, request.defines));
    return {.file = file,
            .text = behind(file, own),
            .shipped = behind(shipped, kernel_text(shipped)),
            .inserted = inserted.before(own)};
}

cl::Kernel LaunchContext::kernel(const std::string& source_file, const std::string& entry_point,
                                 const std::map<std::string, std::string>& defines) {
    if (source_file == run_.variant.source_file) return kernel(entry_point, defines);
    const std::vector<std::string>& shared = run_.variant.shared_sources;
    if (std::find(shared.begin(), shared.end(), source_file) == shared.end())
        throw Error(ErrorKind::run, source_file + " is not among the kernel files that the variant lists",
                    run_.variant.id);
    return built({source_file, kernel_text(source_file)}, entry_point, defines);
}

cl::Kernel LaunchContext::built(const Source& source, const std::string& entry_point,
                                const std::map<std::string, std::string>& defines) {
    Stopwatch watch;
    const bool names_arguments = run_.request.guarded || source.shipped;
    if (source.shipped) require_own_values(defines);
    const std::map<std::string, std::string> set = source.shipped ? with_those_of_text(defines) : defines;
    if (source.shipped) require_values_of_text(source, set);
    const std::string options = options_of(set, device_.info(), language_, names_arguments);
    ProgramCache::Entry& entry = device_.programs().get(source.file, source.text, options,
                                                        [this] { progress_.report(0, build_stage); });
    if (std::string why = device_.programs().take_complaint(); !why.empty())
        warnings_.push_back(std::move(why));
    if (source.shipped) require_kernel(source, entry, entry_point);
    const bool made = entry.log.cache == "built";
    add(run_.timings, made ? Timing{build_stage, StageKind::host, watch.lap()}
                           : Timing{"find kernels", StageKind::overhead, watch.lap()});
    if (made) progress_.report(0, "run");
    const auto known = std::find_if(run_.builds.begin(), run_.builds.end(), [&](const BuildLog& build) {
        return build.text_hash == entry.log.text_hash && build.options == entry.log.options;
    });
    BuildLog& build = known != run_.builds.end() ? *known : run_.builds.emplace_back(entry.log);
    build.source_file = source.file;  // another file with the same text may have been the first
    build.inserted = source.inserted;
    const bool first = std::find(build.entry_points.begin(), build.entry_points.end(), entry_point) ==
                       build.entry_points.end();
    if (first) build.entry_points.push_back(entry_point);
    try {
        lent_.push_back({&entry, entry_point, entry.lend(entry_point)});
        if (first)
            build.resources.push_back(device_.programs().resources(entry, entry_point, lent_.back().kernel));
        return lent_.back().kernel;
    } catch (const cl::Error&) {
        throw no_kernel(entry.program, entry_point, source.file);
    }
}

void LaunchContext::require_kernel(const Source& source, ProgramCache::Entry& entry,
                                   const std::string& entry_point) {
    ProgramCache& programs = device_.programs();
    const std::optional<std::vector<KernelArgument>>* own = nullptr;
    try {
        own = &programs.arguments(entry, source.text, entry_point);
    } catch (const cl::Error&) {
        throw no_kernel(entry.program, entry_point, source.file);
    }
    const std::string options = entry.log.options;
    ProgramCache::Entry& shipped = programs.get(run_.variant.source_file, *source.shipped, options, [] {});
    const std::optional<std::vector<KernelArgument>>& given =
        programs.arguments(shipped, *source.shipped, entry_point);
    if (*own && given) require_same_arguments(entry_point, **own, *given, source.file);
}

void LaunchContext::require(const Traits& traits) const {
    const std::string why = why_not(run_.variant, traits, device_.info().fp64);
    if (!why.empty()) throw Error(ErrorKind::input, why, run_.request.analysis, "choose another variant");
}

void LaunchContext::require_source_used() const {
    if (run_.request.kernel_source.empty() || own_source_built_) return;
    std::string others;
    for (const BuildLog& build : run_.builds) others += (others.empty() ? "" : ", ") + build.source_file;
    throw Error(ErrorKind::input,
                "the kernel source was not used: for this problem, " + run_.variant.id + " compiles " +
                    (others.empty() ? "nothing" : others),
                run_.request.kernel_file.empty() ? "kernel source" : run_.request.kernel_file);
}

void LaunchContext::require_local_memory(const cl::Kernel& kernel) const {
    // Before the launch: quirk oversized_group_ends_process.
    const std::uint64_t needed = kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device_.device());
    if (needed <= device_.info().local_bytes) return;
    throw Error(ErrorKind::device,
                run_.variant.id + " needs " + std::to_string(needed) +
                    " bytes of local memory for a group of its kernel " +
                    kernel.getInfo<CL_KERNEL_FUNCTION_NAME>() + ", but " + device_.info().name + " has " +
                    std::to_string(device_.info().local_bytes),
                run_.request.analysis, "choose other definitions or another variant");
}

void LaunchContext::require_group(const cl::Kernel& kernel, const cl::NDRange& local) const {
    std::size_t items = 1;
    for (std::size_t i = 0; i < local.dimensions(); ++i) items *= local.get()[i];
    const auto maximum = kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device_.device());
    if (items <= maximum) return;
    throw Error(ErrorKind::device,
                run_.variant.id + " has work-groups of " + std::to_string(items) + " work-items, but on " +
                    device_.info().name + " its kernel " + kernel.getInfo<CL_KERNEL_FUNCTION_NAME>() +
                    " allows at most " + std::to_string(maximum),
                "group size", "set a smaller group with --define, or choose another variant");
}

std::map<std::string, std::string> LaunchContext::chosen_in_text() const {
    const Request& request = run_.request;
    std::map<std::string, std::string> values;
    if (request.kernel_source.empty()) return values;
    const std::string& shipped = run_.variant.source_file;
    const HostDefines host = host_defines(run_.variant.defines, request.defines);
    for (const auto& [name, define] :
         chosen_defines(request.kernel_source, kernel_text_with_files(shipped), host)) {
        const DefineSpec* const spec = define_in_text(run_.variant.defines, name);
        if (spec == nullptr) continue;
        require_clear(name, define, host, file_of_source());
        if (host.given.contains(name)) continue;  // what is given comes before the text
        const std::string in_program = value_in_program(*spec, define.value);
        try {
            if (in_program != define.value)
                throw Error(ErrorKind::input,
                            fmt::format("expected the number {} for {}", in_program, define.value), {},
                            "the program compares numbers; --define and the header take both");
            require_define(run_.variant, spec->name, define.value);
        } catch (const Error& error) {
            const std::string file = define.place.file.empty() ? file_of_source() : define.place.file;
            throw Error(ErrorKind::input, fmt::format("define {}: {}", name, error.message()),
                        at_line(file, define.place.line), error.hint());
        }
        values[spec->name] = value_in_words(*spec, define.value);
    }
    return values;
}

void LaunchContext::require_values_of_text(const Source& source,
                                           const std::map<std::string, std::string>& defines) const {
    const std::set<std::string> of_launch = host_defines(run_.variant.defines).open;
    if (!has_conditional_define(source.text, of_launch)) return;
    const ProgramText program = program_text(source.text, source.file);
    for (const auto& [name, define] : text_defines(program.text, {defines})) {
        const auto value = defines.find(name);
        if (define.guarded || !of_launch.contains(name) || value == defines.end()) continue;
        const FileLine place =
            program.lines.place_of(define.place.line).value_or(FileLine{source.file, define.place.line});
        TextDefine placed = define;
        placed.place = place;
        require_clear(name, placed, {values_in_text(run_.variant.defines, run_.request.defines)},
                      source.file);
        if (value->second == define.value) continue;
        throw Error(
            ErrorKind::input,
            fmt::format("#define {}: the compiler may read {} here, but the kernel is launched with {}", name,
                        define.value, value->second),
            at_line(place.file, place.line),
            fmt::format("define {} outside of #if, or leave it to the launch", name));
    }
}

void LaunchContext::require_own_values(const std::map<std::string, std::string>& defines) const {
    for (const auto& [name, value] : values_in_text(run_.variant.defines, run_.request.defines)) {
        const auto known = defines.find(name);
        const DefineSpec* const spec = define_in_text(run_.variant.defines, name);
        if (known == defines.end() || known->second == value || (spec != nullptr && !is_own_define(*spec)))
            continue;
        throw Error(ErrorKind::input,
                    fmt::format("definition {}: the program launches this kernel with {}, which cannot be "
                                "changed to {}",
                                name, known->second, value),
                    file_of_source());
    }
}

std::map<std::string, std::string> LaunchContext::with_those_of_text(
    const std::map<std::string, std::string>& defines) const {
    const std::map<std::string, std::string> given =
        values_in_text(run_.variant.defines, run_.request.defines);
    std::map<std::string, std::string> all = defines;
    const auto is_known = [&](const std::string& name) { return defines.contains(name); };
    if (std::ranges::all_of(given, [&](const auto& define) { return is_known(define.first); }) &&
        std::ranges::all_of(run_.variant.defines, is_known, &DefineSpec::name))
        return all;
    for (const auto& [name, define] : text_defines(run_.request.kernel_source)) {
        if (!define.guarded || is_known(name)) continue;
        const auto value = given.find(name);
        const DefineSpec* const spec = define_in_text(run_.variant.defines, name);
        if (value != given.end()) all.insert(*value);
        // Another program of the same text has the tuned value of a definition with a name of its own there.
        else if (spec != nullptr && spec->name == name && !define.conditional)
            all.emplace(name, spec->default_value);
    }
    return all;
}

void LaunchContext::require_defines() const {
    const Request& request = run_.request;
    if (request.defines.empty()) return;
    const auto in_text = text_defines(request.kernel_source);
    for (const auto& define : request.defines)
        if (std::ranges::none_of(in_text, [&](const auto& one) { return one.first == define.first; }))
            require_define(run_.variant, define.first, define.second);
}

std::string LaunchContext::file_of_source() const {
    return run_.request.kernel_file.empty() ? given_source : run_.request.kernel_file;
}

std::string LaunchContext::own_kernels() const {
    const Request& request = run_.request;
    if (request.kernel_source.empty() && !run_.variant.from_user()) return {};
    const std::string& text = request.kernel_source.empty() ? run_.variant.source : request.kernel_source;
    return fmt::format("{} {}", run_.variant.id, std::hash<std::string>{}(text));
}

bool LaunchContext::launches_whole() const {
    return !run_.request.kernel_source.empty() && !allows_pieces(run_.request.kernel_source);
}

bool LaunchContext::launches_shortest() const {
    return run_.request.shortest_launches && !launches_whole();
}

Buffer LaunchContext::buffer(std::uint64_t bytes) {
    if (bytes > device_.info().largest_allocation)
        throw Error(ErrorKind::device,
                    "a buffer of " + std::to_string(bytes) +
                        " bytes exceeds the device's maximum allocation size of " +
                        std::to_string(device_.info().largest_allocation) + " bytes",
                    device_.info().name, "set a smaller --memory-limit");
    const Overhead overhead(*this, "find memory");
    Buffer made{device_.memory(), bytes};
    if (overwrites_) overwrite(made);
    return made;
}

void LaunchContext::overwrite(const Buffer& made) {
    constexpr std::uint64_t word = sizeof(cl_uint);
    const std::uint64_t words = made.bytes() / word * word;
    fill_in_parts(made, words);
}

void LaunchContext::fill_with_unlikely(const Buffer& to, std::uint64_t bytes) {
    const Overhead overhead(*this, "call transfers");
    fill_in_parts(to, bytes);
    const auto pattern = std::as_bytes(std::span(&unlikely_word, 1));
    if (recorder_ != nullptr) recorder_->filled(to, {pattern.begin(), pattern.end()}, bytes);
}

void LaunchContext::fill_in_parts(const Buffer& to, std::uint64_t bytes) {
    for (std::uint64_t from = 0; from < bytes; from += most_at_once) {
        progress_.check();
        const std::uint64_t part = std::min<std::uint64_t>(most_at_once, bytes - from);
        const cl::Event event = enqueue_fill(to, std::as_bytes(std::span(&unlikely_word, 1)), from, part);
        if (from + part < bytes) event.wait();
        waiting_.push_back({"overwrite memory", StageKind::overhead, event, {part, 0}});
    }
}

Buffer LaunchContext::zeros(std::uint64_t bytes) {
    Buffer made = buffer(bytes);
    finished_ = finished_ && bytes == 0;
    const Overhead overhead(*this, "call transfers");
    if (bytes > 0) fill(made, cl_uchar{0}, bytes);
    return made;
}

cl::Event LaunchContext::fill_bytes(const Buffer& to, std::span<const std::byte> pattern,
                                    std::uint64_t bytes) {
    cl::Event filled = enqueue_fill(to, pattern, 0, bytes);
    if (recorder_ != nullptr) recorder_->filled(to, {pattern.begin(), pattern.end()}, bytes);
    return filled;
}

cl::Event LaunchContext::enqueue_fill(const Buffer& to, std::span<const std::byte> pattern,
                                      std::uint64_t from, std::uint64_t bytes) {
    finished_ = false;
    cl::Event filled;
    const cl_int failed = clEnqueueFillBuffer(device_.queue()(), to.cl()(), pattern.data(), pattern.size(),
                                              from, bytes, 0, nullptr, &filled());
    if (failed != CL_SUCCESS) throw cl::Error(failed, "clEnqueueFillBuffer");
    note_written(device_.queue(), to.cl(), filled);
    return filled;
}

void LaunchContext::track_fill(const std::string& stage, const cl::Event& event, std::uint64_t bytes) {
    waiting_.push_back({stage, StageKind::kernel, event, {bytes, 0}});
}

void LaunchContext::upload(const std::string& stage, const Buffer& to, std::span<const std::byte> from,
                           std::uint64_t offset) {
    if (from.empty()) return;
    progress_.check();
    finished_ = false;
    const Overhead overhead(*this, "call transfers");
    const auto called = std::chrono::steady_clock::now();
    cl::Event event;
    // Waiting for a few bytes costs more than copying them.
    constexpr std::size_t small = 64 << 10, most = 4 << 20;
    const bool waits = from.size() > small || small_bytes_ + from.size() > most;
    if (!waits) {
        small_bytes_ += from.size();
        from = small_.emplace_back(from.begin(), from.end());
    }
    device_.queue().enqueueWriteBuffer(to.cl(), waits ? CL_TRUE : CL_FALSE, offset, from.size(), from.data(),
                                       nullptr, &event);
    note_written(device_.queue(), to.cl(), event);
    waiting_.push_back({stage, StageKind::upload, event, {from.size(), 0}, called});
    if (recorder_ != nullptr) recorder_->uploaded(to, event);
}

std::shared_ptr<const Buffer> LaunchContext::table(const std::string& stage,
                                                   std::span<const std::byte> values) {
    const bool keeps = !run_.request.memory_limit && !values.empty() && values.size() <= TableCache::largest;
    if (!keeps) return std::make_shared<const Buffer>(uploaded<std::byte>(stage, values));
    const TableCache::Key key = TableCache::key_of(values);
    if (auto known = device_.tables().find(key)) return known;
    Buffer made = uploaded<std::byte>(stage, values);
    if (made.zones()) made.zones()->note_input(made.cl());
    return device_.tables().keep(key, std::move(made));
}

Array LaunchContext::host_array(ElementType type, std::vector<std::size_t> shape) {
    constexpr std::size_t worthwhile = 64 << 10;
    const Overhead overhead(*this, "find memory");
    std::size_t bytes = size_of(type);
    for (const std::size_t n : shape) bytes *= n;
    if (device_.page_locked() && bytes >= worthwhile)
        if (auto memory = device_.page_locked()->lend(bytes))
            return Array::in(std::move(memory), type, std::move(shape));
    return Array::undefined(type, std::move(shape));
}

void LaunchContext::download(const std::string& stage, std::span<const Read> reads) {
    progress_.check();
    const Overhead overhead(*this, "wait for device");
    for (const Read& read : reads) {
        if (read.to.empty()) continue;
        const bool last = &read == &reads.back();
        for (std::size_t from = 0; from < read.to.size(); from += most_at_once) {
            const std::span<std::byte> to =
                read.to.subspan(from, std::min(most_at_once, read.to.size() - from));
            const bool ends = from + to.size() == read.to.size();
            const auto called = std::chrono::steady_clock::now();
            cl::Event event;
            try {
                progress_.check();
                device_.queue().enqueueReadBuffer(read.from.cl(), last || !ends ? CL_TRUE : CL_FALSE,
                                                  read.offset + from, to.size(), to.data(), nullptr, &event);
            } catch (...) {
                clFinish(device_.queue()());  // earlier ones may still write
                throw;
            }
            waiting_.push_back({stage, StageKind::download, event, {to.size(), 0}, called});
        }
        if (recorder_ != nullptr) recorder_->downloaded(read.from, read.offset, read.to.size());
    }
    if (!reads.empty() && reads.back().to.empty()) device_.queue().finish();
    if (!reads.empty()) tell_end();
}

void LaunchContext::download(const std::string& stage, const Buffer& from, std::span<std::byte> to,
                             std::uint64_t offset) {
    if (to.empty()) return;
    const Read read{from, to, offset};
    download(stage, std::span(&read, 1));
}

cl::Event LaunchContext::launch(const std::string& stage, const cl::Kernel& kernel, const cl::NDRange& global,
                                const cl::NDRange& local, const Cost& cost, const cl::NDRange& offset) {
    progress_.check();
    settle(may_wait_);
    const Overhead overhead(*this, "launch kernels");
    const auto called = std::chrono::steady_clock::now();
    cl::Event event;
    enqueue(stage, {kernel, global, local}, offset, &event);
    device_.queue().flush();
    waiting_.push_back({stage, StageKind::kernel, event, cost, called});
    return event;
}

void LaunchContext::launch_in_turn(const std::string& stage, const std::vector<Launch>& launches) {
    progress_.check();
    settle(may_wait_);
    const Overhead overhead(*this, "launch kernels");
    const auto called = std::chrono::steady_clock::now();
    cl::Event first, last;
    for (std::size_t i = 0; i < launches.size(); ++i)
        enqueue(stage, launches[i], cl::NullRange,
                i + 1 == launches.size() ? &last
                : i == 0                 ? &first
                                         : nullptr);
    device_.queue().flush();
    waiting_.push_back(
        {stage, StageKind::kernel, last, {}, called, launches.size() > 1 ? first : last, launches.size()});
}

void LaunchContext::enqueue(const std::string& stage, const Launch& launch, const cl::NDRange& offset,
                            cl::Event* event) {
    require_local_memory(launch.kernel);
    tell_begin(launch.kernel);
    finished_ = false;
    // quirk groups_of_one. Any driver may choose a single group, in which get_local_id() is the same as
    // get_global_id(); a guarded run looks for faults and is not timed.
    const bool several = has_quirk(device_.info(), "groups_of_one") || run_.request.guarded;
    const auto largest = [&] {
        return launch.kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device_.device());
    };
    const cl::NDRange local =
        launch.local.dimensions() == 0 && several ? group_of_several(launch.global, largest()) : launch.local;
    const bool compiles = is_compiled_with_launch(launch.kernel, local);
    cl::Event own;
    if (compiles && event == nullptr) event = &own;
    try {
        device_.queue().enqueueNDRangeKernel(launch.kernel, offset, launch.global, local, nullptr, event);
    } catch (const cl::Error&) {
        require_group(launch.kernel, local);
        throw;
    }
    if (compiles) wait_for_compilation(launch.kernel, *event);
    if (recorder_ != nullptr) recorder_->launched(launch.kernel, offset, launch.global, launch.local);
    note_group(launch);
    require_zones(stage, launch.kernel);
}

LaunchContext::Lent* LaunchContext::find_lent(const cl::Kernel& kernel) {
    const auto lent =
        std::find_if(lent_.rbegin(), lent_.rend(), [&](const Lent& one) { return one.kernel() == kernel(); });
    return lent == lent_.rend() ? nullptr : &*lent;
}

void LaunchContext::note_group(const Launch& launch) {
    Lent* const lent = find_lent(launch.kernel);
    if (lent == nullptr || launch.local.dimensions() == 0) return;
    std::uint64_t items = 1, groups = 1;
    for (std::size_t i = 0; i < launch.local.dimensions(); ++i) {
        const std::size_t local = launch.local.get()[i];
        items *= local;
        groups *= quotient_up(launch.global.get()[i], local);
    }
    lent->group = items;
    note_launched_groups(lent->entry_point, groups);
}

void LaunchContext::tell_groups() {
    for (const Lent& lent : lent_)
        for (BuildLog& build : run_.builds) {
            if (build.text_hash != lent.program->log.text_hash || build.options != lent.program->log.options)
                continue;
            for (KernelResources& kernel : build.resources)
                if (kernel.entry_point == lent.entry_point && lent.group) kernel.group = lent.group;
        }
}

bool LaunchContext::may_be_wrong() const {
    return run_.request.guarded || run_.request.watched || !run_.request.kernel_source.empty() ||
           run_.variant.from_user();
}

void LaunchContext::tell_begin(const cl::Kernel& kernel) {
    if (!may_be_wrong() || told_ == kernel()) return;
    told_ = kernel();
    progress_.report(0, kernel_stage + kernel.getInfo<CL_KERNEL_FUNCTION_NAME>());
}

// quirk program_per_group_size
bool LaunchContext::is_compiled_with_launch(const cl::Kernel& kernel, const cl::NDRange& local) {
    if (!may_be_wrong() || !has_quirk(device_.info(), "program_per_group_size")) return false;
    const Lent* const lent = find_lent(kernel);
    if (lent == nullptr) return false;
    const std::vector<std::size_t> group(local.get(), local.get() + local.dimensions());
    return lent->program->groups[lent->entry_point].insert(group).second;
}

void LaunchContext::wait_for_compilation(const cl::Kernel& kernel, const cl::Event& launched) {
    device_.queue().flush();
    auto reported = std::chrono::steady_clock::now();
    while (launched.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() > CL_RUNNING && !progress_.cancelled()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (std::chrono::steady_clock::now() - reported < std::chrono::milliseconds(200)) continue;
        reported = std::chrono::steady_clock::now();
        progress_.report(0, kernel_stage + kernel.getInfo<CL_KERNEL_FUNCTION_NAME>());
    }
}

void LaunchContext::tell_end() {
    if (std::exchange(told_, nullptr) != nullptr) progress_.report(0, "run");
}

std::string LaunchContext::where(const std::string& stage) const {
    return run_.request.analysis + ", variant " + run_.variant.id + ", stage " + stage;
}

void LaunchContext::require_zones(const std::string& stage, const cl::Kernel& kernel) {
    const std::shared_ptr<GuardZones>& zones = device_.memory()->zones();
    if (!zones) return;
    const auto name = kernel.getInfo<CL_KERNEL_FUNCTION_NAME>();
    std::vector<GuardZones::Damage> damage;
    try {
        damage = zones->damage_by(kernel);
    } catch (const cl::Error& error) {
        throw Error(ErrorKind::device,
                    fmt::format("the device aborted the kernel {}: {} failed with {}", name, error.what(),
                                code_text(error.err())),
                    where(stage), "it may read or write at an invalid address");
    }
    tell_end();
    if (damage.empty()) return;
    std::string all;
    for (const auto& one : damage) all += "wrote " + zones->text_of(one, kernel) + "\n";
    throw GuardError("the kernel " + name + " wrote " + zones->text_of(damage.front(), kernel), where(stage),
                     "check the index there against the size of the buffer",
                     damage.size() > 1 ? all : std::string());
}

void LaunchContext::require_zones(const std::string& stage) {
    const std::shared_ptr<GuardZones>& zones = device_.memory()->zones();
    if (!zones) return;
    const std::vector<GuardZones::Damage> damage = zones->damage();
    tell_end();
    if (damage.empty()) return;
    std::string all;
    for (const auto& one : damage) all += "wrote " + GuardZones::text_of(one) + "\n";
    throw GuardError("a kernel wrote " + GuardZones::text_of(damage.front()), where(stage), {},
                     damage.size() > 1 ? all : std::string());
}

void LaunchContext::require_inputs() {
    const std::shared_ptr<GuardZones>& zones = device_.memory()->zones();
    if (!zones) return;
    const std::vector<std::string> changed = zones->changed_inputs();
    if (changed.empty()) return;
    throw GuardError("a kernel wrote into an input: " + changed.front(), where("end"),
                     "inputs must not change, because other kernels and later runs also read them",
                     changed.size() > 1 ? fmt::format("{}\n", fmt::join(changed, "\n")) : std::string());
}

void LaunchContext::track(const std::string& stage, StageKind kind, const cl::Event& event,
                          const Cost& cost) {
    finished_ = false;
    waiting_.push_back({stage, kind, event, cost});
    if (kind != StageKind::download) not_repeatable("it enqueues its own commands");
    if (kind != StageKind::kernel || !device_.memory()->zones()) return;
    event.wait();
    require_zones(stage);
}

void LaunchContext::track_upload(const std::string& stage, const cl::Event& event, std::uint64_t bytes,
                                 const Buffer& to) {
    finished_ = false;
    note_written(device_.queue(), to.cl(), event);
    waiting_.push_back({stage, StageKind::upload, event, {bytes, 0}});
    if (recorder_ != nullptr) recorder_->uploaded(to, event);
}

void LaunchContext::track_download(const std::string& stage, const cl::Event& event, std::uint64_t bytes,
                                   const Buffer& from) {
    finished_ = false;
    waiting_.push_back({stage, StageKind::download, event, {bytes, 0}});
    if (recorder_ != nullptr) recorder_->downloaded(from, 0, bytes);
}

void LaunchContext::settle(std::size_t keep) {
    if (waiting_.size() <= keep) return;
    const Overhead overhead(*this, "wait for device");
    while (waiting_.size() > keep) {
        const Stage& stage = waiting_.front();
        stage.event.wait();
        const cl::Event& first = stage.first() != nullptr ? stage.first : stage.event;
        const cl_ulong start = first.getProfilingInfo<CL_PROFILING_COMMAND_START>(),
                       end = stage.event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
        clock_.saw_end(end, std::chrono::steady_clock::now());
        if (stage.called) clock_.saw_call(first, *stage.called);
        const std::uint64_t spent = end > start ? end - start : 0;
        Timing row{stage.name, stage.kind, spent, stage.cost.bytes, stage.cost.operations, stage.launches};
        if (spent > 0) row.spans.push_back({start, spent});
        add(on_device_, std::move(row));
        waiting_.pop_front();
    }
}

void LaunchContext::finish() {
    settle(0);
    {
        const Overhead overhead(*this, "wait for device");
        device_.queue().finish();
    }
    require_zones("end");
    require_inputs();
    tell_end();
    const Overhead overhead(*this, "clean up");
    for (Timing& row : std::exchange(on_device_, {})) {
        for (Span& span : row.spans) span.start = clock_.on_host(span.start);
        add(run_.timings, std::move(row));
    }
    tell_groups();
    finished_ = true;
    if (overwrites_) device_.note_run(own_kernels());
    small_.clear();
    small_bytes_ = 0;
    device_.rests();
    device_.memory()->end_run();
    run_.device_bytes_peak = device_.memory()->peak();
}

std::uint64_t duration(const cl::Event& event) {
    const cl_ulong start = event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
    const cl_ulong end = event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
    return end > start ? end - start : 0;
}

void Slicer::took(double units, std::uint64_t nanoseconds) {
    if (nanoseconds < 1'000'000) return;  // too short to measure the rate
    const double seen = units / (static_cast<double>(nanoseconds) * 1e-9);
    rate_ = std::clamp(seen, rate_ / 4, rate_ * 4);
}

}  // namespace ks::gpu
