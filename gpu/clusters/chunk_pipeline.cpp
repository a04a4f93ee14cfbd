#include "gpu/clusters/chunk_pipeline.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/clusters/cluster_sums.h"
#include "core/run/stream_scheduler.h"
#include "gpu/clusters/general_path.h"
#include "gpu/clusters/packed_upload.h"
#include "gpu/clusters/table_download.h"
#include "gpu/clusters/table_on_device.h"

namespace ks::gpu::clusters {
namespace {

constexpr std::size_t rows_on_processors = std::size_t{1} << 20, rows_on_others = std::size_t{1} << 21;

/// Memory needs of a chunk, by the plan, and of all chunks together.
struct PipelineNeeds {
    DigiShape digis;
    ScratchNeeds chunk;
    std::uint64_t once = 0;

    PipelineNeeds(const PipelinePlan& plan, const ClusterProblem& problem, const ScratchNeeds& labeller)
        : digis{plan.table_on_device || problem.cuts_charge(), plan.overlaps ? 2U : 1U}, chunk(labeller) {
        chunk.per_row += digis.bytes_of_row();
        if (plan.table_on_device) {
            const ScratchNeeds table = TableOnDevice::needs(problem, digis.labels);
            chunk.per_row += table.per_row;
            chunk.per_slot += table.per_slot;
        }
        if (plan.packed) once = PackedUpload::bytes(std::min(plan.rows_of_part, problem.digis()));
    }

    /// Whether chunks of one block each fit into the budget.
    bool fit(const ClusterProblem& problem, std::uint64_t budget) const {
        return std::ranges::all_of(problem.blocks(), [&](const ModuleDigis::Block& block) {
            return once + block.rows * chunk.per_row + block.slots * chunk.per_slot <= budget;
        });
    }
};

/// The given plan, reduced to what fits into memory.
PipelinePlan possible(PipelinePlan plan, const ClusterProblem& problem, const ScratchNeeds& labeller,
                      std::uint64_t budget) {
    plan.table_on_device = plan.table_on_device && TableOnDevice::takes(problem);
    plan.overlaps = plan.overlaps && problem.digis() > plan.max_rows;  // else there is one chunk
    const auto fits = [&] { return PipelineNeeds(plan, problem, labeller).fit(problem, budget); };
    if (!fits()) plan.overlaps = false;
    if (!fits()) plan.table_on_device = false;
    if (!fits()) plan.packed = false;
    return plan;
}

/// A slab is a chunk's digis; a step labels them and makes their table.
class ChunkPipeline : public StreamClient {
  public:
    ChunkPipeline(const ClusterProblem& problem, LaunchContext& context, std::unique_ptr<Labeller> labeller,
                  const PipelinePlan& plan)
        : problem_(problem),
          context_(context),
          labeller_(std::move(labeller)),
          plan_(plan),
          needs_(plan, problem, labeller_->needs()),
          chunks_(chunks_of(problem, needs_.chunk, needs_.once, plan.max_rows, context)),
          upload_queue_(transfer_queue()),
          download_queue_(transfer_queue()),
          turns_(needs_.digis.labels),
          labels_(context.host_array(ElementType::i32, {problem.digis()})) {
        labeller_->prepare(context, chunks_);
        digis_.emplace(problem, chunks_, needs_.digis, context);
        if (plan.packed)
            packed_.emplace(problem, chunks_, plan.rows_of_part, needs_.digis.charges, upload_queue_,
                            context);
        if (!plan.table_on_device) return;
        table_.emplace(problem, plan.rows_of_launch, plan.divides, context);
        table_->prepare(context, chunks_, turns_.size());
        download_.emplace(problem, download_queue_, context);
    }

    ~ChunkPipeline() override {
        // The queues may still be using memory that is about to be freed.
        try {
            finish();
        } catch (const cl::Error&) {
            return;  // lost after an error, which is more informative
        }
    }

    ChunkPipeline(const ChunkPipeline&) = delete;
    ChunkPipeline& operator=(const ChunkPipeline&) = delete;

    Labelled run() {
        StreamPlan plan;
        plan.steps_at_once = turns_.size();
        plan.slabs.assign(chunks_.size(), {});  // they have their own memory; packed ones use it in turn
        plan.steps.reserve(chunks_.size());
        for (std::size_t i = 0; i < chunks_.size(); ++i)
            plan.steps.push_back({{i}, static_cast<double>(chunks_[i].rows)});
        run_stream(plan, context_.budget(), *this, context_.progress(), "cluster");
        {
            const LaunchContext::Overhead overhead(context_, "wait for device");
            finish();
        }
        Labelled labelled{std::move(labels_), {}, 0};
        if (download_) labelled.table = download_->take();
        return labelled;
    }

    void upload(std::size_t i, std::size_t /*buffer*/) override {
        digis_->take_turn(turn_number(i));
        if (packed_)
            packed_->upload(chunks_[i], *digis_, context_);
        else
            digis_->upload(chunks_[i], context_);
    }

