#include "gpu/clusters/chunk_pipeline.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/array.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/clusters/cluster_sums.h"
#include "core/run/stream_scheduler.h"
#include "gpu/clusters/chunk.h"
#include "gpu/clusters/general_path.h"
#include "gpu/clusters/grouping.h"
#include "gpu/clusters/table_on_device.h"

namespace ks::gpu::clusters {
namespace {

constexpr std::size_t word_bytes = sizeof(cl_ulong), apart_bytes = sizeof(cl_uint), unpack_group = 256;
/// Fewer digis are packed before another thread would have started.
constexpr std::size_t rows_for_threads = std::size_t{1} << 16;

unsigned bits_for(std::uint64_t largest) {
    return static_cast<unsigned>(std::bit_width(largest));
}

/// Digis packed by all threads into memory that the device reads at bus speed, each part while the previous
/// ones are being transferred, and unpacked into columns on the device (gpu/clusters/unpack_digis.cl).
///
/// A digi takes 8 bytes if slot of the chunk (bits for the slots of the largest chunk), x and y (bits for the
/// extents) and adc (bits for the largest) fit in 64 bits: for Phase 1 20 + 8 + 9 bits for half a million
/// slots, which leaves 27 for adc. Otherwise adc has another 4 bytes, and slots of 31 bits and
/// pixels of 16 each fit.
class PackedUpload {
  public:
    /// @param chunks all of the run, which must stay valid @param rows_of_part maximum
    /// @param queue for the transfers, the device's own or another @param charges whether adc is included
    PackedUpload(const ClusterProblem& problem, const std::vector<Chunk>& chunks, std::size_t rows_of_part,
                 bool charges, cl::CommandQueue queue, LaunchContext& context)
        : problem_(problem), queue_(std::move(queue)), charges_(charges) {
        const LargestChunk most(chunks);
        rows_ = std::min(rows_of_part, most.rows);
        bits_ = {bits_for(most.slots), bits_for(std::max(problem.extent_x(), 1U) - 1),
                 bits_for(std::max(problem.extent_y(), 1U) - 1),
                 std::max(bits_for(problem.shared()->largest_adc()), 1U)};
        apart_ = charges && bits_.slot + bits_.x + bits_.y + bits_.adc > 64;
        unpack_ = context.kernel("gpu/clusters/unpack_digis.cl", "unpack_digis",
                                 {{"ADC", apart_    ? "2"
                                          : charges ? "1"
                                                    : "0"}});
        for (const Chunk& chunk : chunks)
            for (std::size_t first = 0; first < chunk.rows; first += rows_)
                parts_.push_back({&chunk, first, std::min(rows_, chunk.rows - first)});
        for (Place& place : places_) {
            // adc follows the words, two per word
            place.words = context.host_array(ElementType::u64, {rows_ + (apart_ ? (rows_ + 1) / 2 : 0)});
            place.packed = context.buffer(rows_ * word_bytes);
            place.adc = context.buffer(apart_ ? rows_ * apart_bytes : apart_bytes);
        }
        start_packing(0);
    }
    /// Maximum device bytes.
    static std::uint64_t bytes(std::size_t rows_of_part) {
        return std::tuple_size_v<decltype(places_)> * rows_of_part * (word_bytes + apart_bytes);
    }

