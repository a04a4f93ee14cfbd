#include "core/xpcs/files/other_results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/printable.h"
#include "core/io/files/file_record.h"
#include "core/io/files/library_call.h"
#include "core/io/hdf5/hdf5.h"
#include "core/io/hdf5/hdf5_format.h"
#include "core/io/hdf5/hdf5_links.h"
#include "core/io/hdf5/nexus.h"
#include "core/io/labels/qmap.h"
#include "core/io/open_frames.h"
#include "core/record/made_elsewhere.h"
#include "core/run/parameter_spec.h"
#include "core/xpcs/analysis.h"
#include "core/xpcs/correlation.h"
#include "core/xpcs/g2_fit.h"
#include "core/xpcs/repeats/same_bins.h"

namespace ks::xpcs {
namespace {

namespace fs = std::filesystem;
namespace h5 = io::h5;

constexpr std::size_t most_points = std::size_t{1} << 26;  ///< values of g2 in a file

/// Curves as a file has them.
struct FileCurves {
    std::size_t bins = 0, delays = 0;
    std::vector<double> g2;                          ///< [bin][delay]
    std::optional<std::vector<double>> errors = {};  ///< the same
    std::vector<double> at = {};                     ///< [delay]
    /// Per bin, in 1/angstrom and degrees; empty: unknown.
    std::vector<double> q = {}, phi = {};
    std::string pixels = {};  ///< hash of the map of the bins; empty: the file has none
    std::string q_note = {};  ///< what is doubtful about q; empty: nothing
    std::vector<char> used =
        {};  ///< [frame], in the unit of `at`: not left out; empty: their number is unknown
};

struct OpenFile {
    h5::Handle file;
    std::string name;

    bool has(const std::string& path) const { return h5::exists(file, path); }
    std::string where(const std::string& path) const { return name + "::" + path; }

    /// The values of a dataset, with their shape.
    std::pair<std::vector<double>, std::vector<std::size_t>> values(const std::string& path) const {
        const std::vector<std::size_t> shape = h5::shape_of(h5::open_dataset(file, name, path));
        std::size_t count = 1;
        for (const std::size_t one : shape) {
            if (one > most_points || count * one > most_points)
                throw Error(
                    ErrorKind::input,
                    fmt::format("expected at most {} values, found {}", most_points, h5::to_text(shape)),
                    where(path));
            count *= one;
        }
        return {io::read_array(where(path), shape.size()).to_doubles(), shape};
    }
    /// A list, which may be stored with further dimensions of 1.
    std::vector<double> list(const std::string& path) const {
        auto [found, shape] = values(path);
        if (std::ranges::count_if(shape, [](std::size_t one) { return one != 1; }) > 1)
            throw Error(ErrorKind::input, "expected a list of numbers, found " + h5::to_text(shape),
                        where(path));
        return std::move(found);
    }
    std::optional<double> number(const std::string& path) const {
        if (!has(path)) return std::nullopt;
        const std::vector<double> found = list(path);
        if (found.size() != 1)
            throw Error(ErrorKind::input, fmt::format("expected a number, found {} numbers", found.size()),
                        where(path));
        return found.front();
    }
    /// A whole number of at least 1; 1 if it is absent.
    std::int64_t count(const std::string& path) const {
        const double found = number(path).value_or(1);
        if (!(found >= 1 && found < 1e9) || found != std::floor(found))
            throw Error(ErrorKind::input, fmt::format("expected a whole number above 0, found {}", found),
                        where(path));
        return static_cast<std::int64_t>(found);
    }

