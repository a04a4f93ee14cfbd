#include "core/clusters/analysis.h"

#include <array>
#include <charconv>

#include "core/base/error.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/data_name.h"
#include "core/io/hdf5/hdf5_write.h"
#include "core/record/run_record.h"
#include "core/record/run_table.h"

namespace ks::clusters {
namespace {

constexpr std::size_t report_every = 65536;  // rows

/// A number and a separator, as the shortest text that reads back as the same value.
template <class T>
void append(std::string& text, T value, char then) {
    std::array<char, 40> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text.append(digits.data(), end);
    text += then;
}

/// Column `name` of a result, or null if it has none.
const Array* column(const Result& result, const char* name) {
    const Dataset* dataset = result.find(name);
    return dataset == nullptr ? nullptr : &dataset->values;
}

std::uint64_t whole(const Array& values, std::size_t row) {
    return visit_element(values.type(), [&](auto zero) {
        return static_cast<std::uint64_t>(values.as<decltype(zero)>()[row]);
    });
}

void write_labels(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress) {
    const auto labels = run.result.at("label").values.as<std::int32_t>();
    const Array& modules = run.result.at("digi_module").values;
    const Array* const events = column(run.result, "digi_event");
    std::string text = events == nullptr ? "index,module,label\n" : "index,module,label,event\n";
    for (std::size_t row = 0; row < labels.size(); ++row) {
        if (row % report_every == 0)
            progress.report(static_cast<double>(row) / static_cast<double>(labels.size()), "write");
        append(text, row, ',');
        append(text, whole(modules, row), ',');
        append(text, labels[row], events == nullptr ? '\n' : ',');
        if (events != nullptr) append(text, whole(*events, row), '\n');
    }
    io::write_run_table(run, out, text, overwrite, progress);
}

struct Place {
    const char *dataset, *path;
};
constexpr Place places[] = {{"label", "/entry/digis/label"},
                            {"digi_module", "/entry/digis/module"},
                            {"digi_event", "/entry/digis/event"},
                            {"cluster_label", "/entry/clusters/label"},
                            {"cluster_size", "/entry/clusters/size"},
                            {"cluster_charge", "/entry/clusters/charge"},
                            {"cluster_x", "/entry/clusters/x"},
                            {"cluster_y", "/entry/clusters/y"},
                            {"cluster_xmin", "/entry/clusters/xmin"},
                            {"cluster_xmax", "/entry/clusters/xmax"},
                            {"cluster_ymin", "/entry/clusters/ymin"},
                            {"cluster_ymax", "/entry/clusters/ymax"},
                            {"module_id", "/entry/modules/module"},
                            {"module_event", "/entry/modules/event"},
                            {"module_start", "/entry/modules/start"},
                            {"module_digis", "/entry/modules/digis"},
                            {"module_clusters", "/entry/modules/clusters"}};

void describe(io::h5::Writer& out, const Run& run) {
    out.group("/entry", "NXentry");
    out.group("/entry/digis", "NXdata");
    out.group("/entry/clusters", "NXdata");
    out.group("/entry/modules", "NXdata");
    io::write_origin(out, run, "clusters");
    out.attribute("/entry/digis", "signal", "label");
    out.attribute("/entry/modules", "signal", "digis");
    // A scatter plot of the clusters on their modules.
    out.attribute("/entry/clusters", "signal", "charge");
    out.attribute("/entry/clusters", "axes", std::vector<std::string>{"x", "y"});
    out.attribute("/entry/clusters", "x_indices", std::int64_t{0});
    out.attribute("/entry/clusters", "y_indices", std::int64_t{0});
}

void write_hdf5(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress) {
    const std::vector<Cluster> clusters = clusters_of(run.result);
    io::AtomicFile file(out, overwrite);
    io::h5::Writer writer(file.temporary(), out.string(), &progress);
    describe(writer, run);
    io::DatasetPaths placed;
    for (const Place& place : places) {
        const Dataset* dataset = run.result.find(place.dataset);
        if (dataset == nullptr) continue;
        placed[place.dataset] = place.path;
        writer.array(place.path, dataset->values, dataset->unit);
        writer.attribute(place.path, "long_name", dataset->title);
    }
    // Follows from the other columns; included for readers that use the table alone.
    std::vector<std::uint64_t> modules;
    std::vector<std::uint32_t> events;
    for (const Cluster& cluster : clusters) {
        modules.push_back(cluster.module);
        events.push_back(cluster.event);
    }
    writer.array("/entry/clusters/module", Array::of<std::uint64_t>({modules.size()}, modules));
    if (column(run.result, "digi_event") != nullptr)
        writer.array("/entry/clusters/event", Array::of<std::uint32_t>({events.size()}, events));
    io::write_run_record(writer, run, placed);
    writer.close();
    file.commit(progress);
}

}  // namespace

void write_run(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress) {
    if (io::suffix_of(out) == ".csv")
        write_labels(run, out, overwrite, progress);
    else
        write_hdf5(run, out, overwrite, progress);
}

void write_table(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress) {
    const bool events = column(run.result, "digi_event") != nullptr;
    std::string text = "label,module,size,charge,x,y,xmin,xmax,ymin,ymax";
    text += events ? ",event\n" : "\n";
    std::size_t rows = 0;
    for (const Cluster& cluster : clusters_of(run.result)) {
        if (rows++ % report_every == 0) progress.check();
        append(text, cluster.label, ',');
        append(text, cluster.module, ',');
        append(text, cluster.size, ',');
        append(text, cluster.charge, ',');
        append(text, cluster.x, ',');
        append(text, cluster.y, ',');
        append(text, cluster.xmin, ',');
        append(text, cluster.xmax, ',');
        append(text, cluster.ymin, ',');
        append(text, cluster.ymax, events ? ',' : '\n');
        if (events) append(text, cluster.event, '\n');
    }
    io::write_run_table(run, out, text, overwrite, progress);
}

Run read_run(const std::filesystem::path& file) {
    Run run = io::read_run_of(file, "clusters");
    try {
        clusters_of(run.result);
    } catch (const Error& error) {
        throw Error(ErrorKind::input, "the saved run is damaged: " + error.message(),
                    file.string() + "::/entry/clusters/" + error.where());
    }
    return run;
}

}  // namespace ks::clusters
