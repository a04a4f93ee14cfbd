#include "core/run/engine.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/printable.h"
#include "core/base/stopwatch.h"
#include "core/base/utc_time.h"
#include "core/devices/device_id.h"
#include "core/devices/device_list.h"
#include "core/io/files/data_name.h"
#include "core/io/files/file_record.h"
#include "core/io/files/followed_files.h"
#include "core/io/open_frames.h"
#include "core/io/series/series.h"
#include "core/run/build_stage.h"
#include "core/run/problem_key.h"
#include "core/run/sharing/shared_run.h"
#include "core/run/user/define_words.h"
#include "core/run/user/text_defines.h"
#include "core/run/user/trusted_code.h"
#include "core/run/user/variant_header.h"

namespace ks {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t usual_stages = 32;

std::uint64_t nanoseconds_since(Clock::time_point start) {
    return static_cast<std::uint64_t>((Clock::now() - start) / std::chrono::nanoseconds(1));
}

constexpr auto quick_check = std::chrono::seconds(1);

/// A check of all values, or nothing if it takes longer than quick_check.
std::optional<Verdict> quick_verdict_of(const Analysis& analysis, const Problem& problem, const Run& run,
                                        Progress& progress) {
    Progress part(
        [&progress](double fraction, const std::string& stage) { progress.report(fraction, stage); },
        progress);
    std::mutex mutex;
    std::condition_variable_any ended;
    const std::jthread watch([&](const std::stop_token& stop) {
        std::unique_lock lock(mutex);
        ended.wait_for(lock, stop, quick_check, [] { return false; });
        if (!stop.stop_requested()) part.cancel();
    });
    try {
        return analysis.check(problem, run, CheckMode::full, part);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::cancelled || progress.cancelled()) throw;
        return std::nullopt;
    }
}

/// The check of a run. A run between guard zones is the trial of an edited kernel: all values are checked if
/// that is quick. The time of the sample only excludes what is certainly slow: a part of it does not grow
/// with the number of values, such as the search for NaN in all of them.
Verdict verdict_of(const Analysis& analysis, const Problem& problem, const Run& run, CheckMode mode,
                   Progress& progress) {
    const auto start = Clock::now();
    const Verdict verdict = analysis.check(problem, run, mode, progress);
    if (!run.request.guarded || verdict.state != Verdict::State::sampled || verdict.samples == 0)
        return verdict;
    std::size_t values = 0;
    for (const Dataset& dataset : run.result.datasets) values = std::max(values, dataset.values.size());
    // Otherwise the sampled values are not those of a dataset, and their number is not known.
    if (values < verdict.samples) return verdict;
    const double at_most = static_cast<double>(values) / static_cast<double>(verdict.samples);
    if ((Clock::now() - start) * at_most > 30 * quick_check) return verdict;
    return quick_verdict_of(analysis, problem, run, progress).value_or(verdict);
}

/// After a blank a compiler would read the rest as a separate option, possibly one that reads a file.
void require_one_option(const std::string& name, const std::string& value) {
    if ((name + value).find_first_of(" \t\r\n\f\v") == std::string::npos) return;
    throw Error(ErrorKind::input, fmt::format("expected a value without spaces, found \"{}\"", value),
                "define " + name, "write it as a #define in the kernel source");
}

