#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/run/analysis.h"

namespace ks {

/// An analysis as a table of functions; P is its problem. The work common to all analyses is done
/// here: parameters are completed by defaults and checked before a function receives them. Functions
/// without a comment on null are mandatory; for `save`, `open` and `save_csv`
/// core/record/result_file.h has general ones.
template <class P>
struct AnalysisParts {
    AnalysisInfo info;
    /// Any function that returns a pointer to its kind of problem.
    std::function<std::shared_ptr<const Problem>(const Request&, Progress&, std::shared_ptr<const Problem>)>
        load;
    /// Null: `load` with the sizes as parameters; there is no benchmark where an input is required.
    std::shared_ptr<const Problem> (*benchmark_problem)(const ParameterSet& sizes) = nullptr;
    /// From complete sizes; null: the analysis reads no files.
    Request (*benchmark_files)(const ParameterSet& sizes, const std::filesystem::path& folder,
                               Progress&) = nullptr;
    /// Null: there is no generator.
    void (*generate)(const ParameterSet&, const std::filesystem::path& out, bool overwrite,
                     Progress&) = nullptr;
    Verdict (*check)(const P&, const Run&, CheckMode, Progress&);
    void (*save)(const Run&, const std::filesystem::path& out, bool overwrite, Progress&) = nullptr;
    /// Null: `save` is already complete.
    void (*keep)(const Run&, const std::filesystem::path& out, Progress&) = nullptr;
    Run (*open)(const std::filesystem::path& file) = nullptr;
    void (*save_csv)(const Run&, const std::filesystem::path& out, bool overwrite, Progress&) = nullptr;
    /// Null: lists the facts and texts of the result.
    std::string (*summary)(const Run&) = nullptr;
    /// Null: no text.
    std::string (*setup_text)(const Run&) = nullptr;
    /// What variants may depend on; null: the parameters only.
    Traits (*traits)(const P&) = nullptr;
    /// Null: every parameter always matters.
    std::vector<IdleParameter> (*idle)(const Request&) = nullptr;
    /// Null: no parameter is code.
    std::string (*code_of)(const ParameterSet&) = nullptr;
    /// From complete sizes; null: unchanged.
    ParameterSet (*benchmark_sizes)(ParameterSet) = nullptr;
    /// Null: no ceiling is named.
    std::optional<CeilingShare> (*ceiling_share)(const P&, const Variant&, double kernel_nanoseconds,
                                                 const Ceilings&) = nullptr;
    /// All three or none; with none, a run uses a single device.
    ShareUnits (*units)(const P&) = nullptr;
    std::shared_ptr<const Problem> (*part)(const std::shared_ptr<const P>& whole, std::size_t first,
                                           std::size_t end) = nullptr;
    Result (*joined)(const P& whole, std::vector<PartResult>, std::vector<Timing>&) = nullptr;
    /// Null: the value only.
    std::string (*pixel_text)(const Run&, const Dataset& image, std::size_t pixel) = nullptr;
};

template <class P>
class AnalysisOfParts : public Analysis {
  public:
    explicit AnalysisOfParts(AnalysisParts<P> parts) : parts_(std::move(parts)) {}

