#include "core/ranks/shared_bench.h"

#include <string>
#include <utility>
#include <vector>

#include "core/base/json_text.h"
#include "core/base/stopwatch.h"
#include "core/ranks/identity.h"
#include "core/ranks/rank_part.h"
#include "core/ranks/shared_run.h"
#include "core/run/errors/wrong_result.h"

namespace ks {
namespace {

void require_shareable(const BenchPlan& plan) {
    if (plan.from == BenchFrom::file)
        throw Error(ErrorKind::input, "a benchmark that reads files can only run as one process",
                    "--from file", "use --from memory or --from device");
    if (plan.kernels_only)
        throw Error(ErrorKind::input, "a benchmark of kernels alone can only run as one process",
                    "--kernels-only");
}

std::vector<IdentityRow> bench_rows(const BenchPlan& plan) {
    const nlohmann::json values = to_json(plan).flatten();
    std::vector<IdentityRow> rows{version_row()};
    for (const auto& [path, value] : values.items())
        rows.push_back({path.substr(1) + " of the benchmark", dump_json(value)});
    return rows;
}

/// One run that all ranks do together.
struct CommonRun {
    Request request;
    ParameterSet sizes;
    bool forget = false;  ///< discard what the previous run left
};

KS_FIELDS(CommonRun, request, sizes, forget)

/// A rank's side of a benchmark: the latest problem, and the runs of its share.
class BenchRank {
  public:
    /// @param device as named in the plan
    BenchRank(Engine& engine, Exchange& exchange, std::string device, Progress& progress)
        : engine_(engine), exchange_(exchange), device_(std::move(device)), progress_(progress) {}

    /// Makes the problem unless it is that of the previous order.
    void take_problem(const CommonRun& order) {
        if (problem_ && order.sizes == sizes_) return;
        problem_.reset();
        problem_ = analysis(order).benchmark_problem(order.sizes);
        sizes_ = order.sizes;
    }
    void take_problem(const CommonRun& order, std::shared_ptr<const Problem> made) {
        problem_ = std::move(made);
        sizes_ = order.sizes;
    }

    /// This rank's part of a run, or why it failed.
    wire::Message part_of(const CommonRun& order) {
        try {
            own_.reset();
            if (order.forget && !exchange_.is_first()) engine_.forget();
            if (!exchange_.is_first()) take_problem(order);
            Request own = order.request;  // with the device of rank 0
            if (own.device != "host") own.device = device_;
            own.device = device_of_rank(engine_.devices(), own, exchange_.local_rank());
            const ShareUnits units = units_of(order);
            const Share share = even_shares(units, exchange_.size())[exchange_.rank()];
            RankStages stages;
            own_ = computed_part(engine_, exchange_, own, problem_, share, stages, progress_);
            return exchange_.is_first() ? wire::Message() : message_of(*own_);
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::cancelled) throw;
            wire::Message message;
            message.header = {{"host", exchange_.host()}, {"error", wire::to_json(error)}};
            return message;
        }
    }

    /// At rank 0: the result of an order.
    Run joined(const CommonRun& order, const std::vector<wire::Message>& messages) {
        std::vector<RankPart> parts;
        for (std::size_t rank = 0; rank < messages.size(); ++rank) {
            const nlohmann::json& header = messages[rank].header;
            if (header.contains("error"))
                throw_received(error_of_rank(wire::error_from(header.at("error")),
                                             name_of_rank(rank, header.at("host").get<std::string>())),
                               wire::was_wrong_result(header.at("error")));
            parts.push_back(rank == 0 ? std::move(*own_) : part_from(messages[rank]));
        }
        return joined_run(analysis(order), *problem_, units_of(order), std::move(parts));
    }

  private:
    const Analysis& analysis(const CommonRun& order) const {
        return engine_.registry().analysis(order.request.analysis);
    }
    ShareUnits units_of(const CommonRun& order) const {
        ShareUnits units = analysis(order).units(*problem_);
        if (!units.shareable()) throw Error(ErrorKind::input, units.why_not, order.request.analysis);
        return units;
    }

    Engine& engine_;
    Exchange& exchange_;
    std::string device_;
    Progress& progress_;
    std::shared_ptr<const Problem> problem_;
    ParameterSet sizes_;
    std::optional<RankPart> own_;  ///< of rank 0, until it is joined
};

/// Until there are no more orders.
void take_orders(Exchange& exchange, BenchRank& rank) {
    while (true) {
        const wire::Message told = exchange.told("order", {});
        if (!told.header.contains("order")) return;
        const auto order = from_json<CommonRun>(told.header.at("order"), "an order", &told.blobs);
        exchange.gathered("part", rank.part_of(order));
    }
}

}  // namespace

std::optional<BenchReport> run_bench_over_ranks(Engine& engine, Exchange& exchange, const BenchPlan& plan,
                                                Progress& progress, const BenchListener& listener) {
    require_shareable(plan);
    require_alike(exchange, bench_rows(plan));
    BenchRank rank(engine, exchange, plan.device, progress);
    if (!exchange.is_first()) {
        take_orders(exchange, rank);
        return std::nullopt;
    }
    const BenchRunner runner = [&](const Request& request, const std::shared_ptr<const Problem>& problem,
                                   const ParameterSet& sizes, Progress&) {
        const CommonRun order{request, sizes, plan.from == BenchFrom::memory};
        wire::Message message;
        message.header["order"] = to_json(order, &message.blobs);
        exchange.told("order", message);
        rank.take_problem(order, problem);
        Stopwatch watch;
        const auto parts = exchange.gathered("part", rank.part_of(order));
        Run run = rank.joined(order, parts);
        run.wall_nanoseconds = watch.lap();
        return run;
    };
    BenchReport report = run_bench(engine, plan, progress, listener, runner);
    exchange.told("order", {});
    return report;
}

}  // namespace ks
