#include "core/ranks/shared_run.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/devices/device_id.h"
#include "core/devices/device_list.h"
#include "core/io/files/data_name.h"
#include "core/io/series/series.h"
#include "core/ranks/identity.h"
#include "core/ranks/rank_part.h"

namespace ks {
namespace {

std::vector<IdentityRow> rows_before_load(const Request& request) {
    std::vector<IdentityRow> rows{version_row()};
    for (IdentityRow& row : rows_of(request)) rows.push_back(std::move(row));
    for (const auto& [role, input] : request.inputs) {
        if (input.values) continue;
        for (const auto& file : io::files_named(io::DataName::parse(input.name).file))
            for (IdentityRow& row : rows_of(file)) rows.push_back(std::move(row));
    }
    return rows;
}

/// What loading found: referenced files, the units, and the variant.
std::vector<IdentityRow> rows_of_problem(const Engine& engine, const std::string& variant,
                                         const ShareUnits& units) {
    std::vector<IdentityRow> rows{{"the variant", variant},
                                  {"the number of " + units.name, std::to_string(units.count)}};
    for (const auto& file : engine.files().files())
        for (IdentityRow& row : rows_of(file)) rows.push_back(std::move(row));
    return rows;
}

/// A request without a device runs on the host if the device has no usable variant.
Request of_any_device(Request request) {
    request.device.clear();
    return request;
}

/// The parts of all ranks at rank 0, which does not send its own; none elsewhere.
std::vector<RankPart> gathered_parts(Exchange& exchange, RankPart own) {
    const auto messages = exchange.gathered("run", exchange.is_first() ? wire::Message() : message_of(own));
    std::vector<RankPart> parts;
    if (messages.empty()) return parts;
    parts.push_back(std::move(own));
    for (std::size_t rank = 1; rank < messages.size(); ++rank) parts.push_back(part_from(messages[rank]));
    return parts;
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
    return DeviceId(allowed[local_rank % allowed.size()]).text();
}

std::optional<Run> run_over_ranks(Engine& engine, Exchange& exchange, const Request& request,
                                  Progress& progress) {
    const Analysis& analysis = engine.registry().analysis(request.analysis);
    Stopwatch watch;
    Request own = engine.with_user_text(request);
    require_alike(exchange, rows_before_load(own));
    RankStages stages;
    own.device = device_of_rank(engine.devices(), request, exchange.local_rank());
    stages.end("open device", StageKind::overhead);
    const std::shared_ptr<const Problem> whole = engine.load(own, progress);
    stages.end("load", StageKind::read);
    const ShareUnits units = analysis.units(*whole);
    if (!units.shareable())
        throw Error(ErrorKind::input, units.why_not, analysis.info().id, "run it as one process");
    own.variant = engine.variant_of(request.device.empty() ? of_any_device(own) : own, *whole);
    if (own.variant.starts_with("host.")) own.device = "host";
    require_alike(exchange, rows_of_problem(engine, own.variant, units));
    stages.end("compare ranks", StageKind::overhead);
    own.check = CheckMode::none;
    if (units.count == 0)
        return exchange.is_first() ? std::optional(engine.run(own, whole, progress)) : std::nullopt;

    const Share share = even_shares(units, exchange.size())[exchange.rank()];
    RankPart part = computed_part(engine, exchange, own, whole, share, stages, progress);
    engine.files().require_unchanged();
    std::vector<RankPart> parts = gathered_parts(exchange, std::move(part));
    if (parts.empty()) return std::nullopt;
    stages.end("wait for ranks", StageKind::overhead);
    // The run of a rank that has all units is complete: it has added its results.
    const bool is_complete = std::ranges::any_of(parts, [&units](const RankPart& one) {
        return one.share.first == 0 && one.share.end == units.count;
    });
    Run run = joined_run(analysis, *whole, units, std::move(parts));
    stages.end("join ranks", StageKind::host);
    const std::size_t rows_of_parts = run.timings.size();
    if (!is_complete) analysis.add_results(*whole, run, progress);
    if (run.timings.size() > rows_of_parts) {
        run.timings.resize(rows_of_parts);  // their spans count from elsewhere
        stages.end("add results", StageKind::host);
    }
    add_notices(*whole, run.result);
    for (Timing& timing : stages.taken()) run.timings.push_back(std::move(timing));
    run.request.check = request.check;
    run.files = engine.file_records();
    run.wall_nanoseconds = watch.lap();
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