    const AnalysisInfo& info() const override { return parts_.info; }
    AnalysisExtras extras() const override {
        return {.generator = parts_.generate != nullptr,
                .benchmark = parts_.benchmark_problem != nullptr || !parts_.info.needs_input()};
    }
    std::shared_ptr<const Problem> load(const Request& request, Progress& progress,
                                        std::shared_ptr<const Problem> previous) const override {
        Request complete = request;
        complete.parameters = checked(parts_.info.parameters, request.parameters);
        return parts_.load(complete, progress, std::move(previous));
    }
    Traits traits(const Problem& problem) const override {
        return parts_.traits == nullptr ? Traits() : parts_.traits(dynamic_cast<const P&>(problem));
    }
    std::string code_of(const ParameterSet& given) const override {
        return parts_.code_of == nullptr ? std::string()
                                         : parts_.code_of(checked(parts_.info.parameters, given));
    }
    std::vector<IdleParameter> idle(const Request& request) const override {
        return parts_.idle == nullptr ? std::vector<IdleParameter>() : parts_.idle(request);
    }
    ParameterSet benchmark_sizes(const ParameterSet& given) const override {
        ParameterSet sizes = checked(parts_.info.benchmark, given);
        if (parts_.benchmark_sizes != nullptr) sizes = parts_.benchmark_sizes(std::move(sizes));
        Request request;
        request.parameters = sizes;
        for (const IdleParameter& parameter : idle(request)) sizes.erase(parameter.id);
        return sizes;
    }
    std::shared_ptr<const Problem> benchmark_problem(const ParameterSet& sizes) const override {
        require(extras().benchmark, "benchmark");
        const ParameterSet complete = checked(parts_.info.benchmark, sizes);
        if (parts_.benchmark_problem != nullptr) return parts_.benchmark_problem(complete);
        Request request;
        request.analysis = parts_.info.id;
        request.parameters = complete;
        Progress progress;
        return load(request, progress, nullptr);
    }
    std::optional<Request> benchmark_files(const ParameterSet& sizes, const std::filesystem::path& folder,
                                           Progress& progress) const override {
        if (parts_.benchmark_files == nullptr) return std::nullopt;
        Request request = parts_.benchmark_files(checked(parts_.info.benchmark, sizes), folder, progress);
        request.analysis = parts_.info.id;
        return request;
    }
    void generate(const ParameterSet& parameters, const std::filesystem::path& out, bool overwrite,
                  Progress& progress) const override {
        require(extras().generator, "generator");
        parts_.generate(checked(parts_.info.generator, parameters), out, overwrite, progress);
    }
    Verdict check(const Problem& problem, const Run& run, CheckMode mode, Progress& progress) const override {
        return parts_.check(dynamic_cast<const P&>(problem), run, mode, progress);
    }
    ShareUnits units(const Problem& problem) const override {
        return parts_.units == nullptr ? Analysis::units(problem)
                                       : parts_.units(dynamic_cast<const P&>(problem));
    }
    std::shared_ptr<const Problem> part(const std::shared_ptr<const Problem>& whole, std::size_t first,
                                        std::size_t end) const override {
        return parts_.part == nullptr ? Analysis::part(whole, first, end)
                                      : parts_.part(std::dynamic_pointer_cast<const P>(whole), first, end);
    }
    Result joined(const Problem& whole, std::vector<PartResult> parts,
                  std::vector<Timing>& timings) const override {
        return parts_.joined == nullptr
                   ? Analysis::joined(whole, std::move(parts), timings)
                   : parts_.joined(dynamic_cast<const P&>(whole), std::move(parts), timings);
    }
    void save(const Run& run, const std::filesystem::path& out, bool overwrite,
              Progress& progress) const override {
        parts_.save(run, out, overwrite, progress);
    }
    void keep(const Run& run, const std::filesystem::path& out, Progress& progress) const override {
        if (parts_.keep == nullptr) return Analysis::keep(run, out, progress);
        parts_.keep(run, out, progress);
    }
    Run open(const std::filesystem::path& file) const override { return parts_.open(file); }
    void save_csv(const Run& run, const std::filesystem::path& out, bool overwrite,
                  Progress& progress) const override {
        parts_.save_csv(run, out, overwrite, progress);
    }
    std::optional<CeilingShare> ceiling_share(const Problem& problem, const Variant& variant,
                                              double kernel_nanoseconds,
                                              const Ceilings& ceilings) const override {
        if (parts_.ceiling_share == nullptr) return std::nullopt;
        return parts_.ceiling_share(dynamic_cast<const P&>(problem), variant, kernel_nanoseconds, ceilings);
    }
    std::string pixel_text(const Run& run, const Dataset& image, std::size_t pixel) const override {
        return parts_.pixel_text == nullptr ? std::string() : parts_.pixel_text(run, image, pixel);
    }
    std::string summary(const Run& run) const override {
        return parts_.summary == nullptr ? summary_of_result(run.result) : parts_.summary(run);
    }
    std::string setup_text(const Run& run) const override {
        return parts_.setup_text == nullptr ? std::string() : parts_.setup_text(run);
    }

  private:
    void require(bool there, const char* what) const {
        if (!there) throw Error(ErrorKind::input, std::string("it has no ") + what, parts_.info.id);
    }

    AnalysisParts<P> parts_;
};

template <class P>
std::unique_ptr<Analysis> analysis_of(AnalysisParts<P> parts) {
    return std::make_unique<AnalysisOfParts<P>>(std::move(parts));
}

/// The value of make_analyses() for a folder of core/ with a single analysis.
inline std::vector<std::unique_ptr<Analysis>> one_analysis(std::unique_ptr<Analysis> analysis) {
    std::vector<std::unique_ptr<Analysis>> all;
    all.push_back(std::move(analysis));
    return all;
}

}  // namespace ks