/// A user's source for a shipped kernel may have other defines; a user's variant has those of its base.
void require_defines(const Request& request, const Variant& variant) {
    if (variant.on_host() && !request.kernel_source.empty())
        throw Error(ErrorKind::input, variant.id + " runs on the host and has no kernel source to replace",
                    request.kernel_file.empty() ? "kernel source" : request.kernel_file);
    const bool replaced = !request.kernel_source.empty() && !variant.from_user();
    for (const auto& [name, value] : request.defines) {
        if (replaced)
            require_one_option(name, value);
        else
            require_define(variant, name, value);
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

/// A name that identifies the device even if the order of devices changes; the index where names are equal.
std::string device_name(const std::vector<DeviceInfo>& devices, const DeviceInfo& device) {
    const auto same = std::count_if(devices.begin(), devices.end(), [&](const DeviceInfo& other) {
        return !DeviceId(other).is_host() && other.name_contains(device.name);
    });
    return same == 1 ? device.name : DeviceId(device).text();
}

/// Indices of devices as used in a request.
std::string list_of(const std::vector<DeviceInfo>& devices) {
    std::string text;
    for (const DeviceInfo& device : devices) {
        if (!text.empty()) text += ',';
        text += DeviceId(device).text();
    }
    return text;
}

std::vector<Variant> all_variants(const std::vector<std::unique_ptr<Backend>>& backends) {
    std::vector<Variant> all;
    for (const auto& backend : backends)
        all.insert(all.end(), backend->variants().begin(), backend->variants().end());
    return all;
}

/// Order of candidates: shipped ones by rank, best first, then the user's, then those that run by name only.
constexpr auto is_before = [](const auto& a, const auto& b) {
    if (a.variant->by_name_only != b.variant->by_name_only) return b.variant->by_name_only;
    if (a.variant->from_user() != b.variant->from_user()) return b.variant->from_user();
    return a.rank > b.rank;
};

/// The values in the text of the user's kernel that its author chose, and that are given otherwise.
/// @param text of the shipped kernel, see chosen_defines()
std::map<std::string, TextDefine> overridden_defines(const Request& request, const Variant& shipped,
                                                     std::string_view text) {
    const HostDefines host = host_defines(shipped.defines, request.defines);
    std::map<std::string, TextDefine> chosen = chosen_defines(request.kernel_source, text, host);
    std::erase_if(chosen, [&](const auto& one) {
        const auto given = host.given.find(one.first);
        return given == host.given.end() || one.second.unclear || given->second == one.second.value;
    });
    return chosen;
}

/// Reports the values in the text of the user's kernel that differ from those it is compiled with.
void note_overridden(const Run& run, Backend& backend, std::vector<std::string>& warnings) {
    const Request& request = run.request;
    if (request.kernel_source.empty() || request.defines.empty()) return;
    const std::string& base = run.variant.from_user() ? run.variant.base : run.variant.id;
    const auto shipped = std::ranges::find_if(backend.variants(), [&](const Variant& one) {
        return one.id == base && one.analysis == run.variant.analysis;
    });
    if (shipped == backend.variants().end()) return;
    // With the included files there are fewer: most runs do without reading those.
    if (overridden_defines(request, *shipped, shipped->source).empty()) return;
    for (const auto& [in_text, define] :
         overridden_defines(request, *shipped, backend.kernel_text_with_files(*shipped))) {
        const DefineSpec* const spec = define_in_text(shipped->defines, in_text);
        const std::string& name = spec == nullptr ? in_text : spec->name;
        const auto given = request.defines.find(name);
        if (given == request.defines.end()) continue;
        const std::string& file = define.place.file.empty() ? request.kernel_file : define.place.file;
        warnings.push_back(fmt::format(
            "{} is {} (from --define or the kernel's header) instead of {} (from {})", name, given->second,
            define.value, at_line(file.empty() ? given_source : file, define.place.line)));
    }
}

Error other_data(const std::string& file) {
    return {ErrorKind::input, "the file has changed since the run, so its values cannot be checked", file,
            "repeat the run"};
}

/// What a run read, by the hashes of its files, which include their sizes. A series may have many files.
class ReadBytes {
  public:
    explicit ReadBytes(const std::vector<FileRecord>& files) {
        for (const FileRecord& one : files) {
            of_file_.emplace(one.file, one.hash);
            all_.insert(one.hash);
        }
    }

    bool contain(const std::string& hash) const { return all_.contains(hash); }
    /// Whether the run read these bytes, under this name or, where the file was moved or copied, another one.
    bool contain(const FileRecord& now) const {
        const auto named = of_file_.find(now.file);
        return named == of_file_.end() ? contain(now.hash) : named->second == now.hash;
    }

  private:
    std::unordered_map<std::string, std::string> of_file_;
    std::unordered_set<std::string> all_;
};

/// Throws ks::Error(input) if an input of a run is gone or has other contents than the run recorded. Does not
/// find changes of files behind an input. Runs of older versions have no records.
void require_inputs_of_run(const AnalysisInfo& info, const Run& run) {
    if (run.files.empty()) return;
    const ReadBytes read(run.files);
    for (const InputSpec& spec : info.inputs) {
        const auto input = run.request.inputs.find(spec.role);
        if (input == run.request.inputs.end() || !spec.names_file(input->second)) continue;
        const std::filesystem::path file = io::DataName::parse(input->second.name).file;
        if (!io::is_there(file))
            throw Error(ErrorKind::input,
                        "the file does not exist, so the values of the run cannot be checked", file.string());
        if (io::is_series(file)) continue;
        if (const FileRecord now = io::record_of(file); !now.hash.empty() && !read.contain(now))
            throw other_data(now.file);
    }
}

/// Throws ks::Error(input) if what was read for a check is not what the run read.
void require_files_of_run(const Run& run, const std::vector<FileRecord>& now) {
    if (run.files.empty()) return;
    const ReadBytes then(run.files), read(now);
    for (const FileRecord& one : now)
        if (!one.hash.empty() && !then.contain(one)) throw other_data(one.file);
    // A series that lost a file.
    for (const FileRecord& one : run.files)
        if (!one.hash.empty() && !read.contain(one.hash) && !io::is_there(one.file))
            throw other_data(one.file);
}

/// The user's text becomes part of the request, so that a saved run can be repeated without the file.
void complete_by(const UserVariant& own, const Variant& variant, Request& request) {
    request.kernel_source = variant.source;
    request.kernel_file = variant.user_file;
    request.defines.insert(own.defines.begin(), own.defines.end());
}

}  // namespace

Engine::Engine(std::shared_ptr<const Registry> registry, std::vector<std::unique_ptr<Backend>> backends,
               const std::filesystem::path& own_variants)
    : registry_(std::move(registry)),
      backends_(std::move(backends)),
      user_variants_(std::make_unique<const UserVariantFolder>(own_variants, all_variants(backends_))) {}

const std::vector<DeviceInfo>& Engine::devices() const {
    std::call_once(devices_->listed, [this] {
        std::vector<DeviceInfo> found;
        for (const auto& backend : backends_)
            for (DeviceInfo& device : backend->devices()) found.push_back(std::move(device));
        std::stable_partition(found.begin(), found.end(),
                              [](const DeviceInfo& device) { return !DeviceId(device).is_host(); });
        devices_->all = std::move(found);
    });
    return devices_->all;
}

const DeviceInfo& Engine::host() const {
    std::call_once(devices_->host_known, [this] {
        for (const auto& backend : backends_)
            if (backend->name() == "host") devices_->host = choose_device(backend->devices(), "host");
        if (devices_->host.type != "host") devices_->host = choose_device(devices(), "host");
    });
    return devices_->host;
}

Engine::Candidates Engine::candidates(const std::string& analysis, const DeviceInfo& device) const {
    Candidates all{device, {}};
    for (const auto& backend : backends_)
        for (const Variant& variant : backend->variants()) {
            if (variant.analysis != analysis) continue;
            std::string why_not;
            if (variant.on_host())
                why_not = backend->why_not(variant, host());
            else if (device.backend == backend->name())
                why_not = backend->why_not(variant, device);
            else
                why_not = variant.id + " only runs on devices of " + backend->name() + ", but " +
                          device.name + " is not one of them";
            const int rank = device.type == "CPU" ? variant.cpu_rank.value_or(variant.rank) : variant.rank;
            all.rows.push_back({&variant, backend.get(), rank, std::move(why_not)});
        }
    std::ranges::stable_sort(all.rows, is_before);
    return all;
}

Engine::Candidate Engine::candidate_of(const GoodUserVariant& good, const DeviceInfo& device) const {
    const Variant& variant = good.variant;
    for (const auto& backend : backends_) {
        const std::vector<Variant>& known = backend->variants();
        if (std::ranges::none_of(known, [&variant](const Variant& other) {
                return other.analysis == variant.analysis && other.id == variant.base;
            }))
            continue;
        std::string why_not = device.backend == backend->name()
                                  ? backend->why_not(variant, device)
                                  : fmt::format("{} only runs on devices of {}, but {} is not one of them",
                                                variant.id, backend->name(), device.name);
        return {&variant, backend.get(), 0, std::move(why_not), &good.own};
    }
    throw Error(ErrorKind::run, "no backend has " + variant.base, variant.id);
}

void Engine::add_of_user(Candidates& all, const std::string& analysis) const {
    all.of_user = user_variants_->listing();
    for (const GoodUserVariant& good : all.of_user->good)
        if (good.variant.analysis == analysis) all.rows.push_back(candidate_of(good, all.device));
    for (const BrokenUserVariant& broken : all.of_user->broken)
        if (broken.variant.analysis == analysis)
            all.rows.push_back({&broken.variant, nullptr, 0, broken.error.what(), nullptr, &broken.error});
    std::ranges::stable_sort(all.rows, is_before);
}

void Engine::require_all_devices(Candidates& all) const {
    for (Candidate& row : all.rows)
        for (const DeviceInfo& device : all.devices) {
            if (!row.why_not.empty() || row.backend == nullptr) break;
            if (device.backend != row.backend->name())
                row.why_not =
                    fmt::format("{} runs only on {}, but each device that shares a run must run the variant",
                                row.variant->id, row.variant->on_host() ? "the host" : "OpenCL devices");
            else if (DeviceId(device) != DeviceId(all.device))
                row.why_not = row.backend->why_not(*row.variant, device);
        }
}

Engine::Candidates Engine::candidates(const Request& request) const {
    Candidates all = candidates_of_first(request);
    if (names_several(request.device)) {
        all.devices = choose_devices(devices(), request.device);
        if (all.devices.size() < 2) all.devices.clear();
        require_all_devices(all);
    }
    return all;
}

Engine::Candidates Engine::candidates_of_first(const Request& request) const {
    const std::string& analysis = registry_->analysis(request.analysis).info().id;
    // Runs on the host must not depend on drivers that hang or crash.
    const bool host_only =
        (request.variant.starts_with("host.") || request.device == "host") && !names_several(request.device);
    Candidates all = candidates(analysis, host_only ? host() : first_device(devices(), request.device));
    // The user's variants are chosen by name only, so other runs need not read their folder.
    const bool is_known =
        request.variant.empty() || std::ranges::any_of(all.rows, [&request](const Candidate& row) {
            return row.variant->id == request.variant;
        });
    // Nor need those that bring the text along.
    const bool brings_text = is_user_variant(request.variant) && !request.kernel_source.empty();
    if (!is_known && !brings_text) add_of_user(all, analysis);
    if (!brings_text) return all;
    GoodUserVariant given = user_variants_->of_text(analysis, request.variant, request.kernel_source);
    if (!request.kernel_file.empty()) given.variant.user_file = request.kernel_file;
    all.given = std::make_shared<const GoodUserVariant>(std::move(given));
    all.rows.push_back(candidate_of(*all.given, all.device));
    return all;
}

std::vector<Offer> Engine::offers(const std::string& analysis, const DeviceInfo& device,
                                  const Traits& traits) const {
    Candidates among = candidates(analysis, device);
    add_of_user(among, analysis);
    std::vector<Offer> all;
    for (const Candidate& row : among.rows) {
        all.push_back({*row.variant,
                       row.why_not.empty() ? ks::why_not(*row.variant, traits, device.fp64) : row.why_not});
        all.back().variant.rank = row.rank;
    }
    return all;
}

std::vector<Offer> Engine::offers(const std::string& analysis, const std::string& devices,
                                  const Traits& traits) const {
    const std::vector<DeviceInfo> all = choose_devices(this->devices(), devices);
    std::vector<Offer> offered = offers(analysis, all.front(), traits);
    for (std::size_t i = 1; i < all.size(); ++i) {
        const std::vector<Offer> more = offers(analysis, all[i], traits);
        for (Offer& offer : offered) {
            if (offer.variant.on_host() && !DeviceId(all[i]).is_host())
                offer.why_not = "it runs on the host only";
            const auto same = std::ranges::find(more, offer.variant.id,
                                                [](const Offer& other) { return other.variant.id; });
            if (offer.why_not.empty() && same != more.end()) offer.why_not = same->why_not;
        }
    }
    return offered;
}

Request Engine::with_user_text(const Request& request) const {
    if (!is_user_variant(request.variant) || !request.kernel_source.empty()) return request;
    const auto listing = user_variants_->listing();
    const auto is_named = [&request](const auto& row) {
        return row.variant.analysis == request.analysis && row.variant.id == request.variant;
    };
    if (const auto broken = std::ranges::find_if(listing->broken, is_named); broken != listing->broken.end())
        throw broken->error;
    const auto good = std::ranges::find_if(listing->good, is_named);
    if (good == listing->good.end()) require_file_of(request);
    Request complete = request;
    complete_by(good->own, good->variant, complete);
    return complete;
}

void Engine::require_file_of(const Request& request) const {
    if (!is_user_variant(request.variant)) return;
    std::vector<std::string> ids;
    for (const GoodUserVariant& good : user_variants_->listing()->good)
        if (good.variant.analysis == request.analysis) ids.push_back(good.variant.id);
    const std::string leaf = request.variant.substr(request.variant.find('.') + 1) + ".cl";
    const std::filesystem::path folder = user_variants_->path() / request.analysis;
    std::error_code ignored;
    const bool is_folder = std::filesystem::is_directory(folder / leaf, ignored);
    throw Error(ErrorKind::input,
                is_folder
                    ? fmt::format("expected a kernel file, found a folder: {} in {}", leaf, folder.string())
                    : fmt::format("the kernel file is missing: {} in {}", leaf, folder.string()),
                fmt::format("{}, variant {}", request.analysis, request.variant),
                "the existing variants are " + joined(ids));
}

const Engine::Candidate& Engine::choose(const Candidates& among, const Request& request,
                                        const Traits& traits) const {
    const DeviceInfo& device = among.device;
    const bool has_fp64 = device.fp64 && std::ranges::all_of(among.devices, &DeviceInfo::fp64);
    const auto why_not = [&](const Candidate& row) {
        return row.why_not.empty() ? ks::why_not(*row.variant, traits, has_fp64) : row.why_not;
    };
    if (!request.variant.empty()) {
        const auto named =
            std::ranges::find(among.rows, request.variant,
                              [](const Candidate& row) -> const std::string& { return row.variant->id; });
        std::vector<std::string> ids, usable;
        if (named == among.rows.end()) {
            for (const Candidate& row : among.rows) ids.push_back(row.variant->id);
            require_file_of(request);
            throw Error(ErrorKind::input, "there is no variant \"" + request.variant + "\"", request.analysis,
                        "the variants are " + joined(ids));
        }
        if (named->fault != nullptr) throw Error(*named->fault);  // it names the line of the user's file
        if (const std::string why = why_not(*named); !why.empty()) {
            for (const Candidate& row : among.rows)
                if (why_not(row).empty() && !row.variant->by_name_only) usable.push_back(row.variant->id);
            throw Error(ErrorKind::input, why,
                        request.analysis + ", variant " + named->variant->id + " on " + device.name,
                        "the usable variants are " + joined(usable));
        }
        return *named;
    }
    // A named device must be used; if none is named, the host is used where the device has no usable variant.
    const bool may_be_host = DeviceId(device).is_host() || request.device.empty();
    std::string reasons;
    enum Turn { of_the_device, of_the_host, only_if_nothing_else };
    for (const Turn turn : {of_the_device, of_the_host, only_if_nothing_else})
        for (const Candidate& row : among.rows) {
            const Turn own = row.variant->on_host() ? of_the_host
                             : row.rank < 0         ? only_if_nothing_else
                                                    : of_the_device;
            if (own != turn || (turn == of_the_host && !may_be_host)) continue;
            if (row.variant->by_name_only || row.variant->from_user()) continue;
            const std::string why = why_not(row);
            if (why.empty()) return row;
            reasons += row.variant->id + ": " + why + "\n";
        }
    throw Error(ErrorKind::input, "none of the variants can run on " + device.name, request.analysis,
                "choose another device", reasons);
}

Request Engine::completed(const Request& request, bool compiled) const {
    const AnalysisInfo& info = registry_->analysis(request.analysis).info();
    Request complete = request;
    complete.parameters = checked(info.parameters, request.parameters);
    if (compiled) require_known_code_of(complete);  // which also tells of the inputs
    require_known_inputs(info, complete);
    return complete;
}

void Engine::require_known_code_of(const Request& request) const {
    if (request.from_file.empty()) return;
    std::map<std::string, std::string> shipped;
    for (const auto& backend : backends_) shipped.merge(backend->kernel_files());
    require_known_code(registry_->analysis(request.analysis), request, shipped);
}

std::shared_ptr<const Problem> Engine::problem_of(const Request& complete, Progress& progress) {
    const Analysis& analysis = registry_->analysis(complete.analysis);
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
    cached_records_.clear();
    for (const std::filesystem::path& file : cached_files_.files())
        cached_records_.push_back(io::record_of(file));
    cached_key_ = key;
    return cached_problem_;
}

Run Engine::run(const Request& request, Progress& progress) {
    const auto start = Clock::now();
    const std::string started = utc_now();
    std::vector<Timing> before_run;
    before_run.reserve(usual_stages);
    Request complete = completed(request);
    std::optional<Candidates> among;
    const auto choose_likely = [&]() -> const Candidate& {
        among.emplace(candidates(complete));
        const Candidate& likely = choose(*among, complete, complete.parameters);
        require_defines(complete, *likely.variant);
        return likely;
    };
    const auto opened = [&](const auto& likely) {
        Stopwatch watch;
        const Candidate& first = likely();
        if (!first.variant->on_host()) first.backend->open(among->device);
        Timing timing{.stage = "open device", .kind = StageKind::overhead};
        add_piece(timing, watch.lap());
        return timing;
    };
    // Errors in the request are reported before files are read. A request that names neither device nor
    // variant cannot have such errors: drivers, which load slowly, are loaded in parallel with the files.
    Pending<Timing> opening;
    const bool first_time = !cached_problem_,
               names_none = request.device.empty() && request.variant.empty() && request.defines.empty();
    if (first_time && names_none) {
        opening = beside([&] { return opened(choose_likely); });
    } else {
        const Candidate& likely = choose_likely();
        if (first_time && !likely.variant->on_host())
            opening = beside([&] { return opened([&]() -> const Candidate& { return likely; }); });
    }
    add(before_run, {request_stage, StageKind::overhead, nanoseconds_since(start)});
    const auto load_start = Clock::now();
    const std::weak_ptr<const Problem> before = cached_problem_;
    io::take_not_followed();
    const std::shared_ptr<const Problem> problem = problem_of(complete, progress);
    Timing load{.stage = "load", .kind = StageKind::read};
    const std::uint64_t loading = nanoseconds_since(load_start);
    const bool loaded = before.lock() != problem;
    if (loaded) load.nanoseconds = loading;
    add(before_run, load);
    if (!loaded) add(before_run, {"find problem", StageKind::overhead, loading});

    if (opening.valid()) add(before_run, opening.get());
    const CheckMode check = std::exchange(complete.check, CheckMode::none);
    if (remembers_)
        for (const auto& file : files_named_by(registry_->analysis(complete.analysis).info(), complete))
            know_input(file);
    Run run = run_among(*among, complete, problem, progress, start, std::move(before_run));
    for (const io::NamedElsewhere& name : io::take_not_followed())
        run.result.warnings.push_back(
            fmt::format("{} refers to {}, which was not read because it is outside the folder of {}",
                        name.from.string(), name.named.string(), name.from.filename().string()));
    const auto ended = Clock::now();
    cached_files_.require_unchanged();
    run.files = cached_records_;
    run.request.check = check;
    run.started = started;
    Timing files{"check files", StageKind::overhead, nanoseconds_since(ended)};
    files.spans.push_back({run.wall_nanoseconds, files.nanoseconds});
    add(run.timings, std::move(files));
    run.wall_nanoseconds = nanoseconds_since(start);
    if (check != CheckMode::none) {
        run.verdict = verdict_of(registry_->analysis(request.analysis), *problem, run, check, progress);
        cached_files_.require_unchanged();
    }
    return run;
}

Run Engine::run(const Request& request, std::shared_ptr<const Problem> problem, Progress& progress) {
    const auto start = Clock::now();
    const Request complete = completed(request);
    const Candidates among = candidates(complete);
    std::vector<Timing> before_run;
    before_run.reserve(usual_stages);
    add(before_run, {request_stage, StageKind::overhead, nanoseconds_since(start)});
    return run_among(among, complete, problem, progress, start, std::move(before_run));
}

Run Engine::run_among(const Candidates& among, const Request& complete,
                      const std::shared_ptr<const Problem>& problem, Progress& progress,
                      Clock::time_point begin, std::vector<Timing> before,
                      std::unique_ptr<RecordedLaunches>* recorded) {
    const auto start = Clock::now();
    const Analysis& analysis = registry_->analysis(complete.analysis);
    Traits traits = analysis.traits(*problem);
    traits.insert(complete.parameters.begin(), complete.parameters.end());
    const Candidate& chosen = choose(among, complete, traits);
    require_defines(complete, *chosen.variant);

    require_known_code_of(complete);
    Run run;
    run.timings = std::move(before);
    run.request = complete;
    run.request.from_file.clear();  // from now on it is a run of this user
    run.variant = *chosen.variant;
    if (chosen.own != nullptr)
        complete_by(*chosen.own, run.variant, run.request);
    else
        for (DefineSpec& define : own_defines(run.request.kernel_source, run.variant.defines))
            run.variant.defines.push_back(std::move(define));
    run.request.defines = values_in_words(run.variant.defines, std::move(run.request.defines));
    require_known_kernel_text(run.request);
    run.request.unasked = false;
    if (remembers_) know_code_of(analysis, run.request);
    run.device = run.variant.on_host() ? host() : among.device;
    run.request.variant = run.variant.id;
    run.request.device = !among.devices.empty()           ? list_of(among.devices)
                         : DeviceId(run.device).is_host() ? "host"
                                                          : device_name(devices(), run.device);
    const std::vector<std::string> labels = labels_of(among.devices);
    for (std::size_t i = 0; i < among.devices.size(); ++i)
        run.devices.push_back({.device = among.devices[i], .label = labels[i]});
    run.started = utc_now();
    run.version = KERNELSCOPE_VERSION;
    std::vector<std::string> warnings;
    take_tuned(run, analysis, *problem, warnings);
    note_overridden(run, *chosen.backend, warnings);
    progress.check();
    add(run.timings, {choice_stage, StageKind::overhead, nanoseconds_since(start)});
    try {
        if (recorded != nullptr)
            *recorded = chosen.backend->record(*problem, run, progress);
        else
            execute(analysis, problem, *chosen.backend, run, progress);
        if (recorded == nullptr) analysis.add_results(*problem, run, progress);
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::run, "there is not enough host memory for this run", run.variant.id,
                    "set a memory limit or choose smaller data");
    }
    for (std::string& warning : warnings) run.result.warnings.push_back(std::move(warning));
    add_notices(*problem, run.result);
    count_from(run.timings, begin);
    run.wall_nanoseconds = nanoseconds_since(begin);
    if (complete.check != CheckMode::none)
        run.verdict = analysis.check(*problem, run, complete.check, progress);
    return run;
}

