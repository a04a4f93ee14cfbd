#include "core/run/engine.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <ctime>
#include <new>
#include <utility>

#include "core/base/cache_folder.h"
#include "core/base/error.h"
#include "core/io/open_frames.h"
#include "core/run/problem_key.h"

namespace ks {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t nanoseconds_since(Clock::time_point start) {
    return static_cast<std::uint64_t>((Clock::now() - start) / std::chrono::nanoseconds(1));
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text, length};
}

bool is_whole_number(const std::string& text) {
    long long value = 0;
    const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    return status == std::errc{} && stop == text.data() + text.size();
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text.empty() ? "none" : text;
}

std::string usable(const std::vector<Offer>& offers) {
    std::vector<std::string> ids;
    for (const Offer& offer : offers)
        if (offer.why_not.empty()) ids.push_back(offer.variant.id);
    return joined(ids);
}

/// A kernel of the user's own may know other defines than the shipped one.
void require_defines(const Request& request, const Variant& variant) {
    if (variant.on_host() && !request.kernel_source.empty())
        throw Error(ErrorKind::input,
                    variant.id + " runs on the host: it has no kernel source that could be replaced",
                    request.kernel_file.empty() ? "kernel source" : request.kernel_file);
    if (!request.kernel_source.empty()) return;
    for (const auto& [name, value] : request.defines) {
        const auto spec = std::find_if(variant.defines.begin(), variant.defines.end(),
                                       [&](const DefineSpec& define) { return define.name == name; });
        if (spec == variant.defines.end()) {
            std::vector<std::string> names;
            for (const DefineSpec& define : variant.defines) names.push_back(define.name);
            throw Error(ErrorKind::input, "there is no define " + name, variant.id,
                        "the defines are " + joined(names));
        }
        const bool ok = spec->allowed.empty() ? is_whole_number(value)
                                              : std::find(spec->allowed.begin(), spec->allowed.end(),
                                                          value) != spec->allowed.end();
        if (!ok)
            throw Error(ErrorKind::input,
                        "expected " +
                            (spec->allowed.empty() ? "a whole number" : "one of " + joined(spec->allowed)) +
                            ", found \"" + value + "\"",
                        variant.id + ", define " + name);
    }
}

void require_inputs(const Request& request, const AnalysisInfo& info) {
    std::vector<std::string> roles;
    for (const InputSpec& input : info.inputs) {
        roles.push_back(input.role);
        const auto given = request.inputs.find(input.role);
        const bool here =
            given != request.inputs.end() && (!given->second.name.empty() || given->second.values);
        if (input.required && !here)
            throw Error(ErrorKind::input, "the input is missing", info.id + ", " + input.role, input.help);
    }
    for (const auto& [role, input] : request.inputs)
        if (std::find(roles.begin(), roles.end(), role) == roles.end())
            throw Error(ErrorKind::input, "there is no input \"" + role + "\"", info.id,
                        "the inputs are " + joined(roles));
}

/// A name that finds the device again, also where the order of devices has changed; the index where names are
/// equal.
std::string device_name(const std::vector<DeviceInfo>& devices, const DeviceInfo& device) {
    if (device.type == "host") return "host";
    const auto same = std::count_if(devices.begin(), devices.end(), [&](const DeviceInfo& other) {
        return other.type != "host" && other.name_contains(device.name);
    });
    return same == 1 ? device.name : std::to_string(device.index);
}

}  // namespace

Engine::Engine(std::shared_ptr<const Registry> registry, std::vector<std::unique_ptr<Backend>> backends)
    : registry_(std::move(registry)), backends_(std::move(backends)) {
    for (const auto& backend : backends_)
        for (DeviceInfo& device : backend->devices()) devices_.push_back(std::move(device));
    std::stable_partition(devices_.begin(), devices_.end(),
                          [](const DeviceInfo& device) { return device.type != "host"; });
}

std::vector<Offer> Engine::offers(const std::string& analysis, const DeviceInfo& device,
                                  const Traits& traits) const {
    std::vector<Offer> all;
    for (const auto& backend : backends_)
        for (const Variant& variant : backend->variants()) {
            if (variant.analysis != analysis) continue;
            std::string why_not;
            if (variant.on_host())
                why_not = backend->why_not(variant, choose_device(devices_, "host"));
            else if (device.backend == backend->name())
                why_not = backend->why_not(variant, device);
            else
                why_not = variant.id + " needs a device of " + backend->name() + ", and " + device.name +
                          " is none";
            if (why_not.empty()) why_not = ks::why_not(variant, traits, device.fp64);
            all.push_back({variant, std::move(why_not)});
            if (device.type == "CPU") all.back().variant.rank = variant.cpu_rank.value_or(variant.rank);
        }
    std::stable_sort(all.begin(), all.end(),
                     [](const Offer& a, const Offer& b) { return a.variant.rank > b.variant.rank; });
    return all;
}

