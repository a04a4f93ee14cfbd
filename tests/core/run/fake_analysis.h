#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/run/engine.h"

/// An analysis small enough to be right at sight: the sum of an array times a factor, for tests of what is
/// around it.
namespace fake {

struct Counts {
    std::atomic<int> loads{0}, checks{0}, executions{0};
};

struct Numbers : ks::Problem {
    std::vector<double> values;
};

inline ks::AnalysisInfo sums_info() {
    ks::AnalysisInfo info;
    info.id = "sums";
    info.title = "Sums";
    info.description = "Adds numbers";
    info.inputs = {{"numbers", "Numbers", "", {"list"}, true, "give an array"},
                   {"notes", "Notes", "notes", {}, false, ""}};
    info.parameters = {{.id = "factor",
                        .label = "Factor",
                        .unit = "",
                        .type = ks::ParameterType::real,
                        .default_value = 1.0,
                        .minimum = -100.0,
                        .maximum = 100.0}};
    for (const auto& [id, usual] : {std::pair{"count", 4}, {"copies", 1}})
        info.benchmark.push_back({.id = id,
                                  .label = id,
                                  .unit = "",
                                  .type = ks::ParameterType::integer,
                                  .default_value = std::int64_t{usual},
                                  .minimum = 1.0,
                                  .maximum = 1e6});
    info.reference = "host.sum";
    return info;
}

inline ks::Verdict check_sum(const Numbers& problem, const ks::Run& run, ks::CheckMode mode) {
    double sum = 0;
    for (const double value : problem.values) sum += value;
    const double expected = sum * ks::real(run.request.parameters, "factor");
    const double found = run.result.at("sum").values.as<double>()[0];
    ks::Verdict verdict;
    verdict.state = found != expected               ? ks::Verdict::State::fail
                    : mode == ks::CheckMode::sample ? ks::Verdict::State::sampled
                                                    : ks::Verdict::State::pass;
    verdict.samples = 1;
    verdict.where = "sum";
    return verdict;
}

inline ks::AnalysisFunctions sums(std::shared_ptr<Counts> counts) {
    return {.info = sums_info(),
            .load =
                [counts](const ks::Request& request, ks::Progress&, std::shared_ptr<const ks::Problem>) {
                    ++counts->loads;
                    std::this_thread::sleep_for(std::chrono::milliseconds(2));
                    auto problem = std::make_shared<Numbers>();
                    const auto& input = request.inputs.at("numbers");
                    if (input.values) problem->values = input.values->to_doubles();
                    return problem;
                },
            .benchmark_problem =
                [](const ks::ParameterSet& sizes) {
                    const auto count = static_cast<std::size_t>(ks::integer(sizes, "count"));
                    if (count == 13)
                        throw ks::Error(ks::ErrorKind::input, "there is no problem of 13 numbers");
                    auto problem = std::make_shared<Numbers>();
                    problem->values.assign(count, 2.0);
                    return problem;
                },
            .check =
                [counts](const Numbers& problem, const ks::Run& run, ks::CheckMode mode, ks::Progress&) {
                    ++counts->checks;
                    return check_sum(problem, run, mode);
                },
            .save = [](const ks::Run&, const std::filesystem::path&, bool, ks::Progress&) {},
            .open = [](const std::filesystem::path&) { return ks::Run(); },
            .save_csv = [](const ks::Run&, const std::filesystem::path&, bool, ks::Progress&) {},
            .summary = [](const ks::Run&) { return std::string(); }};
}

inline ks::Variant variant(const std::string& id, int rank) {
    ks::Variant row;
    row.analysis = "sums";
    row.id = id;
    row.title = id;
    row.rank = rank;
    row.defines = {{"TILE", "16", {"16", "32"}, "tile"}, {"ROWS", "1", {}, "rows"}};
    return row;
}

inline ks::Result sum_result(const ks::Problem& problem, const ks::Request& request, double offset) {
    double sum = offset;
    for (const double value : dynamic_cast<const Numbers&>(problem).values) sum += value;
    ks::Result result;
    result.datasets.push_back({.name = "sum",
                               .title = "Sum",
                               .unit = "",
                               .values = ks::Array::of<double>(
                                   {1}, std::vector<double>{sum * ks::real(request.parameters, "factor")})});
    return result;
}

/// host.sum; host.wait waits until it is cancelled; host.deaf ends neither way; host.broken throws no
/// ks::Error.
inline std::vector<ks::HostVariant> host_variants(std::shared_ptr<Counts> counts) {
    using namespace std::chrono_literals;
    return {{variant("host.sum", 20),
             [counts](const ks::Problem& problem, ks::HostContext& context) {
                 ++counts->executions;
                 context.progress.report(0, "adding");
                 ks::add(context.timings, {.stage = "adding", .nanoseconds = 7});
                 return sum_result(problem, context.request, 0);
             }},
            {variant("host.wait", 1),
             [](const ks::Problem&, ks::HostContext& context) -> ks::Result {
                 for (;;) {
                     context.progress.report(0.5, "waiting");
                     std::this_thread::sleep_for(1ms);
                 }
             }},
            {variant("host.deaf", 0),
             [](const ks::Problem&, ks::HostContext& context) -> ks::Result {
                 context.progress.report(0, "deaf");
                 for (;;) std::this_thread::sleep_for(1s);
             }},
            {variant("host.broken", 0), [](const ks::Problem&, ks::HostContext&) -> ks::Result {
                 throw std::runtime_error("a library failed");
             }}};
}

/// A backend with a CPU and a GPU; "fancy" has the highest rank, runs on the GPU only and takes factors up to
/// 10, "wrong" adds one too much.
class Devices : public ks::Backend {
  public:
    explicit Devices(std::shared_ptr<Counts> counts, bool usable = true)
        : counts_(std::move(counts)),
          usable_(usable),
          variants_{variant("plain", 5), variant("fancy", 9), variant("wrong", 1)} {
        variants_[1].takes = {{"factor", "factors of", {}, {}, 10}};
    }
    std::string name() const override { return "opencl"; }
    std::vector<ks::DeviceInfo> devices() override {
        ks::DeviceInfo cpu, gpu;
        cpu.index = 0;
        cpu.backend = gpu.backend = "opencl";
        cpu.name = "Slow Processor";
        cpu.type = "CPU";
        gpu.index = 1;
        gpu.name = "Fast Graphics 4090";
        gpu.type = "GPU";
        return {cpu, gpu};
    }
    const std::vector<ks::Variant>& variants() const override { return variants_; }
    std::string why_not(const ks::Variant& row, const ks::DeviceInfo& device) override {
        if (!usable_) return "the driver is out of order";
        return row.id == "fancy" && device.type != "GPU" ? "it needs a GPU" : "";
    }
    void execute(const ks::Problem& problem, ks::Run& run, ks::Progress&) override {
        ++counts_->executions;
        run.result = sum_result(problem, run.request, run.variant.id == "wrong" ? 1 : 0);
        ks::add(run.timings, {.stage = "sum", .kind = ks::StageKind::kernel, .nanoseconds = 5});
    }