    /// Curves [bin][delay], stored in this order or transposed. @param delays of the list at `delays_path`
    std::vector<double> curves(const std::string& path, std::size_t delays, const std::string& delays_path,
                               bool transposed) const {
        auto [found, shape] = values(path);
        if (shape.size() != 2 || shape[transposed ? 0 : 1] != delays)
            throw Error(ErrorKind::input,
                        fmt::format("expected {} as {} has {} delays, found {}",
                                    transposed ? "[delay, bin]" : "[bin, delay]", delays_path, delays,
                                    h5::to_text(shape)),
                        where(path));
        if (!transposed) return std::move(found);
        const std::size_t bins = shape[1];
        std::vector<double> turned(found.size());
        for (std::size_t delay = 0; delay < delays; ++delay)
            for (std::size_t bin = 0; bin < bins; ++bin)
                turned[bin * delays + delay] = found[delay * bins + bin];
        return turned;
    }
};

/// g2, its errors and its delays. @param errors may be absent in the file
FileCurves curves_at(const OpenFile& file, const std::string& g2, const std::string& errors,
                     const std::string& delays, bool transposed) {
    FileCurves all;
    all.at = file.list(delays);
    all.delays = all.at.size();
    for (std::size_t i = 0; i < all.delays; ++i)
        if (!(all.at[i] >= 0) || !std::isfinite(all.at[i]) || (i > 0 && !(all.at[i] > all.at[i - 1])))
            throw Error(ErrorKind::input,
                        fmt::format("expected ascending delays of at least 0, found {} after {}", all.at[i],
                                    i == 0 ? std::string("the start") : fmt::format("{}", all.at[i - 1])),
                        file.where(delays));
    all.g2 = file.curves(g2, all.delays, delays, transposed);
    if (all.g2.empty()) throw Error(ErrorKind::input, "there are no curves", file.where(g2));
    all.bins = all.g2.size() / all.delays;
    if (!file.has(errors)) return all;
    all.errors = file.curves(errors, all.delays, delays, transposed);
    if (all.errors->size() != all.g2.size())
        throw Error(ErrorKind::input,
                    fmt::format("expected as many values as {} has, {}, found {}", g2, all.g2.size(),
                                all.errors->size()),
                    file.where(errors));
    return all;
}

/// Values of bins that a file need not have. Throws ks::Error(input) if there are others than one per bin.
std::vector<double> of_bins(const OpenFile& file, const std::string& path, std::size_t bins) {
    if (!file.has(path)) return {};
    std::vector<double> found = file.list(path);
    if (found.size() != bins)
        throw Error(ErrorKind::input,
                    fmt::format("expected a value per bin, i.e. {}, found {}", bins, found.size()),
                    file.where(path));
    return found;
}

/// Puts q into 1/angstrom by the unit of the dataset that it is from.
/// @param usual what is meant without a unit is known: 1/angstrom
void convert_q(const OpenFile& file, const std::string& path, FileCurves& curves, bool usual = false) {
    if (curves.q.empty()) return;
    const auto unit = h5::attribute(h5::open_dataset(file.file, file.name, path), "units");
    if (!unit && usual) return;
    if (!unit) {
        curves.q_note = "the file gives no unit of q: 1/angstrom is assumed";
    } else if (const auto factor = io::per_angstrom(*unit)) {
        for (double& q : curves.q) q *= *factor;
    } else {
        curves.q.clear();
        curves.q_note = fmt::format("q is left out, since its unit \"{}\" is not known", printable(*unit));
    }
}

/// Puts delay 0 before the others, as results have it: the file does not know its values.
void add_delay_0(FileCurves& curves) {
    if (curves.at.front() == 0) return;
    const auto longer = [&curves](const std::vector<double>& all) {
        std::vector<double> made;
        for (std::size_t bin = 0; bin < curves.bins; ++bin) {
            made.push_back(nan_value);
            const auto from = all.begin() + static_cast<std::ptrdiff_t>(bin * curves.delays);
            made.insert(made.end(), from, from + static_cast<std::ptrdiff_t>(curves.delays));
        }
        return made;
    };
    curves.g2 = longer(curves.g2);
    if (curves.errors) curves.errors = longer(*curves.errors);
    curves.at.insert(curves.at.begin(), 0);
    ++curves.delays;
}

/// The frames, by their intensities over time: a row of these after one of their numbers. NaN: left out.
std::vector<char> used_frames(const OpenFile& file, const std::string& path) {
    if (!file.has(path)) return {};
    const auto [values, shape] = file.values(path);
    std::vector<char> used;
    if (shape.empty()) return used;
    for (std::size_t i = values.size() - shape.back(); i < values.size(); ++i)
        used.push_back(std::isnan(values[i]) ? 0 : 1);
    return used;
}

/// log2 of the frames that are summed at each delay, where delays are those of multi-tau: their distances
/// double from level to level. Empty: they are others.
std::vector<std::size_t> levels_of(const std::vector<double>& at) {
    std::vector<std::size_t> levels;
    for (std::size_t i = 0; i < at.size(); ++i) {
        const double distance = i == 0 ? std::max(at[0], 1.0) : at[i] - at[i - 1];
        const double level = std::log2(distance);
        if (!(level >= 0 && level < 32) || level != std::floor(level) || std::fmod(at[i], distance) != 0 ||
            (i > 0 && static_cast<std::size_t>(level) < levels.back()))
            return {};
        levels.push_back(static_cast<std::size_t>(level));
    }
    return levels;
}

/// Pairs of frames, or of the sums of frames of multi-tau, at each delay.
std::vector<std::int64_t> pairs_at(const std::vector<double>& at, const std::vector<char>& used) {
    const std::vector<std::size_t> levels = levels_of(at);
    std::vector<std::int64_t> pairs;
    for (std::size_t i = 0; i < at.size(); ++i) {
        const std::size_t level = levels.empty() ? 0 : levels[i];
        std::vector<char> sums(used.size() >> level, 1);
        for (std::size_t frame = 0; frame < sums.size() << level; ++frame)
            if (!used[frame]) sums[frame >> level] = 0;
        const std::size_t steps = static_cast<std::size_t>(std::llround(at[i])) >> level;
        std::int64_t n = 0;
        for (std::size_t sum = 0; sum + steps < sums.size(); ++sum)
            n += sums[sum] && sums[sum + steps] ? 1 : 0;
        pairs.push_back(n);
    }
    return pairs;
}

/// Adds the number of pairs at each delay, of as few frames as the delays allow where it is not known of how
/// many they are.
void add_pairs(Result& result, const FileCurves& curves) {
    const std::int64_t frames = std::llround(curves.at.back()) + 1;
    std::vector<std::int64_t> pairs;
    if (static_cast<std::int64_t>(curves.used.size()) >= frames) {
        pairs = pairs_at(curves.at, curves.used);
    } else {
        for (const double at : curves.at) pairs.push_back(frames - std::llround(at));
        result.warnings.push_back(fmt::format(
            "the file does not say how many frames it is from: {}, as few as its delays allow, are "
            "assumed where pairs of frames count",
            frames));
    }
    result.datasets.push_back({delay_pairs,
                               "pairs of frames",
                               "",
                               DataKind::axis,
                               Array::of<std::int64_t>({pairs.size()}, pairs),
                               {"delay"},
                               ""});
}

/// A run of these curves. @param frame_time seconds per unit of FileCurves::at; absent: unknown
/// @param variant its name in tables of runs
Run run_of(FileCurves curves, std::optional<double> frame_time, const std::string& variant,
           const std::string& layout) {
    Run run;
    add_delay_0(curves);
    run.request.analysis = "xpcs";
    run.request.variant = run.variant.id = variant;
    run.request.parameters = defaults(analysis_info().parameters);
    run.variant.analysis = "xpcs";
    run.variant.title = "g2 from a file in the layout of " + layout;
    run.variant.description = run.variant.title;
    Result& result = run.result;
    if (!curves.errors) {
        run.variant.lacks = {"g2_err"};
        curves.errors.emplace(curves.g2.size(), nan_value);
    }
    const std::size_t bins = curves.bins, delays = curves.delays;
    const auto add = [&result](const char* name, const char* title, const char* unit, DataKind kind,
                               Array values, std::vector<std::string> axes, const char* errors = "") {
        result.datasets.push_back({name, title, unit, kind, std::move(values), std::move(axes), errors});
    };
    add("g2", "g2(q, tau)", "", DataKind::curves, Array::of<double>({bins, delays}, curves.g2),
        {"label", "delay"}, "g2_err");
    add("g2_err", "error of g2", "", DataKind::curves, Array::of<double>({bins, delays}, *curves.errors),
        {"label", "delay"});
    std::vector<std::int32_t> label(bins);
    std::iota(label.begin(), label.end(), 1);
    add("label", "bin", "", DataKind::axis, Array::of<std::int32_t>({bins}, label), {});
    add("delay", "delay", "frames", DataKind::axis, Array::of<double>({delays}, curves.at), {});
    if (frame_time) {
        std::vector<double> seconds;
        for (const double at : curves.at) seconds.push_back(at * *frame_time);
        add("delay_time", "delay", "s", DataKind::axis, Array::of<double>({delays}, seconds), {});
        result.facts["frame_time"] = *frame_time;
    }
    curves.q.resize(bins, nan_value);
    curves.phi.resize(bins, nan_value);
    add("q", "q", "1/angstrom", DataKind::axis, Array::of<double>({bins}, curves.q), {"label"});
    add("phi", "azimuth", "deg", DataKind::axis, Array::of<double>({bins}, curves.phi), {"label"});
    if (!curves.q_note.empty()) result.warnings.push_back(curves.q_note);
    add_pairs(result, curves);
    result.facts["bins"] = bins;
    if (!curves.pixels.empty()) result.facts[bins_hash] = curves.pixels;
    result.facts[made_elsewhere_fact] = layout;
    return run;
}

constexpr const char *aps = "/xpcs/multitau/normalized_g2", *old_aps = "/exchange/norm-0-g2",
                     *esrf = "/entry_0000/correlations",
                     *old_esrf = "/entry_0000/dynamix/correlations/directions",
                     *old_ranges = "/entry_0000/dynamix/correlations/q_index_min_max";

/// Frames of the file from one frame of its delays to the next.
void set_reduction(Run& run, std::int64_t stride, std::int64_t average) {
    run.request.parameters["stride"] = stride;
    run.request.parameters["average"] = average;
}

std::optional<double> frame_time_of(const OpenFile& file, const std::string& path, std::int64_t frames) {
    const std::optional<double> time = file.number(path);
    if (!time) return std::nullopt;
    if (!(*time > 0) || !std::isfinite(*time))
        throw Error(ErrorKind::input, fmt::format("expected a time above 0 s, found {}", *time),
                    file.where(path));
    return *time * static_cast<double>(frames);
}

Run read_aps(const OpenFile& file) {
    const std::string group = "/xpcs/multitau/";
    FileCurves curves = curves_at(file, aps, group + "normalized_g2_err", group + "delay_list", true);
    if (const auto places = io::qmap_in(file.file, {file.name, "/xpcs/qmap"})) {
        curves.pixels = hash_text(hash_of(io::read_array(file.where(places->labels), 2).bytes()));
        io::QMapValues values = io::qmap_values(file.file, {file.name, "/xpcs/qmap"}, *places, curves.bins);
        curves.q = std::move(values.q);
        curves.phi = std::move(values.phi);
    }
    curves.used = used_frames(file, "/xpcs/spatial_mean/intensity_vs_time");
    const std::int64_t stride = file.count(group + "config/stride_frame"),
                       average = file.count(group + "config/avg_frame");
    Run run = run_of(std::move(curves),
                     frame_time_of(file, "/entry/instrument/detector_1/frame_time", stride * average),
                     "read.aps", "APS 8-ID");
    set_reduction(run, stride, average);
    return run;
}

Run read_old_aps(const OpenFile& file) {
    FileCurves curves = curves_at(file, old_aps, "/exchange/norm-0-stderr", "/exchange/tau", true);
    curves.q = of_bins(file, "/xpcs/dqlist", curves.bins);
    convert_q(file, "/xpcs/dqlist", curves, true);
    curves.phi = of_bins(file, "/xpcs/dphilist", curves.bins);
    curves.used = used_frames(file, "/exchange/frameSum");
    const std::int64_t stride = file.count("/xpcs/stride_frames"), average = file.count("/xpcs/avg_frames");
    Run run =
        run_of(std::move(curves),
               frame_time_of(file, "/measurement/instrument/detector/exposure_period", stride * average),
               "read.aps", "APS 8-ID of earlier years");
    set_reduction(run, stride, average);
    return run;
}

/// One run of the correlations of several directions. @param read returns those of one
Run read_directions(const OpenFile& file, const std::string& group, const std::string& layout,
                    const std::function<FileCurves(const std::string& path)>& read) {
    std::optional<FileCurves> all;
    std::vector<std::string> others;
    for (const std::string& name : io::h5::names_in(h5::open_object(file.file, file.name, group))) {
        FileCurves one = read(group + "/" + name);
        if (!all) {
            all = std::move(one);
            continue;
        }
        if (one.at != all->at || one.errors.has_value() != all->errors.has_value()) {
            others.push_back(name);
            continue;
        }
        const auto append = [](std::vector<double>& to, const std::vector<double>& from) {
            to.insert(to.end(), from.begin(), from.end());
        };
        all->q.resize(all->bins, nan_value);
        one.q.resize(one.bins, nan_value);
        append(all->q, one.q);
        append(all->g2, one.g2);
        if (all->errors) append(*all->errors, *one.errors);
        all->bins += one.bins;
    }
    if (!all) throw Error(ErrorKind::input, "there are no correlations", file.where(group));
    // The smallest delay is that of neighbouring frames.
    const auto unit = std::ranges::find_if(all->at, [](double at) { return at > 0; });
    if (unit == all->at.end()) throw Error(ErrorKind::input, "there is no delay above 0", file.where(group));
    const double frame_time = *unit;
    constexpr double rounding = 1e-6;  // of seconds in the file
    for (double& at : all->at) {
        at /= frame_time;
        if (const double whole = std::round(at); std::abs(at - whole) <= rounding * whole) at = whole;
    }
    Run run = run_of(std::move(*all), frame_time, "read.esrf", layout);
    run.result.warnings.push_back(
        "the file has delays in seconds only: those in frames are multiples of the smallest one");
    if (!others.empty())
        run.result.warnings.push_back(fmt::format(
            "the correlations {} are left out, because their delays or errors are others than those of the "
            "first one",
            fmt::join(others, ", ")));
    return run;
}

Run read_esrf(const OpenFile& file) {
    return read_directions(file, esrf, "ESRF", [&file](const std::string& path) {
        FileCurves one = curves_at(file, path + "/g2/cf", path + "/g2/err", path + "/g2/lag", false);
        one.q = of_bins(file, path + "/parameters/q", one.bins);
        convert_q(file, path + "/parameters/q", one);
        return one;
    });
}

/// q at the middle of the range of each bin. Empty if the file does not say it for each bin.
std::vector<double> middles_of(const OpenFile& file, const std::string& path, std::size_t bins) {
    if (!file.has(old_ranges)) return {};
    const auto [rows, shape] = file.values(old_ranges);
    if (shape.size() != 2 || shape[1] != 3) return {};
    std::vector<double> wanted, q;
    if (file.has(path + "/q_index")) {
        wanted = file.list(path + "/q_index");
    } else {
        for (std::size_t row = 0; row < shape[0]; ++row) wanted.push_back(rows[row * 3]);
    }
    for (const double index : wanted)
        for (std::size_t row = 0; row < shape[0]; ++row)
            if (rows[row * 3] == index) q.push_back((rows[row * 3 + 1] + rows[row * 3 + 2]) / 2);
    return q.size() == bins ? q : std::vector<double>();
}

Run read_old_esrf(const OpenFile& file) {
    return read_directions(file, old_esrf, "ESRF of earlier versions", [&file](const std::string& path) {
        const std::string group = path + "/correlation/";
        FileCurves one = curves_at(file, group + "cf", group + "std",
                                   group + (file.has(group + "timeshift") ? "timeshift" : "lag"), true);
        one.q = middles_of(file, path, one.bins);
        convert_q(file, old_ranges, one);
        return one;
    });
}

struct Layout {
    const char* object;  ///< that only files of this layout have
    Run (*read)(const OpenFile& file);
};
constexpr Layout layouts[] = {
    {aps, read_aps}, {old_aps, read_old_aps}, {esrf, read_esrf}, {old_esrf, read_old_esrf}};

}  // namespace

bool is_other_result(const fs::path& path) {
    std::error_code failure;
    if (!fs::is_regular_file(path, failure) || !io::is_hdf5(path)) return false;
    const h5::Lock lock(kept_name(path.string()));
    if (H5Fis_hdf5(path.c_str()) <= 0) return false;
    const h5::Handle file = h5::open_file(path);
    return std::ranges::any_of(layouts, [&file](const Layout& one) { return h5::exists(file, one.object); });
}

Run read_other_result(const fs::path& path) {
    const h5::Lock lock;
    const OpenFile file{h5::open_file(path), path.string()};
    for (const Layout& one : layouts) {
        if (!file.has(one.object)) continue;
        Run run = one.read(file);
        run.request.from_file = fs::absolute(path).string();
        run.files = {io::record_of(path)};
        if (!run.variant.computes("g2_err"))
            run.result.warnings.emplace_back("the file has no errors of g2");
        else
            run.result.warnings.emplace_back(
                "errors of fitted parameters follow from the errors of g2 alone: where values at different "
                "delays are correlated, they are too small");
        return run;
    }
    throw Error(ErrorKind::input, "expected g2 in the layout of APS 8-ID or ESRF", file.name);
}

}  // namespace ks::xpcs
