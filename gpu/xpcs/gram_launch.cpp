#include "gpu/xpcs/launch.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/xpcs/analysis.h"
#include "core/xpcs/correlation.h"
#include "gpu/xpcs/gram_finish.h"

namespace ks::gpu::xpcs {
namespace {

/// Multiply-adds per second assumed of a device until the first launch has been timed.
double gram_rate_guess(const DeviceInfo& info) {
    return info.compute_units * (info.type == "GPU" ? 3e11 : 2e10);
}

class GramRun : public StreamClient {
  public:
    GramRun(LaunchContext& context, const ks::xpcs::CorrelationProblem& problem, const FramesPlan& frames,
            std::optional<GramShape::Product> only)
        : context_(context),
          problem_(problem),
          shape_(choose_shape(context, problem, only)),
          frames_(context, problem, frames),
          plan_(make_plan(context, problem, shape_, frames_)),
          rows_(context, problem, shape_, plan_, frames_, frames.staging),
          slicer_(context, gram_rate_guess(context.info())) {
        if (!plan_.resident) {  // the plan uses the whole budget
            frames_.let_go();
            context.device().shrink_resident(0);
        }
        // Uploads of pieces wait in the queue, too; launches are waited for one by one (settle()).
        constexpr std::size_t commands_of_bands = 512;
        if (plan_.bands.size() > 1) context.let_wait(commands_of_bands);
        const FinishContext with{context, problem, shape_, plan_};
        finisher_ = shape_.fp64 ? finish_on_device(with) : finish_on_host(with);
        result_.bins = problem.partition().bins();
        result_.frames = problem.frames();
        result_.g2.resize(result_.bins * result_.frames);
        result_.g2_err.resize(result_.bins * result_.frames);
        for (const StreamStep& step : plan_.stream.steps) all_work_ += step.work;
    }

    ks::xpcs::Correlation run() {
        run_stream(plan_.stream, context_.budget(), *this, context_.progress(), "correlate");
        end_group();
        result_.two_time = finisher_->two_time();
        rows_.add_read_time();
        return std::move(result_);
    }

    /// How tiles are multiplied: "vector", "avx2", "vnni", "mma" or "dp4a".
    const char* product() const { return name_of(shape_.product); }

    void read(std::size_t slab, std::size_t buffer) override { rows_.read(slab, buffer); }
    void upload(std::size_t slab, std::size_t buffer) override { rows_.upload(slab, buffer); }
    void evict(std::size_t slab) override { rows_.evict(slab); }

    void execute(std::size_t index) override {
        const PairStep& step = plan_.steps[index];
        const BinGroup group = plan_.slabs[step.a].group;
        if (!in_group_ || group_.bin0 != group.bin0) {
            end_group();
            group_ = group;
            in_group_ = true;
            finisher_->begin(group_.bins());
        }
        std::vector<PlacedTiles> tiles;
        double step_work = 0, step_done = 0;
        {
            const LaunchContext::Overhead overhead(context_, "list tiles");
            tiles = tiles_of(problem_, shape_, plan_, step);
            for (const PlacedTiles& tile : tiles) step_work += tile.work(shape_);
        }
        for (std::size_t first = 0; first < tiles.size();) {
            const std::size_t stop = batch_end(tiles, first);
            TileBatch batch;
            {
                const LaunchContext::Overhead overhead(context_, "list tiles");
                batch = make_batch(std::span(tiles).subspan(first, stop - first), shape_, plan_.tile_rows);
            }
            settle();
            under_way_ = {finisher_->run(batch, rows_.at(step.a), rows_.at(step.b)), batch.work};
            first = stop;
            // The next band is uploaded meanwhile; the download of the totals waits for the last one.
            if (first == tiles.size() && (plan_.resident || index + 1 == plan_.steps.size())) break;
            settle();
            step_done += batch.work;
            const double part = plan_.stream.steps[index].work * step_done / std::max(step_work, 1.0);
            context_.progress().report((done_ + part) / all_work_, "correlate");
        }
        done_ += plan_.stream.steps[index].work;
    }

  private:
    /// Waits for the launch in progress, if any.
    void settle() {
        if (under_way_.event() == nullptr) return;
        const LaunchContext::Overhead overhead(context_, "wait for device");
        under_way_.event.wait();
        slicer_.took(under_way_.work, duration(under_way_.event));
        under_way_ = {};
    }

    std::size_t batch_end(const std::vector<PlacedTiles>& tiles, std::size_t first) const {
        double work = 0;
        std::size_t stop = first;
        while (stop < tiles.size() && stop - first < plan_.groups_per_launch &&
               (stop == first || work < slicer_.units()))
            work += tiles[stop++].work(shape_);
        return stop;
    }

    void end_group() {
        if (!in_group_) return;
        const GramTotals totals = finisher_->end();
        Stopwatch watch;
        constexpr std::size_t worthwhile = 2048;
        const bool few = group_.bins() * problem_.delays() < worthwhile;
        parallel_for(group_.bins(), few ? 1 : compute_threads(), [&](std::size_t bin) {
            const ks::xpcs::DelayRange wanted = problem_.delays_of(group_.bin0 + bin);
            for (std::size_t tau = wanted.begin; tau < wanted.end; ++tau) {
                const DiagonalPart sum = totals.delay(bin, tau);
                const std::size_t at = (group_.bin0 + bin) * result_.frames + tau;
                result_.g2[at] = sum.g2();
                result_.g2_err[at] = sum.g2_err();
            }
        });
        add(context_.timings(), {"g2 from totals", StageKind::host, watch.lap()});
        in_group_ = false;
    }

    LaunchContext& context_;
    const ks::xpcs::CorrelationProblem& problem_;
    GramShape shape_;
    FramesOnDevice frames_;
    GramPlan plan_;
    GramRows rows_;
    Slicer slicer_;
    std::unique_ptr<TileFinisher> finisher_;
    ks::xpcs::Correlation result_;
    BinGroup group_{};
    bool in_group_ = false;
    struct Launched {
        cl::Event event{};
        double work = 0;
    } under_way_;
    double all_work_ = 0, done_ = 0;
};

}  // namespace

OfProblem<Result(LaunchContext&)> launch_gram(GramShape::Product product) {
    return [product](const ks::xpcs::CorrelationProblem& problem, LaunchContext& context) {
        return launch_gram_by_plan(problem, context, FramesPlan::of(context), product);
    };
}

Result launch_gram_tiled(const ks::xpcs::CorrelationProblem& problem, LaunchContext& context) {
    return launch_gram_by_plan(problem, context, FramesPlan::of(context));
}

Result launch_gram_by_plan(const ks::xpcs::CorrelationProblem& problem, LaunchContext& context,
                           const FramesPlan& frames, std::optional<GramShape::Product> only) {
    context.require(ks::xpcs::traits_of(problem));
    std::optional<GramRun> run;
    {
        const LaunchContext::Overhead overhead(context, "plan");
        run.emplace(context, problem, frames, only);
    }
    ks::xpcs::Correlation found = run->run();
    Stopwatch watch;
    Result result = ks::xpcs::to_result(std::move(found), problem);
    result.facts["product"] = run->product();
    add(context.timings(), {"make result", StageKind::host, watch.lap()});
    const LaunchContext::Overhead overhead(context, "clean up");
    run.reset();
    return result;
}

}  // namespace ks::gpu::xpcs