    void execute(std::size_t i) override {
        const Chunk& chunk = chunks_[i];
        const cl::CommandQueue& kernels = context_.device().queue();
        Turn& turn = turn_of(i);
        if (turn.downloaded() != nullptr) {
            const std::vector<cl::Event> before{turn.downloaded};
            kernels.enqueueBarrierWithWaitList(&before);
        }
        labeller_->enqueue(context_, chunk, *digis_);
        if (table_) {
            table_->enqueue(context_, chunk, *digis_, turn_number(i));
            kernels.enqueueReadBuffer(table_->counts(turn_number(i)).cl(), CL_FALSE, 0, sizeof(turn.counts),
                                      &turn.counts, nullptr, &turn.counted);
            context_.track_download("download_table", turn.counted, sizeof(turn.counts),
                                    table_->counts(turn_number(i)));
        } else {
            kernels.enqueueMarkerWithWaitList(nullptr, &turn.counted);
        }
        kernels.flush();
    }

    /// Enqueues the transfers of chunk `i` to the host; waits for the sizes of the table.
    void collect(std::size_t i) override {
        const Chunk& chunk = chunks_[i];
        Turn& turn = turn_of(i);
        const std::vector<cl::Event> before{turn.counted};
        digis_->take_turn(turn_number(i));
        const std::size_t bytes = chunk.rows * sizeof(cl_int);
        download_queue_.enqueueReadBuffer(
            digis_->labels().cl(), CL_FALSE, 0, bytes,
            labels_.bytes().subspan(chunk.first_row * sizeof(cl_int), bytes).data(), &before,
            &turn.downloaded);
        context_.track_download("download_labels", turn.downloaded, bytes, digis_->labels());
        download_queue_.flush();
        {
            const LaunchContext::Overhead overhead(context_, "wait for device");
            turn.counted.wait();
        }
        if (table_) {
            if (turn.counts.wrong != 0) refuse(i);
            const cl::Event last = download_->add(chunk, *table_, turn_number(i), turn.counts);
            if (last() != nullptr) turn.downloaded = last;
            download_queue_.flush();
        }
        if (turns_.size() == 1) turn.downloaded.wait();
    }

  private:
    /// A chunk in flight.
    struct Turn {
        cl::Event labelled{}, counted{}, downloaded{};
        TableOnDevice::Counts counts{};
    };
    std::size_t turn_number(std::size_t i) const { return i % turns_.size(); }
    Turn& turn_of(std::size_t i) { return turns_[turn_number(i)]; }

    cl::CommandQueue transfer_queue() const {
        DeviceContext& device = context_.device();
        return plan_.overlaps
                   ? cl::CommandQueue(device.context(), device.device(), cl::QueueProperties::Profiling)
                   : device.queue();
    }

    void finish() {
        upload_queue_.finish();
        context_.device().queue().finish();
        download_queue_.finish();
    }

    /// The host finds which of the labels so far is invalid.
    [[noreturn]] void refuse(std::size_t i) {
        finish();
        ks::clusters::refuse_labels(problem_, labels_.as<std::int32_t>(), chunks_[i].blocks);
    }

    const ClusterProblem& problem_;
    LaunchContext& context_;
    std::unique_ptr<Labeller> labeller_;
    PipelinePlan plan_;
    PipelineNeeds needs_;
    std::vector<Chunk> chunks_;
    cl::CommandQueue upload_queue_, download_queue_;
    std::vector<Turn> turns_;
    Array labels_;
    std::optional<DigisOnDevice> digis_;
    std::optional<PackedUpload> packed_;
    std::optional<TableOnDevice> table_;
    std::optional<TableDownload> download_;
};

}  // namespace

PipelinePlan PipelinePlan::of(LaunchContext& context) {
    const DeviceInfo& info = context.info();
    const bool processor = info.type == "CPU";
    const bool across_a_bus = context.device().page_locked() != nullptr;
    return {.packed = across_a_bus,
            .table_on_device = !processor,
            .divides = info.fp64,
            .overlaps = across_a_bus,
            .max_rows = processor ? rows_on_processors : rows_on_others};
}

Labelled label_on_device(const ClusterProblem& problem, LaunchContext& context, MakeLabeller make,
                         const PipelinePlan& plan) {
    if (problem.digis() == 0) return {ks::clusters::make_labels(problem), {}, 0};
    constexpr std::size_t launches_of_two_chunks = 128;  // with their transfers
    context.let_wait(launches_of_two_chunks);
    std::unique_ptr<Labeller> labeller = make(problem, context);
    const bool nothing_else = labeller->limit() == GeneralPath::all;
    const std::size_t general = nothing_else ? 0 : GeneralPath::modules_over(problem, labeller->limit());
    const PipelinePlan chosen = possible(plan, problem, labeller->needs(), context.budget());
    std::optional<ChunkPipeline> pipeline;
    {
        const LaunchContext::Overhead overhead(context, "plan");
        pipeline.emplace(problem, context, std::move(labeller), chosen);
    }
    Labelled labelled = pipeline->run();
    if (labelled.table && !chosen.divides) divide_sums(*labelled.table);
    labelled.general_modules = general;
    return labelled;
}

}  // namespace ks::gpu::clusters
