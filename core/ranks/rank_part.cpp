#include "core/ranks/rank_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/run/sharing/shared_run.h"

namespace ks {

std::vector<Share> even_shares(std::span<const double> work, std::size_t count) {
    std::vector<double> before{0};
    for (const double one : work) before.push_back(before.back() + one);
    const double all = before.back();
    std::vector<Share> shares(count);
    std::size_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double wanted = all * static_cast<double>(i + 1) / static_cast<double>(count);
        std::size_t end = std::max<std::size_t>(at, i == 0 && !work.empty() ? 1 : 0);
        while (end < work.size() && std::abs(before[end + 1] - wanted) <= std::abs(before[end] - wanted))
            ++end;
        if (i + 1 == count) end = work.size();
        shares[i] = {at, end, all > 0 ? (before[end] - before[at]) / all : 0};
        at = end;
    }
    return shares;
}

std::vector<Share> even_shares(const ShareUnits& units, std::size_t count) {
    const std::size_t multiple = std::max<std::size_t>(1, units.multiple);
    std::vector<double> blocks((units.count + multiple - 1) / multiple, 0.0);
    for (std::size_t i = 0; i < units.count; ++i)
        blocks[i / multiple] += units.work.empty() ? 1 : units.work[i];
    std::vector<Share> shares = even_shares(blocks, count);
    for (Share& share : shares) {
        share.first = std::min(units.count, share.first * multiple);
        share.end = std::min(units.count, share.end * multiple);
    }
    return shares;
}

namespace {

std::uint64_t nanoseconds(std::chrono::steady_clock::time_point from,
                          std::chrono::steady_clock::time_point to) {
    return static_cast<std::uint64_t>((to - from) / std::chrono::nanoseconds(1));
}

DeviceShare device_share_of(std::size_t rank, const RankPart& part) {
    return {.device = part.run.device,
            .label = fmt::format("{}: {}", name_of_rank(rank, part.host), part.run.device.title()),
            .share = part.share.work,
            .units = part.share.end - part.share.first,
            .pieces = part.share.is_empty() ? 0U : 1U,
            .nanoseconds = part.run.wall_nanoseconds,
            .failure = {},
            .rank = static_cast<std::uint32_t>(rank),
            .host = part.host};
}

bool holds(const std::vector<std::string>& warnings, const std::string& one) {
    return std::ranges::find(warnings, one) != warnings.end();
}

}  // namespace

void RankStages::end(const std::string& stage, StageKind kind) {
    const auto now = Clock::now();
    Timing row{.stage = stage, .kind = kind};
    row.nanoseconds = nanoseconds(last_, now);
    row.spans.push_back({nanoseconds(zero_, last_), row.nanoseconds});
    rows_.push_back(std::move(row));
    last_ = now;
}

std::vector<Timing> RankStages::taken() {
    last_ = Clock::now();
    return std::exchange(rows_, {});
}

std::uint64_t RankStages::now() const {
    return nanoseconds(zero_, Clock::now());
}

RankPart computed_part(Engine& engine, const Exchange& exchange, const Request& request,
                       const std::shared_ptr<const Problem>& whole, const Share& share, RankStages& stages,
                       Progress& progress) {
    RankPart part{exchange.host(), share, {}};
    const std::uint64_t lead = stages.now();
    if (share.is_empty()) {
        part.run.device = choose_device(engine.devices(), request.device);
    } else {
        const Analysis& analysis = engine.registry().analysis(request.analysis);
        part.run = engine.run(request, analysis.part(whole, share.first, share.end), progress);
    }
    progress.report(1, "run");
    // Spans count from the start of the part's run; make them count from the common start.
    for (Timing& timing : part.run.timings)
        for (Span& span : timing.spans) span.start += lead;
    const std::vector<Timing> before = stages.taken();
    part.run.timings.insert(part.run.timings.begin(), before.begin(), before.end());
    return part;
}

wire::Message message_of(const RankPart& part) {
    wire::Message message;
    message.header = {
        {"host", part.host}, {"first", part.share.first}, {"end", part.share.end}, {"work", part.share.work}};
    message.header["run"] = to_json(part.run, &message.blobs);
    return message;
}

RankPart part_from(const wire::Message& message) {
    return {message.header.at("host").get<std::string>(),
            {message.header.at("first").get<std::size_t>(), message.header.at("end").get<std::size_t>(),
             message.header.at("work").get<double>()},
            from_json<Run>(message.header.at("run"), "the run of a rank", &message.blobs)};
}

Run joined_run(const Analysis& analysis, const Problem& whole, const ShareUnits& units,
               std::vector<RankPart> parts) {
    Run run = parts.front().run;
    run.timings.clear();
    std::vector<PartResult> results;
    std::vector<std::vector<std::string>> warnings;
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        RankPart& part = parts[rank];
        run.devices.push_back(device_share_of(rank, part));
        run.device_bytes_peak = std::max(run.device_bytes_peak, part.run.device_bytes_peak);
        for (Timing& timing : part.run.timings) {
            timing.device = static_cast<std::uint32_t>(rank);
            run.timings.push_back(std::move(timing));
        }
        warnings.push_back(part.run.result.warnings);
        if (!part.share.is_empty())
            results.push_back({part.share.first, part.share.end, std::move(part.run.result)});
    }
    run.result = analysis.joined(whole, std::move(results), run.timings);
    std::vector<std::string>& told = run.result.warnings;
    for (std::size_t rank = 0; rank < parts.size(); ++rank)
        for (const std::string& warning : warnings[rank])
            if (!holds(told, warning))
                told.push_back(rank == 0
                                   ? warning
                                   : fmt::format("{}: {}", name_of_rank(rank, parts[rank].host), warning));
    std::vector<DeviceInfo> devices;
    for (const DeviceShare& one : run.devices)
        if (one.units > 0) devices.push_back(one.device);
    if (const auto why = why_other_bytes(units, devices)) told.push_back(*why);
    return run;
}

}  // namespace ks
