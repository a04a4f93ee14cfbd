#include "core/ranks/shared_run.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/devices/device_list.h"
#include "core/io/files/data_name.h"
#include "core/ranks/identity.h"
#include "core/ranks/shares.h"

namespace ks {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t since(Clock::time_point begin) {
    return static_cast<std::uint64_t>((Clock::now() - begin) / std::chrono::nanoseconds(1));
}

std::vector<IdentityRow> rows_before_load(const Request& request) {
    std::vector<IdentityRow> rows{version_row()};
    for (IdentityRow& row : rows_of(request)) rows.push_back(std::move(row));
    for (const auto& [role, input] : request.inputs) {
        if (input.values) continue;
        for (IdentityRow& row : rows_of(io::DataName::parse(input.name).file)) rows.push_back(std::move(row));
    }
    return rows;
}

/// What loading found: files that others lead to, the units, and the way to compute.
std::vector<IdentityRow> rows_of_problem(const Engine& engine, const std::string& variant,
                                         const ShareUnits& units) {
    std::vector<IdentityRow> rows{{"the variant", variant},
                                  {"the number of " + units.name, std::to_string(units.count)}};
    for (const auto& file : engine.files().files())
        for (IdentityRow& row : rows_of(file)) rows.push_back(std::move(row));
    return rows;
}

/// Stages of a rank one after another, counted from a moment that all ranks have in common.
class Stages {
  public:
    /// Without those until now.
    void restart() {
        rows.clear();
        last_ = Clock::now();
    }
    /// It ends now, and the next one begins.
    void end(const std::string& stage, StageKind kind) {
        const auto now = Clock::now();
        Timing row{.stage = stage, .kind = kind};
        row.nanoseconds = nanoseconds(last_, now);
        row.spans.push_back({nanoseconds(zero_, last_), row.nanoseconds});
        rows.push_back(std::move(row));
        last_ = now;
    }
    /// Since that moment.
    std::uint64_t now() const { return nanoseconds(zero_, Clock::now()); }

    std::vector<Timing> rows;

  private:
    static std::uint64_t nanoseconds(Clock::time_point from, Clock::time_point to) {
        return static_cast<std::uint64_t>((to - from) / std::chrono::nanoseconds(1));
    }
    Clock::time_point zero_ = Clock::now(), last_ = zero_;
};

/// The run of a rank's own share: of one without work what it would have run on.
struct OwnPart {
    Share share;
    Run run;
};

OwnPart own_part(Engine& engine, const Request& request, const std::shared_ptr<const Problem>& whole,
                 const Share& share, const Stages& stages, Progress& progress) {
    OwnPart part{share, {}};
    const std::uint64_t lead = stages.now();
    if (share.is_empty()) {
        part.run.device = choose_device(engine.devices(), request.device);
    } else {
        const Analysis& analysis = engine.registry().analysis(request.analysis);
        part.run = engine.run(request, analysis.part(whole, share.first, share.end), progress);
    }
    progress.report(1, "run");
    for (Timing& timing : part.run.timings)
        for (Span& span : timing.spans) span.start += lead;
    return part;
}

wire::Message message_of(OwnPart part, const std::string& host) {
    wire::Message message;
    message.header = {
        {"host", host}, {"first", part.share.first}, {"end", part.share.end}, {"work", part.share.work}};
    part.run.request.inputs.clear();  // rank 0 has them
    message.header["run"] = to_json(part.run, &message.blobs);
    return message;
}

/// The parts of all ranks as one run at rank 0.
class Joining {
  public:
    Joining(const Analysis& analysis, const std::vector<wire::Message>& messages) : analysis_(analysis) {
        for (const wire::Message& one : messages) {
            hosts_.push_back(one.header.at("host").get<std::string>());
            shares_.push_back({one.header.at("first").get<std::size_t>(),
                               one.header.at("end").get<std::size_t>(), one.header.at("work").get<double>()});
            runs_.push_back(from_json<Run>(one.header.at("run"), "the run of a rank", &one.blobs));
        }
    }

    /// @param own the run of rank 0, whose request, variant and device are those of the whole
    Run joined(const Problem& whole, Run own) {
        own.timings.clear();
        for (std::size_t rank = 0; rank < runs_.size(); ++rank) {
            add_device(rank, own);
            for (Timing& timing : runs_[rank].timings) {
                timing.device = static_cast<std::uint32_t>(rank);
                own.timings.push_back(std::move(timing));
            }
            own.device_bytes_peak = std::max(own.device_bytes_peak, runs_[rank].device_bytes_peak);
        }
        const std::vector<std::string> warnings = warnings_of_all();
        std::vector<PartResult> parts;
        for (std::size_t rank = 0; rank < runs_.size(); ++rank)
            if (!shares_[rank].is_empty())
                parts.push_back({shares_[rank].first, shares_[rank].end, std::move(runs_[rank].result)});
        own.result = analysis_.joined(whole, std::move(parts), own.timings);
        for (const std::string& warning : warnings) own.result.warnings.push_back(warning);
        return own;
    }

