#include "core/xpcs/correlators/cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/raw_bytes.h"
#include "core/base/stopwatch.h"
#include "core/base/threads.h"
#include "core/xpcs/correlators/families.h"
#include "core/xpcs/correlators/multitau.h"

namespace ks::xpcs {
namespace {

// Nanoseconds of one thread, chosen so that ratios to gram agree with those of bench/crossover from 500
// frames on to within a factor of about 2 (docs/benchmarks.md, "Where the families cross over": two cores of
// an Intel Xeon with AVX-512 VNNI); the other products of gram relative to VNNI with 1500 frames of 90000
// pixels. Only ratios of families are used: a processor that is faster or slower altogether changes nothing.

/// Per pair of frames and pixel.
double product_nanoseconds(GramBy by) {
    switch (by) {
        case GramBy::vnni:
            return 0.034;
        case GramBy::avx2:
            return 0.048;
        case GramBy::vector:
            return 0.17;
        case GramBy::ssyrk:
            return 0.095;
    }
    return 0;
}
constexpr double gram_per_pair_and_bin = 7;     ///< ratios of the sums
constexpr double gram_per_count = 1.2;          ///< regrouped
constexpr double fft_per_step = 0.7;            ///< per count and level of the transform
constexpr double fft_per_count = 3;             ///< copied
constexpr double fft_per_pair_and_bin = 2;      ///< S S
constexpr double multitau_per_count = 24;       ///< with 16 channels
constexpr double sparse_per_count = 0.8;        ///< looked at
constexpr double sparse_per_event = 20;         ///< found and sorted
constexpr double sparse_per_product = 6;        ///< of two events
constexpr double sparse_per_pair_and_bin = 18;  ///< ratios of the sums
constexpr double worthwhile = 0.2;              ///< seconds that a user should know could be saved

/// Pairs of frames at the requested delays.
double pairs_of(const CorrelatorWork& work) {
    return work.delays * (2 * work.frames - work.delays + 1) / 2;
}

}  // namespace

const char* name_of(Family family) {
    constexpr const char* names[] = {"gram", "fft", "multitau", "sparse"};
    return names[static_cast<int>(family)];
}

double expected_seconds(Family family, const CorrelatorWork& work, GramBy gram) {
    const double pairs = pairs_of(work), counts = work.frames * work.pixels;
    double nanoseconds = 0;
    switch (family) {
        case Family::gram:
            nanoseconds = pairs * work.pixels * product_nanoseconds(gram) +
                          pairs * work.bins * gram_per_pair_and_bin + counts * gram_per_count;
            break;
        case Family::fft: {
            const double length = work.frames + work.delays;
            nanoseconds = length * work.pixels * std::log2(length) * fft_per_step + counts * fft_per_count +
                          pairs * work.bins * fft_per_pair_and_bin;
            break;
        }
        case Family::multitau:
            nanoseconds = counts * multitau_per_count;
            break;
        case Family::sparse:
            nanoseconds = work.frames * work.all_pixels * sparse_per_count +
                          counts * work.filled * sparse_per_event +
                          pairs * work.pixels * work.together * sparse_per_product +
                          pairs * work.bins * sparse_per_pair_and_bin;
            break;
    }
    return nanoseconds * 1e-9;
}

CorrelatorWork work_of(const CorrelationProblem& problem) {
    const QPartition& partition = problem.partition();
    CorrelatorWork work;
    work.frames = static_cast<double>(problem.frames());
    work.delays = static_cast<double>(problem.delays());
    work.pixels = static_cast<double>(partition.selected());
    work.all_pixels = static_cast<double>(problem.height() * problem.width());
    for (std::size_t bin = 0; bin < partition.bins(); ++bin) work.bins += partition.bin_size(bin) > 0 ? 1 : 0;
    return work;
}

void add_shares(const CorrelationProblem& problem, CorrelatorWork& work) {
    const QPartition& partition = problem.partition();
    std::vector<std::size_t> used;
    for (std::size_t t = 0; t < problem.frames(); ++t)
        if (problem.used(t)) used.push_back(t);
    constexpr std::size_t enough = 32;
    const std::size_t sampled = std::min(enough, used.size());
    std::vector<std::uint8_t> hits(partition.selected(), 0);  // frames in which a pixel has a count
    RawBytes frame(problem.frames_bytes() / problem.frames());
    for (std::size_t i = 0; i < sampled; ++i) {
        problem.read(used[i * used.size() / sampled], 1, {frame.data(), frame.size()});
        visit_element(problem.source_type(), [&](auto zero) {
            using T = decltype(zero);
            const T* const counts = reinterpret_cast<const T*>(frame.data());
            for (std::size_t k = 0; k < hits.size(); ++k)
                hits[k] =
                    static_cast<std::uint8_t>(hits[k] + (counts[partition.pixels()[k]] != T{0} ? 1 : 0));
        });
    }
    double single = 0, twice = 0;
    for (const double n : hits) {
        single += n;
        twice += n * (n - 1);
    }
    const auto of = static_cast<double>(sampled), all = of * work.pixels;
    work.filled = all > 0 ? single / all : 0;
    // Pixels differ, so the share of pairs is at least that of equal pixels.
    work.together = std::max(sampled > 1 ? twice / (all * (of - 1)) : 0, work.filled * work.filled);
}

namespace {

/// "12 %", "0.3 %", "0.004 %"
std::string percent(double share) {
    return fmt::format("{:.{}g} %", 100 * share, share < 0.1 ? 1 : 2);
}

/// How the run multiplied; nothing: another family, a definition, or a GPU, whose rates are not known.
std::optional<GramBy> gram_of(const Run& run) {
    if (run.device.type == "GPU") return {};
    const std::string product = run.result.facts.value("product", std::string());
    if (product == "vnni") return GramBy::vnni;
    if (product == "avx2") return GramBy::avx2;
    if (product == "ssyrk" || product == "dsyrk") return GramBy::ssyrk;
    if (!product.empty()) return GramBy::vector;
    return {};
}

}  // namespace

std::optional<Faster> faster_than(Family family, const CorrelatorWork& work, const Allowed& allowed,
                                  GramBy gram, unsigned threads) {
    constexpr double most = 0.5;  // rates differ between processors, and with what else they do
    const double own = expected_seconds(family, work, gram);
    const auto checked = [&](Family other) -> std::optional<Faster> {
        const double seconds = expected_seconds(other, work, gram);
        if (seconds > most * own || own - seconds < worthwhile * threads) return {};
        return Faster{other, seconds / own};
    };
    if (family == Family::sparse) return checked(Family::gram);
    if (family != Family::gram) return {};
    // The same values come first.
    if (allowed.sparse)
        if (const auto sparse = checked(Family::sparse)) return sparse;
    const auto fft = allowed.fft ? checked(Family::fft) : std::nullopt,
               multitau = allowed.multitau ? checked(Family::multitau) : std::nullopt;
    if (fft && (!multitau || fft->share <= multitau->share)) return fft;
    return multitau;
}

void add_faster_family(const CorrelationProblem& problem, Run& run) {
    // Several devices or processes share the work in other ways than threads do.
    if (problem.is_part() || !run.devices.empty()) return;
    const bool sparse = is_of_family(run.variant, name_of(Family::sparse));
    const std::optional<GramBy> by = sparse ? GramBy::avx2 : gram_of(run);
    if (!by) return;
    const Family family = sparse ? Family::sparse : Family::gram;
    const unsigned threads = compute_threads();
    CorrelatorWork work = work_of(problem);
    // Nothing is sampled where not even a family that takes no time would be worth a word.
    if (!sparse && expected_seconds(family, work, *by) < worthwhile * threads) return;
    Stopwatch watch;
    add_shares(problem, work);
    add(run.timings, {"compare correlators", StageKind::overhead, watch.lap()});
    const bool map = problem.two_time_bin() > 0;
    const Allowed allowed{
        .fft = !map, .multitau = !map && !problem.rebin, .sparse = problem.compact() != ElementType::f32};
    const std::optional<Faster> faster = faster_than(family, work, allowed, *by, threads);
    if (!faster) return;
    const char* const but = faster->family == Family::fft        ? ", without errors of g2"
                            : faster->family == Family::multitau ? ", at fewer delays"
                                                                 : "";
    run.result.facts["faster"] = fmt::format(
        "the correlator {} is expected to take {} of the time of {}{} ({} of the counts are not 0)",
        name_of(faster->family), percent(faster->share), run.variant.id, but, percent(work.filled));
}

}  // namespace ks::xpcs