std::shared_ptr<const Problem> Engine::load(const Request& request, Progress& progress) {
    return problem_of(completed(request), progress);
}

std::string Engine::variant_of(const Request& request, const Problem& problem) const {
    const Request complete = completed(request);
    Traits traits = registry_->analysis(complete.analysis).traits(problem);
    traits.insert(complete.parameters.begin(), complete.parameters.end());
    const Candidates among = candidates(complete);
    return choose(among, complete, traits).variant->id;
}

void Engine::execute(const Analysis& analysis, const std::shared_ptr<const Problem>& problem,
                     Backend& backend, Run& run, Progress& progress) {
    if (run.devices.empty()) {
        backend.execute(*problem, run, progress);
        return;
    }
    Stopwatch watch;
    // Only one kernel at a time can be watched.
    if (run.request.guarded)
        throw Error(ErrorKind::input, "a run with guard zones uses a single device", analysis.info().title,
                    "name one device");
    const ShareUnits units = analysis.units(*problem);
    if (!units.shareable())
        throw Error(ErrorKind::input, units.why_not, analysis.info().title, "name one device");
    add(run.timings, {"share out", StageKind::overhead, watch.lap()});
    if (units.count == 0) {
        run.devices.clear();
        backend.execute(*problem, run, progress);
        return;
    }
    run_shared(analysis, problem, units, backend, run, progress);
}

