#pragma once

#include <complex>
#include <cstddef>
#include <memory>

namespace ks::xpcs {

/// Fourier transforms of one length in double precision, by FFTW. Plans are kept for the life of the process.
/// All functions may be called from several threads.
class Transform {
  public:
    /// The length that is likely to be fastest among those of at least `least`.
    static std::size_t length_for(std::size_t least);

    /// @param measured FFTW times several ways first, which takes about 0.1 s per length; different ways
    /// round differently. Otherwise the same length always gives the same bits.
    Transform(std::size_t length, bool measured);

    std::size_t length() const { return length_; }
    /// Memory that suits the plans, filled with zeros.
    struct Free {
        void operator()(void* memory) const;
    };
    template <class T>
    using Values = std::unique_ptr<T[], Free>;
    Values<std::complex<double>> complex_values(std::size_t rows) const;
    Values<double> real_values() const;
    /// Elements from one row of complex_values() to the next, chosen so that rows do not share cache sets.
    std::size_t stride() const { return length_ + 8; }

    /// One forward transform, not scaled. The rows must be different ones.
    void forward(std::complex<double>* from, std::complex<double>* to) const;
    /// In place: a real spectrum, even in frequency, becomes its inverse transform, not scaled. Only
    /// frequencies 0 .. length() / 2 are read; all length() values are written.
    void inverse_of_even(double* values) const;

    /// A bound of the error of the inverse transform of a sum of power spectra |Z|^2, as a share of the value
    /// at delay 0: a transform of length F has a relative error of at most 7 u log2 F in the norm (N. J.
    /// Higham, Accuracy and Stability of Numerical Algorithms, section 24.1), so a power spectrum has twice
    /// as much, and sums over its frequencies and over `additions` spectra add theirs.
    double autocorrelation_error(std::size_t additions) const;

  private:
    std::size_t length_;
    void *forward_, *inverse_;  ///< fftw_plan, owned by the cache of plans
};

}  // namespace ks::xpcs