Engine::Choice Engine::choose(const Request& request, const Traits& traits) const {
    const AnalysisInfo& info = registry_->analysis(request.analysis).info();
    const bool host_only = request.variant.starts_with("host.");
    DeviceInfo device = choose_device(devices_, host_only ? "host" : request.device);
    const std::vector<Offer> all = offers(info.id, device, traits);

    const Offer* chosen = nullptr;
    if (!request.variant.empty()) {
        std::vector<std::string> ids;
        for (const Offer& offer : all) {
            ids.push_back(offer.variant.id);
            if (offer.variant.id == request.variant) chosen = &offer;
        }
        if (chosen == nullptr)
            throw Error(ErrorKind::input, "there is no variant \"" + request.variant + "\"", info.id,
                        "the variants are " + joined(ids));
        if (!chosen->why_not.empty())
            throw Error(ErrorKind::input, chosen->why_not,
                        info.id + ", variant " + chosen->variant.id + " on " + device.name,
                        "those that can are " + usable(all));
    } else {
        // Who names a device wants it used; who names none gets the host where the device has no usable
        // variant.
        const bool may_be_host = device.type == "host" || request.device.empty();
        std::string reasons;
        for (const bool on_host : {false, true})
            for (const Offer& offer : all) {
                if (offer.variant.on_host() != on_host || (on_host && !may_be_host)) continue;
                if (!offer.why_not.empty())
                    reasons += offer.variant.id + ": " + offer.why_not + "\n";
                else if (chosen == nullptr)
                    chosen = &offer;
            }
        if (chosen == nullptr)
            throw Error(ErrorKind::input, "none of its variants can run on " + device.name, info.id,
                        "choose another device", reasons);
    }
    require_defines(request, chosen->variant);
    if (chosen->variant.on_host()) device = choose_device(devices_, "host");
    for (const auto& backend : backends_)
        for (const Variant& variant : backend->variants())
            if (variant.analysis == info.id && variant.id == chosen->variant.id)
                return {std::move(device), variant, backend.get()};
    throw Error(ErrorKind::run, "no backend has the variant " + chosen->variant.id, info.id);
}

std::shared_ptr<const Problem> Engine::problem_of(const Request& request, Progress& progress) {
    const Analysis& analysis = registry_->analysis(request.analysis);
    Request complete = request;
    complete.parameters = checked(analysis.info().parameters, request.parameters);
    require_inputs(complete, analysis.info());
    const std::string key = problem_key(complete);
    const bool changed = cached_files_.changed().has_value();
    if (cached_problem_ && !changed && key == cached_key_) return cached_problem_;
    cached_key_.clear();
    std::shared_ptr<const Problem> previous = std::exchange(cached_problem_, nullptr);
    if (changed) previous.reset();
    cached_files_ = {};
    for (const auto& [role, input] : complete.inputs)
        if (!input.values) cached_files_.add(io::DataName::parse(input.name).file);
    cached_problem_ = analysis.load(complete, progress, std::move(previous));
    if (const auto* from = dynamic_cast<const FromFiles*>(cached_problem_.get()))
        cached_files_.add(from->files());
    cached_key_ = key;
    return cached_problem_;
}

Run Engine::run(const Request& request, Progress& progress) {
    const auto start = Clock::now();
    const std::string started = utc_now();
    // what is wrong with the request is said before files are read
    choose(request, checked(registry_->analysis(request.analysis).info().parameters, request.parameters));
    const auto load_start = Clock::now();
    const std::weak_ptr<const Problem> before = cached_problem_;
    const std::shared_ptr<const Problem> problem = problem_of(request, progress);
    Timing load{.stage = "load", .kind = StageKind::read};
    if (before.lock() != problem) load.nanoseconds = nanoseconds_since(load_start);

    Request unchecked = request;
    unchecked.check = CheckMode::none;
    Run run = this->run(unchecked, problem, progress);
    cached_files_.require_unchanged();
    run.request.check = request.check;
    run.started = started;
    run.timings.insert(run.timings.begin(), load);
    run.wall_nanoseconds = nanoseconds_since(start);
    if (request.check != CheckMode::none) {
        run.verdict = registry_->analysis(request.analysis).check(*problem, run, request.check, progress);
        cached_files_.require_unchanged();
    }
    return run;
}

Run Engine::run(const Request& request, std::shared_ptr<const Problem> problem, Progress& progress) {
    const auto start = Clock::now();
    const Analysis& analysis = registry_->analysis(request.analysis);
    ParameterSet parameters = checked(analysis.info().parameters, request.parameters);
    Traits traits = analysis.traits(*problem);
    traits.insert(parameters.begin(), parameters.end());
    const Choice choice = choose(request, traits);

    Run run;
    run.request = request;
    run.request.variant = choice.variant.id;
    run.request.device = device_name(devices_, choice.device);
    run.request.parameters = std::move(parameters);
    run.variant = choice.variant;
    run.device = choice.device;
    run.started = utc_now();
    run.version = KERNELSCOPE_VERSION;
    progress.check();
    try {
        choice.backend->execute(*problem, run, progress);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::run, "the host has not enough memory for it", choice.variant.id,
                    "set a memory limit or choose smaller data");
    }
    run.wall_nanoseconds = nanoseconds_since(start);
    if (request.check != CheckMode::none)
        run.verdict = analysis.check(*problem, run, request.check, progress);
    return run;
}

Verdict Engine::check(const Run& run, CheckMode mode, Progress& progress) {
    if (mode == CheckMode::none) return {};
    const std::shared_ptr<const Problem> problem = problem_of(run.request, progress);
    Verdict verdict = registry_->analysis(run.request.analysis).check(*problem, run, mode, progress);
    cached_files_.require_unchanged();
    return verdict;
}

Ceilings Engine::measure_ceilings(const DeviceInfo& device, const CeilingsPlan& plan, Progress& progress) {
    for (const auto& backend : backends_) {
        if (backend->name() != device.backend) continue;
        const std::string started = utc_now();
        Ceilings measured = backend->measure_ceilings(device, plan, progress);
        measured.device = device;
        measured.started = started;
        measured.version = KERNELSCOPE_VERSION;
        keep_ceilings(measured, cache_folder());
        return measured;
    }
    throw Error(ErrorKind::device, "no backend has such a device", device.name);
}

std::optional<Ceilings> Engine::known_ceilings(const DeviceInfo& device) const {
    return kept_ceilings(device, cache_folder());
}

}  // namespace ks
