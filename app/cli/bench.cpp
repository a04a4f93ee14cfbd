#include "app/cli/bench.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/base/quantile.h"

namespace ks::cli {
namespace {

constexpr double slow_ns = 5e9;
constexpr std::size_t slow_repeats = 3;

BenchSample sample_of(const Run& run) {
    const auto sum = [&run](StageKind kind) { return static_cast<double>(total(run.timings, kind)); };
    BenchSample sample;
    sample.kernel = sum(run.variant.on_host() ? StageKind::host : StageKind::kernel);
    sample.host = run.variant.on_host() ? 0 : sum(StageKind::host);
    sample.upload = sum(StageKind::upload);
    sample.download = sum(StageKind::download);
    sample.read = sum(StageKind::read);
    sample.total = static_cast<double>(run.wall_nanoseconds);
    sample.timings = run.timings;
    return sample;
}

std::vector<BenchRow> wanted_rows(Engine& engine, const BenchPlan& plan, const DeviceInfo& device) {
    std::vector<BenchRow> rows;
    std::vector<std::string> known;
    for (const Offer& offer : engine.offers(plan.analysis, device)) {
        known.push_back(offer.variant.id);
        if (!plan.variants.empty() &&
            std::ranges::find(plan.variants, offer.variant.id) == plan.variants.end())
            continue;
        BenchRow row;
        row.variant = offer.variant;
        row.not_run = offer.why_not;
        rows.push_back(std::move(row));
    }
    for (const std::string& id : plan.variants)
        if (std::ranges::find(known, id) == known.end())
            throw Error(ErrorKind::input,
                        fmt::format("'{}' is no variant of {} on {}", id, plan.analysis, device.title()),
                        "--variants", fmt::format("there are {}", fmt::join(known, ", ")));
    return rows;
}

Request request_of(const BenchPlan& plan, const BenchRow& row, const DeviceInfo& device) {
    Request request;
    request.analysis = plan.analysis;
    request.variant = row.variant.id;
    request.device = row.variant.on_host() || device.index < 0 ? "host" : std::to_string(device.index);
    request.memory_limit = plan.memory_limit;
    for (const DefineSpec& define : row.variant.defines)
        if (const auto given = plan.defines.find(define.name); given != plan.defines.end())
            request.defines.insert(*given);
    if (const auto given = plan.kernel_sources.find(row.variant.id); given != plan.kernel_sources.end()) {
        request.kernel_file = given->second.file;
        request.kernel_source = given->second.text;
    }
    return request;
}

/// A failure of one variant must not take the figures of the others along. That a source of the user's own
/// was not run is one, whatever the reason.
void note_failure(BenchRow& row, const Error& error, bool own_source) {
    if (error.kind() == ErrorKind::cancelled) throw error;
    row.not_run = error.what();
    row.failed = error.kind() != ErrorKind::input || own_source;
    row.samples.clear();
}

/// Why variants do not take this problem, before any of them runs.
void note_what_is_not_taken(BenchReport& report, const Engine& engine, const Traits& traits) {
    for (const Offer& offer : engine.offers(report.plan.analysis, report.device, traits))
        for (BenchRow& row : report.rows)
            if (row.variant.id == offer.variant.id) row.not_run = offer.why_not;
}

void add_shares(BenchReport& report, const Analysis& analysis, const Problem& problem,
                const Ceilings& ceilings) {
    for (BenchRow& row : report.rows) {
        if (row.variant.on_host() || row.samples.empty()) continue;
        std::vector<double> kernel;
        for (const BenchSample& sample : row.samples) kernel.push_back(sample.kernel);
        row.ceiling = analysis.ceiling_share(problem, quantile(kernel, 0.5), ceilings);
        if (row.ceiling) report.ceilings_started = ceilings.started;
    }
}

}  // namespace

const BenchRow* BenchReport::baseline() const {
    for (const BenchRow& row : rows)
        if (row.variant.baseline && !row.samples.empty()) return &row;
    return nullptr;
}

const BenchRow* BenchReport::best_host(const std::string& reference) const {
    const BenchRow* best = nullptr;
    for (const BenchRow& row : rows) {
        if (!row.variant.on_host() || row.samples.empty() || row.variant.id == reference) continue;
        if (best == nullptr || row.variant.rank > best->variant.rank) best = &row;
    }
    return best;
}

BenchReport run_bench(Engine& engine, const BenchPlan& plan, Progress& progress) {
    const Analysis& analysis = engine.registry().analysis(plan.analysis);
    BenchReport report;
    report.plan = plan;
    report.plan.sizes = analysis.benchmark_sizes(plan.sizes);
    report.device = choose_device(engine.devices(), plan.device);
    report.host = choose_device(engine.devices(), "host");
    report.rows = wanted_rows(engine, plan, report.device);
    for (const auto& [name, value] : plan.defines)
        if (std::ranges::none_of(report.rows, [&](const BenchRow& row) {
                return std::ranges::find(row.variant.defines, name, &DefineSpec::name) !=
                       row.variant.defines.end();
            }))
            throw Error(ErrorKind::input, fmt::format("none of the variants has a definition {}", name),
                        "--define");
    for (const auto& [id, source] : plan.kernel_sources)
        if (std::ranges::none_of(report.rows, [&](const BenchRow& row) { return row.variant.id == id; }))
            throw Error(ErrorKind::input, fmt::format("{} is none of the variants that are timed", id),
                        "--kernel-source");
    progress.check();
    const std::shared_ptr<const Problem> problem = analysis.benchmark_problem(report.plan.sizes);
    note_what_is_not_taken(report, engine, analysis.traits(*problem));

    for (BenchRow& row : report.rows) {
        if (!row.not_run.empty()) continue;
        try {
            const Run run = engine.run(request_of(plan, row, report.device), problem, progress);
            row.first = sample_of(run);
            row.builds = run.builds;
            row.facts = run.result.facts;
            if (report.started.empty()) {
                report.started = run.started;
                report.version = run.version;
            }
            if (plan.check != CheckMode::none)
                row.verdict = analysis.check(*problem, run, plan.check, progress);
        } catch (const Error& error) {
            note_failure(row, error, plan.kernel_sources.contains(row.variant.id));
        }
    }
    for (std::size_t round = 0; round < plan.warmups + plan.repeats; ++round) {
        for (BenchRow& row : report.rows) {
            if (!row.not_run.empty()) continue;
            const bool slow = row.first.total > slow_ns;
            const bool warmup = round < plan.warmups;
            if (slow && (warmup || row.samples.size() >= std::min(slow_repeats, plan.repeats))) continue;
            try {
                const Run run = engine.run(request_of(plan, row, report.device), problem, progress);
                if (!warmup) row.samples.push_back(sample_of(run));
            } catch (const Error& error) {
                note_failure(row, error, plan.kernel_sources.contains(row.variant.id));
            }
        }
    }
    if (const std::optional<Ceilings> ceilings = engine.known_ceilings(report.device))
        add_shares(report, analysis, *problem, *ceilings);
    return report;
}

}  // namespace ks::cli