  private:
    void add_device(std::size_t rank, Run& run) const {
        const Run& part = runs_[rank];
        run.devices.push_back(
            {.device = part.device,
             .label = fmt::format("{}: {}", name_of_rank(rank, hosts_[rank]), part.device.title()),
             .share = shares_[rank].work,
             .units = shares_[rank].end - shares_[rank].first,
             .pieces = shares_[rank].is_empty() ? 0U : 1U,
             .nanoseconds = part.wall_nanoseconds,
             .failure = {},
             .rank = static_cast<std::uint32_t>(rank),
             .host = hosts_[rank]});
    }

    /// What only some ranks found is told with their names; joined() decides on what parts themselves say.
    std::vector<std::string> warnings_of_all() {
        std::vector<std::string> all;
        for (std::size_t rank = 1; rank < runs_.size(); ++rank) {
            const std::vector<std::string>& first = runs_[0].result.warnings;
            for (const std::string& warning : runs_[rank].result.warnings)
                if (std::ranges::find(first, warning) == first.end())
                    all.push_back(fmt::format("{}: {}", name_of_rank(rank, hosts_[rank]), warning));
        }
        return all;
    }

    const Analysis& analysis_;
    std::vector<std::string> hosts_;
    std::vector<Share> shares_;
    std::vector<Run> runs_;
};

/// Devices of several kinds may round otherwise.
std::optional<std::string> why_other_bytes(const ShareUnits& units, const Run& run) {
    if (!units.rounded) return std::nullopt;
    std::set<std::string> kinds;
    for (const DeviceShare& one : run.devices)
        if (one.units > 0) kinds.insert(one.device.name);
    if (kinds.size() < 2) return std::nullopt;
    return fmt::format("devices of {} kinds computed it ({}), which may round the last bits otherwise",
                       kinds.size(), fmt::join(kinds, ", "));
}

}  // namespace

std::string device_of_rank(const std::vector<DeviceInfo>& devices, const Request& request,
                           std::size_t local_rank) {
    if (request.variant.starts_with("host.")) return request.device;
    std::string wanted = request.device;
    if (wanted.empty() &&
        std::ranges::any_of(devices, [](const DeviceInfo& one) { return one.type == "GPU"; }))
        wanted = "gpu";
    const std::vector<DeviceInfo> allowed = choose_devices(devices, wanted);
    const DeviceInfo& mine = allowed[local_rank % allowed.size()];
    return mine.type == "host" ? "host" : std::to_string(mine.index);
}

std::optional<Run> run_over_ranks(Engine& engine, Exchange& exchange, const Request& request,
                                  Progress& progress) {
    const Analysis& analysis = engine.registry().analysis(request.analysis);
    const auto entered = Clock::now();
    Request own = engine.with_user_text(request);
    require_alike(exchange, rows_before_load(own));
    own.check = CheckMode::none;
    Stages stages;
    own.device = device_of_rank(engine.devices(), request, exchange.local_rank());
    stages.end("open device", StageKind::overhead);
    const std::shared_ptr<const Problem> whole = engine.load(own, progress);
    stages.end("load", StageKind::read);
    const ShareUnits units = analysis.units(*whole);
    if (!units.shareable())
        throw Error(ErrorKind::input, units.why_not, analysis.info().id, "start it as one process");
    own.variant = engine.variant_of(own, *whole);
    require_alike(exchange, rows_of_problem(engine, own.variant, units));
    stages.end("compare ranks", StageKind::overhead);

    const Share share = even_shares(units, exchange.size())[exchange.rank()];
    OwnPart part = own_part(engine, own, whole, share, stages, progress);
    engine.files().require_unchanged();
    part.run.timings.insert(part.run.timings.begin(), stages.rows.begin(), stages.rows.end());
    stages.restart();
    Run of_first = part.run;
    const auto all = exchange.gathered("run", message_of(std::move(part), exchange.host()));
    if (!exchange.is_first()) return std::nullopt;
    stages.end("wait for ranks", StageKind::overhead);
    Run run = Joining(analysis, all).joined(*whole, std::move(of_first));
    stages.end("join ranks", StageKind::host);
    run.timings.insert(run.timings.end(), stages.rows.begin(), stages.rows.end());
    if (const auto why = why_other_bytes(units, run)) run.result.warnings.push_back(*why);
    run.request.check = request.check;
    run.wall_nanoseconds = since(entered);
    if (request.check != CheckMode::none) run.verdict = analysis.check(*whole, run, request.check, progress);
    engine.files().require_unchanged();
    return run;
}

std::string ranks_text(const Run& run) {
    std::vector<std::string> shares;
    std::size_t idle = 0;
    for (const DeviceShare& one : run.devices) {
        if (!one.rank) continue;
        shares.push_back(fmt::format("{:.0f} %", one.share * 100));
        idle += one.units == 0 ? 1 : 0;
    }
    if (shares.empty()) return {};
    return fmt::format("ranks: {} ({} of the work){}\n", shares.size(), fmt::join(shares, ", "),
                       idle == 0 ? std::string()
                                 : fmt::format("; {} {} nothing to do: there are too few units", idle,
                                               idle == 1 ? "has" : "have"));
}

}  // namespace ks