Engine::Recorded Engine::record(const Request& request, const Problem& problem, Progress& progress) {
    const auto start = Clock::now();
    const Request complete = completed(request);
    Recorded made;
    const Candidates among = candidates(complete);
    if (!among.devices.empty())
        throw Error(ErrorKind::input, "launches can only be recorded on a single device", "device");
    // Owned by the caller.
    const std::shared_ptr<const Problem> lent(std::shared_ptr<void>(), &problem);
    made.run = run_among(among, complete, lent, progress, start, {}, &made.launches);
    return made;
}

TunedFor Engine::tuned_for(const Analysis& analysis, const Problem& problem, const ParameterSet& parameters) {
    TunedFor tuned{.analysis = analysis.info().id, .variant = {}, .kind = {}};
    Traits traits = analysis.traits(problem);
    for (const auto& [name, value] : traits)
        if (const auto* word = std::get_if<std::string>(&value))
            tuned.kind += fmt::format("{}{}={}", tuned.kind.empty() ? "" : " ", name, *word);
    traits.insert(parameters.begin(), parameters.end());
    if (const auto size = traits.find("size"); size != traits.end())
        if (const auto* number = std::get_if<std::int64_t>(&size->second))
            tuned.size_class = size_class_of(static_cast<double>(*number));
    return tuned;
}

