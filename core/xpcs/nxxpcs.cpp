#include "core/xpcs/analysis.h"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <limits>

#include "core/base/error.h"
#include "core/io/files/atomic_file.h"
#include "core/io/hdf5/hdf5_write.h"
#include "core/record/run_record.h"
#include "core/record/run_table.h"
#include "core/xpcs/files/wide_csv.h"

namespace ks::xpcs {
namespace {

/// The location of a result's dataset in NXxpcs.
struct Place {
    const char *name, *path;
    bool transposed;  ///< [bin][delay] in memory, [delay, bin] in the file
    bool compress;
};
constexpr Place places[] = {{"g2", "/entry/data/g2", true, false},
                            {"g2_err", "/entry/data/g2_derr", true, false},
                            {"g2_scatter", "/entry/data/g2_scatter", true, false},
                            {"delay", "/entry/data/delay_difference", false, false},
                            {"delay_time", "/entry/data/delay_time", false, false},
                            {"label", "/entry/data/label", false, false},
                            {"labels", "/entry/instrument/masks/dynamic_roi_map", false, true},
                            {"q", "/entry/instrument/masks/dynamic_q_list", false, false},
                            {"phi", "/entry/instrument/masks/dynamic_phi_list", false, false},
                            {"pairs", "/entry/pairs/products", false, false},
                            {"pair_sums", "/entry/pairs/sums", false, false},
                            {"pair_pixels", "/entry/pairs/pixels", false, false},
                            {"pair_used", "/entry/pairs/used", false, false},
                            {"fit_g2", "/entry/fit/g2", true, false},
                            {"fit_residuals", "/entry/fit/residuals", true, false},
                            {"fit_values", "/entry/fit/values", false, false},
                            {"fit_errors", "/entry/fit/errors", false, false},
                            {"fit_covariance", "/entry/fit/covariance", false, false},
                            {"fit_tau", "/entry/fit/tau", false, false},
                            {"fit_tau_errors", "/entry/fit/tau_errors", false, false},
                            {"fit_chi2_red", "/entry/fit/chi2_red", false, false},
                            {"fit_degrees_of_freedom", "/entry/fit/degrees_of_freedom", false, false},
                            {"fit_aic", "/entry/fit/aic", false, false},
                            {"fit_state", "/entry/fit/state", false, false},
                            {"fit_points", "/entry/fit/points", false, false},
                            {"fit_left_out", "/entry/fit/left_out", false, false},
                            {"fit_groups", "/entry/fit/groups", false, false},
                            {"fit_group_g2", "/entry/fit/group_g2", false, true},
                            {"repeat_g2", "/entry/repeats/g2", false, true},
                            {"repeat_g2_err", "/entry/repeats/g2_errors", false, true},
                            {"repeat_weighted", "/entry/repeats/weighted", false, false},
                            {"repeat_group_g2", "/entry/repeats/group_g2", false, true},
                            {"stability_g2", "/entry/stability/g2", false, true},
                            {"stability_g2_err", "/entry/stability/g2_errors", false, true},
                            {"stability_p", "/entry/stability/p", false, false},
                            {"stability_t2", "/entry/stability/t2", false, false},
                            {"stability_frame", "/entry/stability/frame", false, false},
                            {"monitor", "/entry/instrument/monitor/relative", false, false},
                            {"two_time", "/entry/twotime/two_time_corr_func", false, false}};

Array transposed(const Array& from) {
    const std::size_t rows = from.shape().at(0), columns = from.shape().at(1);
    const auto values = from.as<double>();
    std::vector<double> turned(values.size());
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) turned[j * rows + i] = values[i * columns + j];
    return Array::of<double>({columns, rows}, turned);
}

/// g2 or its error as [bin][delay]; throws ks::Error if the run is not a correlation.
const Dataset& curves(const Run& run, const std::string& name) {
    const Dataset& dataset = run.result.at(name);
    if (dataset.values.rank() != 2)
        throw Error(ErrorKind::run, fmt::format("expected {} [bin][delay], found {} dimensions", name,
                                                dataset.values.rank()));
    return dataset;
}

void describe_data(io::h5::Writer& out, const Run& run) {
    out.group("/entry/data", "NXdata");
    out.attribute("/entry/data", "signal", "g2");
    const bool seconds = run.result.find("delay_time") != nullptr;
    const bool named = run.result.find("delay") != nullptr && run.result.find("label") != nullptr;
    if (named) {
        out.attribute("/entry/data", "axes",
                      std::vector<std::string>{seconds ? "delay_time" : "delay_difference", "label"});
        out.attribute("/entry/data", "label_indices", std::int64_t{1});
        out.attribute("/entry/data", "delay_difference_indices", std::int64_t{0});
        if (seconds) out.attribute("/entry/data", "delay_time_indices", std::int64_t{0});
    }
    for (const char* name : {"g2", "g2_derr"})
        out.attribute(std::string("/entry/data/") + name, "storage_mode", "one_array");
    // NXdata finds the errors of a signal by this name; NXxpcs calls them g2_derr.
    out.link("/entry/data/g2_errors", "/entry/data/g2_derr");
    out.attribute("/entry/data/g2", "long_name", "g2");
    if (run.result.find("delay") != nullptr)
        out.attribute("/entry/data/delay_difference", "storage_mode", "one_array");
}

/// g2 again as a curve per bin, which NXdata viewers draw with its errors: /entry/data is an image to them.
void write_curves(io::h5::Writer& out, const Run& run) {
    const std::string group = "/entry/curves";
    out.group(group, "NXdata");
    out.array(group + "/g2", curves(run, "g2").values);
    out.array(group + "/g2_errors", curves(run, "g2_err").values);
    out.attribute(group, "signal", "g2");
    out.attribute(group + "/g2", "interpretation", "spectrum");
    out.attribute(group + "/g2", "long_name", "g2");
    if (run.result.find("delay") == nullptr || run.result.find("label") == nullptr) return;
    const std::string delay = run.result.find("delay_time") ? "delay_time" : "delay_difference";
    out.attribute(group, "axes", std::vector<std::string>{"label", delay});
    for (const std::string& axis : {std::string("label"), delay})
        out.link(group + "/" + axis, "/entry/data/" + axis);
}

void describe_rest(io::h5::Writer& out, const Run& run) {
    out.attribute("/", "default", "entry");
    out.attribute("/entry", "NX_class", "NXentry");
    out.attribute("/entry", "default", "curves");
    out.text("/entry/definition", "NXxpcs");
    out.text("/entry/program_name", "Kernelscope");
    out.attribute("/entry/program_name", "version", run.version);
    if (!run.started.empty()) out.text("/entry/start_time", run.started);
    out.group("/entry/instrument", "NXinstrument");
    out.group("/entry/instrument/masks", "NXnote");
    if (const auto& facts = run.result.facts;
        facts.contains("frame_time") && facts["frame_time"].is_number()) {
        out.group("/entry/instrument/detector", "NXdetector");
        out.number("/entry/instrument/detector/frame_time", facts["frame_time"].get<double>(), "s");
    }
    if (run.result.find("two_time") == nullptr) return;
    out.group("/entry/twotime", "NXdata");
    out.attribute("/entry/twotime", "signal", "two_time_corr_func");
    out.attribute("/entry/twotime/two_time_corr_func", "storage_mode", "one_array");
    out.attribute("/entry/twotime/two_time_corr_func", "baseline_reference", std::int64_t{1});
    out.attribute("/entry/twotime/two_time_corr_func", "time_origin_location", "upper_left");
    if (const auto& facts = run.result.facts;
        facts.contains("two_time_bin") && facts["two_time_bin"].is_number())
        out.number("/entry/twotime/label", facts["two_time_bin"].get<double>());
}

void describe_fit(io::h5::Writer& out, const Run& run) {
    const auto found = run.result.facts.find("fit");
    if (found == run.result.facts.end()) return;
    std::vector<std::string> names, units;
    std::vector<double> lower, upper;
    // Runs of earlier versions do not say which bounds their fits had.
    bool bounded = true;
    for (const nlohmann::json& one : found->at("parameters")) {
        names.push_back(one.at("name").get<std::string>());
        units.push_back(one.at("unit").get<std::string>());
        bounded = bounded && one.contains("lower") && one.contains("upper");
        for (const auto& [bound, all] : {std::pair("lower", &lower), std::pair("upper", &upper)})
            all->push_back(bounded && one.at(bound).is_number() ? one.at(bound).get<double>() : nan_value);
    }
    out.group("/entry/fit", "NXprocess");
    out.text("/entry/fit/program", "Kernelscope");
    out.text("/entry/fit/model", found->at("model").get<std::string>());
    out.text("/entry/fit/formula", found->at("formula").get<std::string>());
    out.text("/entry/fit/unit_of_t", found->at("unit_of_t").get<std::string>());
    out.texts("/entry/fit/parameters", names);
    out.texts("/entry/fit/parameter_units", units);
    if (bounded)
        for (const auto& [bound, all] : {std::pair("lower", &lower), std::pair("upper", &upper)})
            out.array(std::string("/entry/fit/") + bound, Array::of<double>({all->size()}, *all));
    std::vector<std::string> status;
    for (const nlohmann::json& one : found->at("bins")) status.push_back(one.at("status").get<std::string>());
    out.texts("/entry/fit/status", status);
}

void describe_stability(io::h5::Writer& out, const Run& run) {
    const auto found = run.result.facts.find("stability");
    if (found == run.result.facts.end()) return;
    std::vector<std::string> tests;
    for (const nlohmann::json& one : found->at("bins")) tests.push_back(one.at("text").get<std::string>());
    out.group("/entry/stability", "NXprocess");
    out.text("/entry/stability/program", "Kernelscope");
    out.number("/entry/stability/frames_per_segment", found->at("frames_per_segment").get<double>());
    out.texts("/entry/stability/test", tests);
}

}  // namespace