    /// Enqueues a whole chunk, in the order in which they were given; kernels launched afterwards can read
    /// it. Packing of the next one has begun on return.
    void upload(const Chunk& chunk, const DigisOnDevice& digis, LaunchContext& context) {
        const cl::CommandQueue& kernels = context.device().queue();
        const cl_uint4 bits{{bits_.slot, bits_.x, bits_.y, 0}};
        const std::size_t group = std::min(unpack_group, context.info().largest_work_group);
        for (; next_ < parts_.size() && parts_[next_].chunk == &chunk; ++next_) {
            context.progress().check();
            const Part& part = parts_[next_];
            Place& place = place_of(next_);
            add(context.timings(), packing_.valid() ? packing_.get() : pack(part, place));

            std::vector<cl::Event> before;
            if (place.unpacked() != nullptr) before.push_back(place.unpacked);
            const auto put = [&](const Buffer& to, const std::byte* from, std::size_t bytes) {
                queue_.enqueueWriteBuffer(to.cl(), CL_FALSE, 0, bytes, from, &before, &place.uploaded);
                context.track_upload("upload_digis", place.uploaded, bytes, to);
            };
            const std::byte* const words = place.words.bytes().data();
            put(place.packed, words, part.rows * word_bytes);
            if (apart_) put(place.adc, words + rows_ * word_bytes, part.rows * apart_bytes);
            queue_.flush();
            if (queue_() != kernels()) {
                const std::vector<cl::Event> uploaded{place.uploaded};
                kernels.enqueueBarrierWithWaitList(&uploaded);
            }
            set_arguments(unpack_, place.packed, place.adc, digis.slot(), digis.x(), digis.y(), digis.adc(),
                          static_cast<cl_uint>(part.rows), static_cast<cl_uint>(part.first),
                          static_cast<cl_uint>(chunk.first_slot), static_cast<cl_uint>(chunk.slots), bits);
            place.unpacked = context.launch("unpack_digis", unpack_, {rounded_up(part.rows, group)}, {group},
                                            {part.rows * 20, 0});
            start_packing(next_ + 1);
        }
    }

  private:
    /// Rows of a chunk.
    struct Part {
        const Chunk* chunk;
        std::size_t first, rows;
    };
    /// Staging memory of a part in flight.
    struct Place {
        Array words;
        Buffer packed, adc;
        cl::Event uploaded{}, unpacked{};  ///< initially null
    };
    struct Bits {
        unsigned slot, x, y, adc;
    };
    Place& place_of(std::size_t part) { return places_[part % places_.size()]; }
    void start_packing(std::size_t part) {
        if (part >= parts_.size()) return;
        Place& place = place_of(part);
        if (place.uploaded() != nullptr) place.uploaded.wait();
        if (parts_[part].rows > rows_for_threads)
            packing_ = beside([this, part, &place] { return pack(parts_[part], place); });
    }
    Timing pack(const Part& part, Place& place) const {
        constexpr std::size_t piece = std::size_t{1} << 13;
        Stopwatch watch;
        const Chunk& chunk = *part.chunk;
        const std::size_t from = chunk.first_row + part.first, rows = part.rows;
        const std::uint32_t *const slot = problem_.slot().data() + from, *const adc =
                                                                             problem_.adc().data() + from;
        const std::uint16_t *const x = problem_.x().data() + from, *const y = problem_.y().data() + from;
        std::uint64_t* const words = place.words.as<std::uint64_t>().data();
        auto* const apart = reinterpret_cast<std::uint32_t*>(words + rows_);
        const auto first_slot = static_cast<std::uint32_t>(chunk.first_slot);
        const std::uint64_t none = chunk.slots;
        const unsigned at_x = bits_.slot, at_y = at_x + bits_.x, at_adc = std::min(at_y + bits_.y, 63U);
        const std::uint64_t adc_mask = charges_ && !apart_ ? ~std::uint64_t{0} : 0;
        const unsigned threads = rows > rows_for_threads ? compute_threads() : 1;
        parallel_for((rows + piece - 1) / piece, threads, [&](std::size_t i) {
            const std::size_t end = std::min(rows, (i + 1) * piece);
            // Pixels of digis without a slot may be outside the extents; they are never read.
            for (std::size_t row = i * piece; row < end; ++row) {
                const std::uint64_t word = std::uint64_t{slot[row] - first_slot} |
                                           std::uint64_t{x[row]} << at_x | std::uint64_t{y[row]} << at_y |
                                           (std::uint64_t{adc[row]} & adc_mask) << at_adc;
                words[row] = slot[row] == ModuleDigis::no_slot ? none : word;
            }
            if (apart_) std::copy(adc + i * piece, adc + end, apart + i * piece);
        });
        Timing timing{.stage = "pack", .kind = StageKind::host, .bytes = rows * 20};
        add_piece(timing, watch.lap());
        return timing;
    }