void Engine::take_tuned(Run& run, const Analysis& analysis, const Problem& problem,
                        std::vector<std::string>& warnings) {
    // Values tuned for the shipped text do not apply to a user's text.
    if (!run.request.user_tuned || run.variant.on_host() || run.variant.from_user() ||
        !run.request.kernel_source.empty())
        return;
    if (const std::string why = tuning_.why_not_read(); !why.empty()) {
        warnings.push_back(why + "; the table was ignored (remove it with `tune --forget all`)");
        return;
    }
    if (tuning_.rows().empty()) return;
    TunedFor wanted = tuned_for(analysis, problem, run.request.parameters);
    wanted.variant = run.variant.id;
    const TunedRow* row = tuning_.find(wanted, run.device);
    if (row == nullptr) return;
    try {
        for (const auto& [name, value] : row->defines) require_define(run.variant, name, value);
        run.tuned = row->defines;
    } catch (const Error& error) {
        warnings.push_back(std::string("the user's tuning table was ignored: ") + error.what());
        return;
    }
    for (const auto& [name, value] : run.request.defines) run.tuned.erase(name);
}

void Engine::forget() {
    cached_problem_.reset();
    cached_key_.clear();
    cached_files_ = {};
    for (const auto& backend : backends_) backend->forget();
}

