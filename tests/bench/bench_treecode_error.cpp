// The errors of a treecode by its digits (core/particles/treecode/accuracy.h), for the table in
// core/particles/treecode/accuracy.cpp: the largest of some distributions of points and signs of weights,
// relative to the rms of the sums, in double. Clusters stand for their points wherever they may.
//
// bench_treecode_error [POINTS [LEAF [DIGITS...]]]

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/particles/treecode/host_treecode.h"

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
                          {"helmholtz 30", Kernel::helmholtz, 30}, {"rbf 0.03", Kernel::rbf, 0.03},
                          {"rbf 0.1", Kernel::rbf, 0.1},           {"rbf 0.5", Kernel::rbf, 0.5}};

RelativeErrors errors_of(const SumProblem& problem, double digits, std::size_t leaf) {
    ks::Request request;
    ks::Progress progress;
    std::vector<ks::Timing> timings;
    ks::HostContext context{request, progress, timings, 2, std::uint64_t{1} << 34};
    Accuracy accuracy;
    accuracy.digits = digits;
    accuracy.cut = 2 * digits;
    accuracy.even_if_slower = true;
    const TreecodeSums sums = treecode_sums(problem, accuracy, leaf, context);
    std::vector<std::size_t> targets;
    for (std::size_t i = 0; i < problem.n_targets(); i += problem.n_targets() / 200 + 1) targets.push_back(i);
    const std::vector<double> all = sums.values.to_doubles();
    std::vector<double> found;
    for (std::size_t row = 0; row < problem.n_rows(); ++row)
        for (const std::size_t target : targets) found.push_back(all[row * problem.n_targets() + target]);
    return relative_errors(problem, direct_sums(problem, targets, progress), found, targets.size());
}

}  // namespace

int main(int argc, char** argv) {
    const auto n = static_cast<std::size_t>(argc > 1 ? std::atoll(argv[1]) : 4000);
    const auto leaf = static_cast<std::size_t>(argc > 2 ? std::atoll(argv[2]) : 40);
    std::vector<double> digits;
    for (int i = 3; i < argc; ++i) digits.push_back(std::atof(argv[i]));
    if (digits.empty()) digits = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    fmt::print("{} sources at {} targets, leaves of {}\n{:<14} {:>6} {:>10} {:<9} {:>10} {:<9}\n", n, n, leaf,
               "", "digits", "potential", "", "gradient", "");
    for (const Case& one : cases)
        for (const double wanted : digits) {
            RelativeErrors worst;
            std::string potential_at, gradient_at;
            for (const char* shape : shapes)
                for (const bool is_signed : {true, false}) {
                    SumSettings settings{one.kernel, one.kernel == Kernel::rbf ? one.parameter : 0.1,
                                         one.parameter, Precision::f64, true};
                    const SumProblem problem(points(shape, n, 1, is_signed), points(shape, n, 2, false),
                                             settings);
                    const RelativeErrors errors = errors_of(problem, wanted, leaf);
                    if (errors.potential > worst.potential) potential_at = shape;
                    if (errors.gradient > worst.gradient) gradient_at = shape;
                    worst.potential = std::max(worst.potential, errors.potential);
                    worst.gradient = std::max(worst.gradient, errors.gradient);
                }
            fmt::print("{:<14} {:>6} {:>10.2g} {:<9} {:>10.2g} {:<9}\n", one.name, wanted, worst.potential,
                       potential_at, worst.gradient, gradient_at);
            std::fflush(stdout);
        }
}