void write_nxxpcs(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress) {
    curves(run, "g2");
    curves(run, "g2_err");
    io::AtomicFile file(out, overwrite);
    io::h5::Writer writer(file.temporary(), out.string(), &progress);
    io::DatasetPaths placed;
    for (const Place& place : places) {
        const Dataset* dataset = run.result.find(place.name);
        if (dataset == nullptr) continue;
        writer.array(place.path, place.transposed ? transposed(dataset->values) : dataset->values,
                     dataset->unit, place.compress);
        placed[place.name] = place.path;
    }
    describe_data(writer, run);
    write_curves(writer, run);
    describe_rest(writer, run);
    describe_fit(writer, run);
    describe_stability(writer, run);
    io::write_run_record(writer, run, placed);
    writer.close();
    file.commit(progress);
}

Run read_nxxpcs(const std::filesystem::path& file) {
    Run run = io::read_run_of(file, "xpcs");
    for (Dataset& dataset : run.result.datasets)
        for (const Place& place : places)
            if (place.transposed && dataset.name == place.name) {
                if (dataset.values.rank() != 2 || dataset.values.type() != ElementType::f64)
                    throw Error(ErrorKind::input, "expected f64 values [delay, bin]",
                                file.string() + "::" + place.path);
                dataset.values = transposed(dataset.values);
            }
    return run;
}

