#include "core/particles/analysis.h"

#include "core/base/error.h"
#include "core/io/files/atomic_file.h"
#include "core/io/hdf5/hdf5_write.h"
#include "core/particles/result.h"
#include "core/record/run_record.h"

namespace ks::particles {
namespace {

const std::string home = "/entry/data", home_of_points = "/entry/targets", place_prefix = "target_";

/// A coordinate of targets at points.
bool is_place(const Dataset& dataset) {
    return dataset.name.starts_with(place_prefix);
}

/// Throws if a dataset needed for the table is missing or has the wrong size.
void require_whole(const Result& result) {
    const TargetKind kind = target_kind(result);
    const std::string name = kind == TargetKind::planes ? "potential_xy" : "potential";
    const Dataset* const first = result.find(name);
    std::vector<std::size_t> shape = (first ? *first : result.at(name + "_re")).values.shape();
    if (kind != TargetKind::points)
        shape.assign(kind == TargetKind::planes ? 2 : 3, result.at("x").values.size());
    for (const Dataset& dataset : result.datasets)
        if ((dataset.kind != DataKind::axis || is_place(dataset)) && dataset.values.shape() != shape)
            throw Error(ErrorKind::run,
                        "the dataset " + dataset.name + " does not have the same shape as the others");
}

/// Signal and axes of a group: those of the first dataset, and all others with the same axes.
void write_signals(io::h5::Writer& writer, const std::string& group,
                   const std::vector<const Dataset*>& datasets) {
    writer.attribute(group, "signal", datasets.front()->name);
    if (!datasets.front()->axes.empty() && !datasets.front()->axes.front().empty())
        writer.attribute(group, "axes", datasets.front()->axes);
    std::vector<std::string> others;
    for (std::size_t i = 1; i < datasets.size(); ++i)
        if (datasets[i]->axes == datasets.front()->axes) others.push_back(datasets[i]->name);
    if (!others.empty()) writer.attribute(group, "auxiliary_signals", others);
}

/// The datasets of each plane as a group of links: viewers plot an NXdata with one pair of axes.
void write_planes(io::h5::Writer& writer, const std::vector<const Dataset*>& datasets) {
    for (const char* const plane : {"xy", "xz", "yz"}) {
        const std::vector<std::string> axes{std::string(1, plane[0]), std::string(1, plane[1])};
        std::vector<const Dataset*> here;
        for (const Dataset* const dataset : datasets)
            if (dataset->axes == axes) here.push_back(dataset);
        if (here.empty()) continue;
        const std::string group = std::string("/entry/") + plane;
        writer.group(group, "NXdata");
        for (const std::string& axis : axes) writer.link(group + "/" + axis, home + "/" + axis);
        for (const Dataset* const dataset : here)
            writer.link(group + "/" + dataset->name, home + "/" + dataset->name);
        write_signals(writer, group, here);
    }
}

/// The sums linked next to the coordinates of their targets: viewers show a scatter plot.
void describe_points(io::h5::Writer& writer, const std::vector<const Dataset*>& datasets) {
    writer.group(home_of_points, "NXdata");
    for (const Dataset* const dataset : datasets)
        writer.link(home_of_points + "/" + dataset->name, home + "/" + dataset->name);
    write_signals(writer, home_of_points, datasets);
    writer.attribute(home_of_points, "axes", std::vector<std::string>{"x", "y"});
    writer.attribute(home_of_points, "x_indices", std::int64_t{0});
    writer.attribute(home_of_points, "y_indices", std::int64_t{0});
}

}  // namespace

void write_run(const Run& run, const std::filesystem::path& out, bool overwrite, Progress& progress) {
    io::AtomicFile file(out, overwrite);
    io::h5::Writer writer(file.temporary(), out.string(), &progress);
    writer.group("/entry", "NXentry");
    writer.group(home, "NXdata");
    io::write_origin(writer, run, "data");
    io::DatasetPaths placed;
    std::vector<const Dataset*> signals;
    for (const Dataset& dataset : run.result.datasets) {
        const std::string path = is_place(dataset)
                                     ? home_of_points + "/" + dataset.name.substr(place_prefix.size())
                                     : home + "/" + dataset.name;
        placed[dataset.name] = path;
        writer.array(path, Array::of<double>(dataset.values.shape(), dataset.values.to_doubles()),
                     dataset.unit);
        writer.attribute(path, "long_name", dataset.title);
        if (dataset.kind == DataKind::axis) continue;
        signals.push_back(&dataset);
    }
    if (signals.empty()) throw Error(ErrorKind::run, "the run has no potentials", out.string());
    write_signals(writer, home, signals);
    if (target_kind(run.result) == TargetKind::planes) write_planes(writer, signals);
    if (run.result.find(place_prefix + "x") != nullptr) describe_points(writer, signals);
    io::write_run_record(writer, run, placed);
    writer.close();
    file.commit(progress);
}

Run read_run(const std::filesystem::path& file) {
    Run run = io::read_run_of(file, "particles");
    try {
        require_whole(run.result);
    } catch (const Error& error) {
        throw Error(ErrorKind::input, "the saved run is damaged: " + error.message(),
                    file.string() + "::" + home);
    }
    return run;
}

}  // namespace ks::particles