Verdict Engine::check(const Run& run, CheckMode mode, Progress& progress) {
    if (mode == CheckMode::none) return {};
    const Analysis& analysis = registry_->analysis(run.request.analysis);
    // Before they are read: other data may not even fit the other inputs.
    require_inputs_of_run(analysis.info(), run);
    const std::shared_ptr<const Problem> problem = problem_of(completed(run.request, false), progress);
    require_files_of_run(run, cached_records_);
    Verdict verdict = analysis.check(*problem, run, mode, progress);
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
    throw Error(ErrorKind::device, "no backend has this device", device.name);
}

void Engine::warm(const Request& request, Progress& progress) {
    const Analysis& analysis = registry_->analysis(request.analysis);
    const AnalysisInfo& info = analysis.info();
    if (info.small.empty() || !analysis.has_benchmark()) return;
    // Besides sizes, kernels depend on the algorithm and the element type.
    ParameterSet sizes = info.small;
    for (const ParameterSpec& spec : info.benchmark)
        if (const auto given = request.parameters.find(spec.id);
            given != request.parameters.end() && spec.type == ParameterType::choice &&
            std::ranges::find(spec.choices, to_text(given->second)) != spec.choices.end())
            sizes.insert(*given);
    Request small = request;
    small.inputs.clear();
    small.check = CheckMode::none;
    std::erase_if(small.parameters, [&](const auto& given) {
        return std::ranges::find(info.parameters, given.first, &ParameterSpec::id) == info.parameters.end();
    });
    const auto problem = analysis.benchmark_problem(analysis.benchmark_sizes(sizes));
    if (!names_several(request.device)) {
        run(small, problem, progress);
        return;
    }
    for (const DeviceInfo& device : choose_devices(devices(), request.device)) {
        small.device = DeviceId(device).text();
        if (device.context == 0) run(small, problem, progress);
    }
}

std::vector<DeviceProperty> Engine::properties(const DeviceInfo& device) const {
    for (const auto& backend : backends_)
        if (backend->name() == device.backend) return backend->properties(device);
    return {};
}

std::map<std::string, std::string> Engine::kernel_files() const {
    std::map<std::string, std::string> all;
    for (const auto& backend : backends_) all.merge(backend->kernel_files());
    for (const GoodUserVariant& good : user_variants_->listing()->good)
        all.emplace(good.variant.user_file, good.own.text);
    return all;
}

std::optional<Ceilings> Engine::known_ceilings(const DeviceInfo& device) const {
    return kept_ceilings(device, cache_folder());
}

}  // namespace ks
