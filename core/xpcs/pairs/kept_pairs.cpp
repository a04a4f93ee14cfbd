#include "core/xpcs/pairs/kept_pairs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/base/error.h"

namespace ks::xpcs {
namespace {

/// One row per bin, with zeros for bins without pixels. @param get the row of a bin, as a variant of vectors
template <class T, class Get>
Array rows_of(const std::vector<BinPairs>& bins, std::size_t length, const Get& get) {
    std::vector<T> all(bins.size() * length, 0);
    for (std::size_t bin = 0; bin < bins.size(); ++bin)
        std::visit(
            [&](const auto& row) {
                for (std::size_t i = 0; i < row.size(); ++i) all[bin * length + i] = static_cast<T>(row[i]);
            },
            get(bins[bin]));
    return Array::taken<T>({bins.size(), length}, std::move(all));
}

template <class T>
bool any_of(const std::vector<BinPairs>& bins) {
    return std::ranges::any_of(bins, [](const BinPairs& bin) {
        return bin.frames() > 0 && std::holds_alternative<std::vector<T>>(bin.products());
    });
}

template <class T>
std::vector<T> row_of(const Array& rows, std::size_t bin) {
    const auto all = rows.as<T>();
    const auto row = all.subspan(bin * rows.shape()[1], rows.shape()[1]);
    return {row.begin(), row.end()};
}

}  // namespace

void add_pairs(Result& result, KeptPairs kept, std::size_t delays) {
    const std::vector<BinPairs>& bins = kept.bins;
    const std::size_t frames = kept.used.size(), pairs = BinPairs::pairs_of(frames, delays);
    const auto products = [](const BinPairs& bin) -> const BinPairs::Products& { return bin.products(); };
    const auto sums = [](const BinPairs& bin) -> const BinPairs::Sums& { return bin.sums(); };
    const bool whole = !any_of<double>(bins);
    Array of_pairs = !whole                        ? rows_of<double>(bins, pairs, products)
                     : any_of<std::uint64_t>(bins) ? rows_of<std::uint64_t>(bins, pairs, products)
                                                   : rows_of<std::uint32_t>(bins, pairs, products);
    Array of_frames =
        whole ? rows_of<std::uint64_t>(bins, frames, sums) : rows_of<double>(bins, frames, sums);
    std::vector<std::int64_t> pixels;
    pixels.reserve(bins.size());
    for (const BinPairs& bin : bins) pixels.push_back(static_cast<std::int64_t>(bin.pixels()));
    const std::vector<std::uint8_t> used(kept.used.begin(), kept.used.end());
    const auto add = [&](const char* name, const char* title, Array values, std::vector<std::string> axes) {
        result.datasets.push_back({name, title, "", DataKind::overlay, std::move(values), std::move(axes)});
    };
    add("pairs", "G(t1, t2) of each bin", std::move(of_pairs), {"label", ""});
    add("pair_sums", "S(t) of each bin", std::move(of_frames), {"label", ""});
    add("pair_pixels", "number of pixels of each bin", Array::of<std::int64_t>({bins.size()}, pixels),
        {"label"});
    add("pair_used", "1: the frame was used", Array::of<std::uint8_t>({frames}, used), {""});
}

KeptPairs pairs_in(const Result& result) {
    KeptPairs kept;
    const Dataset* const products = result.find("pairs");
    if (products == nullptr) return kept;
    const Array &rows = products->values, &sums = result.at("pair_sums").values,
                &pixels = result.at("pair_pixels").values, &used = result.at("pair_used").values;
    const std::vector<double> of_bins = pixels.to_doubles(), of_frames = used.to_doubles();
    const std::size_t bins = of_bins.size(), frames = of_frames.size();
    const bool fits = rows.rank() == 2 && sums.rank() == 2 && pixels.rank() == 1 && used.rank() == 1 &&
                      rows.shape()[0] == bins && sums.shape() == std::vector<std::size_t>{bins, frames};
    std::size_t delays = 1;
    while (fits && delays < frames && BinPairs::pairs_of(frames, delays) < rows.shape()[1]) ++delays;
    if (!fits || frames == 0 || BinPairs::pairs_of(frames, delays) != rows.shape()[1])
        throw Error(ErrorKind::input, "expected one value per bin and pair of frames, found another shape",
                    "pairs");
    const bool whole = sums.type() == ElementType::u64;
    const bool known = whole ? rows.type() == ElementType::u32 || rows.type() == ElementType::u64
                             : rows.type() == ElementType::f64 && sums.type() == ElementType::f64;
    if (!known)
        throw Error(ErrorKind::input, "expected pairs of u32, u64 or f64 with sums of u64 or f64", "pairs");
    for (const double one : of_frames) kept.used.push_back(one != 0);
    for (std::size_t bin = 0; bin < bins; ++bin) {
        if (!(of_bins[bin] > 0)) {
            kept.bins.emplace_back();
            continue;
        }
        BinPairs::Products products_of_bin;
        if (rows.type() == ElementType::u32)
            products_of_bin = row_of<std::uint32_t>(rows, bin);
        else if (rows.type() == ElementType::u64)
            products_of_bin = row_of<std::uint64_t>(rows, bin);
        else
            products_of_bin = row_of<double>(rows, bin);
        BinPairs::Sums sums_of_bin;
        if (whole)
            sums_of_bin = row_of<std::uint64_t>(sums, bin);
        else
            sums_of_bin = row_of<double>(sums, bin);
        kept.bins.emplace_back(static_cast<std::size_t>(of_bins[bin]), frames, delays,
                               std::move(products_of_bin), std::move(sums_of_bin));
    }
    return kept;
}

std::vector<double> kept_counts(const Result& result, std::size_t bin) {
    const Dataset *const sums = result.find("pair_sums"), *const pixels = result.find("pair_pixels"),
                         *const used = result.find("pair_used");
    if (!sums || !pixels || !used) return {};
    const std::vector<double> of_bins = pixels->values.to_doubles(), of_frames = used->values.to_doubles(),
                              all = sums->values.to_doubles();
    // It may come from a file.
    if (bin >= of_bins.size() || !(of_bins[bin] > 0) || all.size() != of_bins.size() * of_frames.size())
        return {};
    std::vector<double> counts;
    for (std::size_t t = 0; t < of_frames.size(); ++t)
        counts.push_back(of_frames[t] != 0 ? all[bin * of_frames.size() + t] / of_bins[bin]
                                           : std::numeric_limits<double>::quiet_NaN());
    return counts;
}

}  // namespace ks::xpcs