    const ClusterProblem& problem_;
    cl::CommandQueue queue_;
    std::size_t rows_;
    Bits bits_;
    bool charges_, apart_;
    cl::Kernel unpack_;
    std::vector<Part> parts_;
    std::size_t next_ = 0;  ///< of the parts
    std::array<Place, 3> places_;
    Pending<Timing> packing_;  ///< declared last, since it uses the members above
};

using ks::clusters::ClusterTable;

/// The table of clusters in host memory while it is downloaded chunk by chunk. The number of clusters is
/// known only at the end: columns are sized from the chunks so far, and grow if that was too small.
class TableDownload {
  public:
    TableDownload(const ClusterProblem& problem, cl::CommandQueue queue, LaunchContext& context)
        : problem_(problem),
          queue_(std::move(queue)),
          context_(context),
          module_clusters_(context.host_array(ElementType::u32, {problem.slots()})) {
        for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i] = Array(TableOnDevice::types[i], {0});
    }

    /// Enqueues the rows of a chunk, which follow those of the previous chunks; returns the
    /// event of the last transfer.
    cl::Event add(const Chunk& chunk, const TableOnDevice& table, std::size_t turn,
                  const TableOnDevice::Counts& counts) {
        digis_ += chunk.rows;
        make_room(rows_ + counts.clusters, digis_);
        cl::Event last;
        const auto download = [&](const Buffer& from, Array& to, std::size_t first, std::size_t count) {
            if (count == 0) return;
            const std::size_t element = size_of(to.type());
            queue_.enqueueReadBuffer(from.cl(), CL_FALSE, 0, count * element,
                                     to.bytes().subspan(first * element, count * element).data(), nullptr,
                                     &last);
            context_.track_download("download_table", last, count * element, from);
        };
        for (std::size_t i = 0; i < columns_.size(); ++i)
            download(table.column(turn, i), columns_[i], rows_, counts.clusters);
        download(table.module_clusters(turn), module_clusters_, chunk.first_slot - problem_.first_slot(),
                 chunk.slots);
        rows_ += counts.clusters;
        counted_.invalid += counts.invalid;
        counted_.duplicates += counts.duplicates;
        counted_.cut += counts.cut;
        return last;
    }
    /// Called when all transfers have ended.
    ks::clusters::ClusterTable take() {
        ClusterTable table = std::move(counted_);
        Array* const places[] = {&table.label, &table.size, &table.charge, &table.x,   &table.y,
                                 &table.xmin,  &table.xmax, &table.ymin,   &table.ymax};
        for (std::size_t i = 0; i < columns_.size(); ++i) *places[i] = columns_[i].slice(0, {rows_});
        table.slot_clusters = std::move(module_clusters_);
        return table;
    }

  private:
    void make_room(std::size_t rows, std::size_t digis) {
        if (rows <= room_) return;
        constexpr double spare = 1.02;  // chunks are similar
        const double expected = static_cast<double>(rows) / static_cast<double>(digis) *
                                static_cast<double>(problem_.digis()) * spare;
        room_ = std::clamp(static_cast<std::size_t>(expected), rows, std::max(rows, problem_.digis()));
        queue_.finish();  // transfers in flight write to the old columns
        for (Array& column : columns_) {
            Array larger = context_.host_array(column.type(), {room_});
            if (rows_ > 0)
                std::memcpy(larger.bytes().data(), column.bytes().data(), rows_ * size_of(column.type()));
            column = std::move(larger);
        }
    }

    const ClusterProblem& problem_;
    cl::CommandQueue queue_;
    LaunchContext& context_;
    std::array<Array, TableOnDevice::n_columns> columns_;
    Array module_clusters_;
    std::size_t room_ = 0, rows_ = 0, digis_ = 0;
    ks::clusters::ClusterTable counted_;  ///< its columns are filled last
};

/// Centroids of a table whose x and y are sums, as 64-bit integers: for devices without double precision.
void divide_sums(ClusterTable& table) {
    constexpr std::size_t piece = std::size_t{1} << 16;
    const auto size = table.size.as<std::uint32_t>();
    const auto charge = table.charge.as<std::uint64_t>();
    const auto x = table.x.as<double>(), y = table.y.as<double>();
    parallel_for((size.size() + piece - 1) / piece, compute_threads(), [&](std::size_t part) {
        for (std::size_t i = part * piece; i < std::min(size.size(), (part + 1) * piece); ++i) {
            const double weight = charge[i] == 0 ? size[i] : static_cast<double>(charge[i]);
            x[i] = static_cast<double>(std::bit_cast<std::uint64_t>(x[i])) / weight + 0.5;
            y[i] = static_cast<double>(std::bit_cast<std::uint64_t>(y[i])) / weight + 0.5;
        }
    });
}

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
