#include "core/xpcs/files/wide_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

#include "core/base/error.h"
#include "core/data/short_number.h"
#include "core/record/run_table.h"
#include "core/xpcs/correlation.h"

namespace ks::xpcs {
namespace {

/// The delays of a run with `count` of them, and their unit: without a frame time, frames of the file.
struct Delays {
    std::vector<double> values;
    std::string unit;
};

Delays shown_delays(const Run& run, std::size_t count) {
    const Dataset* const seconds = run.result.find("delay_time");
    Delays delays = seconds != nullptr ? Delays{seconds->values.to_doubles(), seconds->unit}
                                       : Delays{delays_of(run.result), "frames"};
    if (seconds == nullptr)
        for (double& one : delays.values) one *= frames_per_delay(run);
    if (delays.values.size() != count) throw Error(ErrorKind::run, "g2 and its delays have different shapes");
    return delays;
}

void put(std::string& text, double value) {
    if (std::isfinite(value)) fmt::format_to(std::back_inserter(text), "{}", value);
}

/// " bin 3 (q = 0.00123 1/angstrom)"
std::string name_of_bin(std::size_t bin, const Dataset* q, const std::vector<double>& values) {
    std::string text = fmt::format(" bin {}", bin + 1);
    if (bin < values.size() && std::isfinite(values[bin]))
        fmt::format_to(std::back_inserter(text), " (q = {:.6g} {})", values[bin], q->unit);
    return text;
}

}  // namespace

std::vector<std::size_t> bins_with_values(const Array& g2) {
    const std::size_t bins = g2.shape()[0], delays = g2.shape()[1];
    const std::vector<double> values = g2.to_doubles();
    std::vector<std::size_t> found;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(bin * delays);
        if (std::any_of(first, first + static_cast<std::ptrdiff_t>(delays),
                        [](double value) { return !std::isnan(value); }))
            found.push_back(bin);
    }
    return found;
}

std::string wide_csv(const Run& run) {
    const Array &g2 = run.result.at("g2").values, &g2_err = run.result.at("g2_err").values;
    if (g2.rank() != 2 || g2.shape() != g2_err.shape())
        throw Error(ErrorKind::run, "expected g2 and its error as [bin][delay] of the same shape");
    const std::size_t count = g2.shape()[1];
    const std::vector<std::size_t> bins = bins_with_values(g2);
    const std::vector<double> values = g2.to_doubles(), errors = g2_err.to_doubles();
    const Delays delays = shown_delays(run, count);
    const Dataset* const q = run.result.find("q");
    const std::vector<double> q_values = q != nullptr ? q->values.to_doubles() : std::vector<double>();
    std::string text = fmt::format("delay ({})", delays.unit);
    for (const std::size_t bin : bins) {
        const std::string name = name_of_bin(bin, q, q_values);
        text += ",g2" + name + ",g2_err" + name;
    }
    for (std::size_t i = 0; i < count; ++i) {
        text += '\n';
        // A multiple of the frame time, which is not to end in 0000000002.
        text += short_number(delays.values[i]);
        for (const std::size_t bin : bins) {
            text += ',';
            put(text, values[bin * count + i]);
            text += ',';
            put(text, errors[bin * count + i]);
        }
    }
    return text += '\n';
}

void write_wide_csv(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress) {
    io::write_run_table(run, out, wide_csv(run), overwrite, progress);
}

}  // namespace ks::xpcs
