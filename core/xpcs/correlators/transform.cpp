#include "core/xpcs/correlators/transform.h"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <new>
#include <tuple>

namespace ks::xpcs {
namespace {

/// FFTW's planner is not safe to use from several threads.
std::mutex planning;

enum class Kind { forward, inverse_of_even };

fftw_plan made_plan(Kind kind, std::size_t length, bool measured) {
    const unsigned flags = measured ? FFTW_MEASURE : FFTW_ESTIMATE;
    const auto n = static_cast<int>(length);
    if (kind == Kind::forward) {
        fftw_complex *const from = fftw_alloc_complex(length), *const to = fftw_alloc_complex(length);
        if (from == nullptr || to == nullptr) throw std::bad_alloc();
        const fftw_plan plan = fftw_plan_dft_1d(n, from, to, FFTW_FORWARD, flags | FFTW_PRESERVE_INPUT);
        fftw_free(from);
        fftw_free(to);
        return plan;
    }
    double* const values = fftw_alloc_real(length);
    if (values == nullptr) throw std::bad_alloc();
    const fftw_plan plan = fftw_plan_r2r_1d(n, values, values, FFTW_HC2R, flags);
    fftw_free(values);
    return plan;
}

fftw_plan plan_of(Kind kind, std::size_t length, bool measured) {
    static std::map<std::tuple<Kind, std::size_t, bool>, fftw_plan> plans;
    const std::lock_guard lock(planning);
    fftw_plan& plan = plans[{kind, length, measured}];
    if (plan == nullptr) plan = made_plan(kind, length, measured);
    if (plan == nullptr) throw std::bad_alloc();
    return plan;
}

template <class T>
T* zeros(std::size_t n) {
    void* const memory = fftw_malloc(n * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    std::fill_n(static_cast<T*>(memory), n, T{});
    return static_cast<T*>(memory);
}

}  // namespace

std::size_t Transform::length_for(std::size_t least) {
    // Factors of powers of 2, and what a plan of that length takes per element relative to a power of 2.
    struct Candidate {
        std::size_t factor;
        double cost;
    };
    constexpr Candidate candidates[] = {{1, 1.0}, {5, 1.07}, {3, 1.3}};
    std::size_t best = 0;
    double lowest = std::numeric_limits<double>::infinity();
    for (const auto& [factor, cost] : candidates) {
        std::size_t length = 8 * factor;
        while (length < least) length *= 2;
        const double all = cost * static_cast<double>(length);
        if (all < lowest) {
            lowest = all;
            best = length;
        }
    }
    return best;
}

Transform::Transform(std::size_t length, bool measured)
    : length_(length),
      forward_(plan_of(Kind::forward, length, measured)),
      inverse_(plan_of(Kind::inverse_of_even, length, false)) {}

void Transform::Free::operator()(void* memory) const {
    fftw_free(memory);
}

Transform::Values<std::complex<double>> Transform::complex_values(std::size_t rows) const {
    return Values<std::complex<double>>(zeros<std::complex<double>>(rows * stride()));
}

Transform::Values<double> Transform::real_values() const {
    return Values<double>(zeros<double>(length_));
}

void Transform::forward(std::complex<double>* from, std::complex<double>* to) const {
    fftw_execute_dft(static_cast<fftw_plan>(forward_), reinterpret_cast<fftw_complex*>(from),
                     reinterpret_cast<fftw_complex*>(to));
}

void Transform::inverse_of_even(double* values) const {
    // FFTW's half-complex order has the imaginary parts, which are 0, in the second half.
    std::fill(values + length_ / 2 + 1, values + length_, 0.0);
    fftw_execute_r2r(static_cast<fftw_plan>(inverse_), values, values);
}

double Transform::autocorrelation_error(std::size_t additions) const {
    const double unit = std::numeric_limits<double>::epsilon() / 2, length = static_cast<double>(length_),
                 stages = std::log2(length);
    return unit * (14 * stages + 7 * stages * std::sqrt(length) + static_cast<double>(additions) + 8);
}

}  // namespace ks::xpcs