    /// Of the CPU; of the GPU it waits until it is cancelled.
    ks::Ceilings measure_ceilings(const ks::DeviceInfo& device, const ks::CeilingsPlan& plan,
                                  ks::Progress& progress) override {
        while (device.type == "GPU") {
            progress.report(0.5, "measuring");
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        progress.report(0, "measuring");
        ks::Ceilings measured;
        measured.program_hash = "0123456789abcdef";
        measured.values = {{ks::ceiling_ids::exp2, "Exponentials", "1/s", "some of them", 1000,
                            std::vector<double>(plan.repeats, 4e9)}};
        return measured;
    }

  private:
    std::shared_ptr<Counts> counts_;
    bool usable_;
    std::vector<ks::Variant> variants_;
};

inline ks::Engine engine(const std::shared_ptr<Counts>& counts, bool usable = true) {
    std::vector<ks::Analysis> analyses;
    analyses.emplace_back(sums(counts));
    auto registry = std::make_shared<const ks::Registry>(std::move(analyses), host_variants(counts));
    std::vector<std::unique_ptr<ks::Backend>> backends;
    backends.push_back(std::make_unique<ks::HostBackend>(registry->host_variants()));
    backends.push_back(std::make_unique<Devices>(counts, usable));
    return ks::Engine(std::move(registry), std::move(backends));
}

inline ks::Request request(const std::string& variant_id = "", const std::string& device = "") {
    ks::Request wanted;
    wanted.analysis = "sums";
    wanted.variant = variant_id;
    wanted.device = device;
    wanted.inputs["numbers"] = {"typed", ks::Array::of<double>({3}, std::vector<double>{1, 2, 4})};
    return wanted;
}

}  // namespace fake
