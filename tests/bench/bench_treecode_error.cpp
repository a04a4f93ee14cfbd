// The errors of a treecode by its digits (core/particles/treecode/accuracy.h), for the table in
// core/particles/treecode/accuracy.cpp: the largest of some distributions of points and signs of weights,
// relative to the rms of the sums, in double. Clusters stand for their points wherever they may.
//
// bench_treecode_error [KERNEL [POINTS [LEAF [DIGITS...]]]], KERNEL being the begin of a case's name, or all

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/particles/analysis.h"

namespace {

using namespace ks::particles;

constexpr const char* shapes[] = {"cube", "sphere", "clusters", "line", "plane"};

/// Sources and targets lie alike, at other places.
std::shared_ptr<const ks::PointSet> points(const std::string& shape, std::size_t n, std::uint64_t seed,
                                           bool is_signed) {
    ks::Random random(seed, 0);
    auto set = std::make_shared<ks::PointSet>();
    const auto put = [&set](double x, double y, double z) {
        set->x.push_back(x);
        set->y.push_back(y);
        set->z.push_back(z);
    };
    for (std::size_t i = 0; i < n; ++i) {
        const double u = random.uniform(), v = random.uniform(), w = random.uniform();
        const auto [a, b] = random.normal();
        const double c = random.normal().first;
        if (shape == "cube") {
            put(u, v, w);
        } else if (shape == "sphere") {
            const double r = std::sqrt(a * a + b * b + c * c);
            put(0.5 + a / r / 2, 0.5 + b / r / 2, 0.5 + c / r / 2);
        } else if (shape == "clusters") {
            const double at = std::floor(8 * u), width = 0.01 * (1 + at), angle = 2.4 * at;
            put(0.5 + 0.3 * std::cos(angle) + width * a, 0.5 + 0.3 * std::sin(angle) + width * b,
                0.1 + 0.1 * at + width * c);
        } else if (shape == "line") {
            put(u, 0.3 + 0.2 * u, 0.5 - 0.4 * u);
        } else {
            put(u, v, 0.5);
        }
        const double weight = random.uniform();
        set->weight.push_back(is_signed ? 2 * weight - 1 : weight);
    }
    return set;
}

struct Case {
    const char* name;
    Kernel kernel;
    double parameter;  ///< sigma or wavenumber
};
constexpr Case cases[] = {{"laplace", Kernel::laplace, 0},         {"helmholtz 5", Kernel::helmholtz, 5},
                          {"helmholtz 15", Kernel::helmholtz, 15}, {"rbf 0.03", Kernel::rbf, 0.03},
                          {"rbf 0.1", Kernel::rbf, 0.1},           {"rbf 0.5", Kernel::rbf, 0.5}};

/// Of potentials where nothing else is asked for, or of gradients.
double error_of(const SumProblem& problem, double digits, std::size_t leaf) {
    ks::Request request;
    ks::Progress progress;
    std::vector<ks::Timing> timings;
    ks::HostContext context{request, progress, timings, 2, std::uint64_t{1} << 34};
    Accuracy accuracy;
    accuracy.digits = digits;
    accuracy.cut = 2 * digits;
    accuracy.pairs_anyway = digits > 12 ? 5'000'000 : 300'000;
    const TreecodeSums sums = treecode_sums(problem, accuracy, leaf, context);
    std::vector<std::size_t> targets;
    for (std::size_t i = 0; i < problem.n_targets(); i += problem.n_targets() / 200 + 1) targets.push_back(i);
    const std::vector<double> all = sums.values.to_doubles();
    std::vector<double> found;
    for (std::size_t row = 0; row < problem.n_rows(); ++row)
        for (const std::size_t target : targets) found.push_back(all[row * problem.n_targets() + target]);
    const RelativeErrors errors =
        relative_errors(problem, direct_sums(problem, targets, progress), found, targets.size());
    return problem.settings().gradient ? errors.gradient : errors.potential;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string kernel = argc > 1 ? argv[1] : "all";
    const auto n = static_cast<std::size_t>(argc > 2 ? std::atoll(argv[2]) : 1000);
    const auto leaf = static_cast<std::size_t>(argc > 3 ? std::atoll(argv[3]) : 25);
    std::vector<double> digits;
    for (int i = 4; i < argc; ++i) digits.push_back(std::atof(argv[i]));
    if (digits.empty()) digits = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14};
    fmt::print("{} sources at {} targets, leaves of {}\n{:<14} {:>6} {:>10} {:<9} {:>10} {:<9}\n", n, n, leaf,
               "", "digits", "potential", "", "gradient", "");
    for (const Case& one : cases)
        for (const double wanted : digits) {
            if (kernel != "all" && !std::string(one.name).starts_with(kernel)) continue;
            double worst[] = {0, 0};
            std::string worst_at[2];
            for (const char* shape : shapes)
                for (const bool is_signed : {true, false})
                    for (const std::size_t gradient : {0, 1}) {
                        SumSettings settings{one.kernel, one.kernel == Kernel::rbf ? one.parameter : 0.1,
                                             one.parameter, Precision::f64, gradient == 1};
                        const SumProblem problem(points(shape, n, 1, is_signed), points(shape, n, 2, false),
                                                 settings);
                        const double error = error_of(problem, wanted, leaf);
                        if (error <= worst[gradient]) continue;
                        worst[gradient] = error;
                        worst_at[gradient] = shape;
                    }
            fmt::print("{:<14} {:>6} {:>10.2g} {:<9} {:>10.2g} {:<9}\n", one.name, wanted, worst[0],
                       worst_at[0], worst[1], worst_at[1]);
            std::fflush(stdout);
        }
}
