#include "gpu/clusters/general_path.h"

#include <algorithm>
#include <bit>

#include "gpu/clusters/labellers.h"
#include "gpu/runtime/tuned_defines.h"

namespace ks::gpu::clusters {
namespace {

constexpr const char* general_kernels = "gpu/clusters/general_path.cl";

std::size_t table_words(std::size_t digis) {
    return std::bit_ceil(std::max<std::size_t>(2 * digis, 16));
}

}  // namespace

GeneralPath::GeneralPath(const ClusterProblem& problem, std::size_t limit, LaunchContext& context)
    : problem_(problem), limit_(limit), slicer_(context, context.info().type == "CPU" ? 1e7 : 2e9) {
    if (limit != all && problem.shared()->largest_slot() <= limit) return;  // nothing will be enqueued
    // When used by another variant it has no defines of the request.
    auto defines = limit == all ? tuned_defines(context, ElementType::u16)
                                : tuned(tuning(), context.info(), ElementType::u16);
    defines.try_emplace("WG", default_group);
    group_ = std::min<std::size_t>(number(defines, "WG"), context.info().largest_work_group);
    defines.erase("WG");
    defines.merge(problem_defines(problem));
    defines["OVER"] = std::to_string(limit == all ? 0 : 1);
    const auto made = [&](const char* entry) { return context.kernel(general_kernels, entry, defines); };
    start_ = made("start_forest");
    enter_ = made("enter_digis");
    link_ = made("link_digis");
    sum_ = made("sum_clusters");
    finish_ = made("finish_labels");
}

TuningTable GeneralPath::tuning() {
    return {{"CPU", "", {{"WG", "1024"}}}};
}

std::size_t GeneralPath::modules_over(const ClusterProblem& problem, std::size_t limit) {
    if (problem.shared()->largest_slot() <= limit) return 0;
    const auto digis = problem.slot_digis();
    return static_cast<std::size_t>(std::ranges::count_if(digis, [&](std::uint32_t n) { return n > limit; }));
}

std::size_t GeneralPath::digis_over(const Chunk& chunk) const {
    if (limit_ == all) return chunk.rows;
    if (problem_.shared()->largest_slot() <= limit_) return 0;
    std::size_t sum = 0;
    for (const std::uint32_t n :
         std::span(problem_.shared()->slot_digis()).subspan(chunk.first_slot, chunk.slots))
        if (n > limit_) sum += n;
    return sum;
}

ScratchNeeds GeneralPath::needs() const {
    const bool used = limit_ == all || problem_.shared()->largest_slot() > limit_;
    const std::uint64_t table = 4 * sizeof(cl_uint),
                        charge = problem_.cuts_charge() ? 2 * sizeof(cl_uint) : 0;
    return {used ? table + charge : 0, 0};
}

void GeneralPath::prepare(LaunchContext& context, const std::vector<Chunk>& chunks) {
    std::size_t digis = 0, rows = 0;
    for (const Chunk& chunk : chunks)
        if (const std::size_t over = digis_over(chunk); over > 0) {
            digis = std::max(digis, over);
            rows = std::max(rows, chunk.rows);
        }
    if (rows == 0) return;
    table_ = context.buffer(table_words(digis) * sizeof(cl_uint));
    charge_ = context.buffer((problem_.cuts_charge() ? 2 * rows : 1) * sizeof(cl_uint));
}

void GeneralPath::enqueue(LaunchContext& context, const Chunk& chunk, const DigisOnDevice& digis,
                          const Buffer& counts) {
    const std::size_t part = digis_over(chunk);
    if (part == 0) return;
    const std::size_t words = table_words(part);
    const auto zero = [&](const Buffer& buffer, std::size_t bytes) {
        context.fill("clear_table", buffer, cl_uint{0}, bytes);
    };
    zero(table_, words * sizeof(cl_uint));
    if (problem_.cuts_charge()) zero(charge_, 2 * chunk.rows * sizeof(cl_uint));

    const auto launch = [&](const char* stage, cl::Kernel& kernel, const auto&... further) {
        set_arguments(kernel, digis.slot(), digis.x(), digis.y(), counts, static_cast<cl_uint>(chunk.rows),
                      static_cast<cl_uint>(chunk.first_slot), static_cast<cl_uint>(limit_), digis.labels(),
                      further...);
        launch_rows(context, stage, kernel, chunk.rows);
    };
    const auto mask = static_cast<cl_uint>(words - 1);
    launch("start_forest", start_);
    launch("enter_digis", enter_, table_, mask);
    launch("link_digis", link_, table_, mask);
    launch("sum_clusters", sum_, digis.adc(), charge_);
    launch("finish_labels", finish_, charge_, digis.cuts(), digis.cut_count(),
           static_cast<cl_uint>(chunk.first_row));
}

/// In launches of about 50 ms, unless all rows are known to take less.
void GeneralPath::launch_rows(LaunchContext& context, const char* stage, const cl::Kernel& kernel,
                              std::size_t rows) {
    const auto fit = [&] {
        return std::max(static_cast<std::size_t>(slicer_.units()) / group_, std::size_t{1}) * group_;
    };
    const std::size_t items = rounded_up(rows, group_);
    if (items <= fit()) {
        context.launch(stage, kernel, {items}, {group_}, {rows * 12, 0});
        return;
    }
    for (std::size_t at = 0, some = 0; at < items; at += some) {
        some = std::min(fit(), items - at);
        const cl::Event event = context.launch(stage, kernel, {some}, {group_}, {some * 12, 0}, {at});
        event.wait();
        slicer_.took(static_cast<double>(some), duration(event));
    }
}

namespace {

class GeneralLabeller : public Labeller {
  public:
    GeneralLabeller(const ClusterProblem& problem, LaunchContext& context)
        : path_(problem, GeneralPath::all, context) {}
    ScratchNeeds needs() const override { return path_.needs(); }
    void prepare(LaunchContext& context, const std::vector<Chunk>& chunks) override {
        path_.prepare(context, chunks);
    }
    void enqueue(LaunchContext& context, const Chunk& chunk, const DigisOnDevice& digis) override {
        path_.enqueue(context, chunk, digis, digis.cuts());
    }
    std::size_t limit() const override { return GeneralPath::all; }

  private:
    GeneralPath path_;
};

}  // namespace

std::unique_ptr<Labeller> make_general(const ClusterProblem& problem, LaunchContext& context) {
    return std::make_unique<GeneralLabeller>(problem, context);
}

}  // namespace ks::gpu::clusters