void write_csv(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress) {
    const Array& g2 = curves(run, "g2").values;
    const Array& g2_err = curves(run, "g2_err").values;
    if (g2.shape() != g2_err.shape()) throw Error(ErrorKind::run, "g2 and its error have different shapes");
    const std::size_t delays = g2.shape()[1];
    const auto values = g2.as<double>(), errors = g2_err.as<double>();
    const Dataset* const q_list = run.result.find("q");
    const std::vector<double> q = q_list ? q_list->values.to_doubles() : std::vector<double>();
    const std::vector<double> at = delays_of(run.result);
    if (at.size() != delays) throw Error(ErrorKind::run, "g2 and its delays have different shapes");
    std::string text = "bin,delay,g2,g2_err,q\n";
    for (const std::size_t bin : bins_with_values(g2)) {
        progress.report(static_cast<double>(bin) / static_cast<double>(g2.shape()[0]), "write");
        const double q_of_bin = bin < q.size() ? q[bin] : std::numeric_limits<double>::quiet_NaN();
        for (std::size_t delay = 0; delay < delays; ++delay) {
            const double value = values[bin * delays + delay], error = errors[bin * delays + delay];
            fmt::format_to(std::back_inserter(text), "{},{},", bin + 1, at[delay]);
            // The sign of a NaN has no meaning, and some programs do not read "-nan".
            for (const double number : {value, error, q_of_bin}) {
                if (number != number)
                    text += "nan";
                else
                    fmt::format_to(std::back_inserter(text), "{:.17g}", number);
                text += ',';
            }
            text.back() = '\n';
        }
    }
    io::write_run_table(run, out, text, overwrite, progress);
}

}  // namespace ks::xpcs
