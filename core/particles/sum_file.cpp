#include "core/particles/sum_file.h"

#include <string>
#include <vector>

#include "core/io/atomic_file.h"
#include "core/io/hdf5_write.h"
#include "core/io/run_record.h"
#include "core/particles/result.h"
#include "core/run/error.h"

namespace ks::particles {
namespace {

const std::string home = "/entry/data";

/// Throws where what a table needs is not there, or not of its size.
void require_whole(const Result& result) {
    const TargetKind kind = target_kind(result);
    const std::string name = kind == TargetKind::planes ? "potential_xy" : "potential";
    const Dataset* const first = result.find(name);
    std::vector<std::size_t> shape = (first ? *first : result.at(name + "_re")).values.shape();
    if (kind != TargetKind::points)
        shape.assign(kind == TargetKind::planes ? 2 : 3, result.at("x").values.size());
    for (const Dataset& dataset : result.datasets)
        if (dataset.kind != DataKind::axis && dataset.values.shape() != shape)
            throw Error(ErrorKind::run, "expected the same shape as the others have", dataset.name);
}

}  // namespace

void write_run(const Run& run, const std::filesystem::path& out, bool overwrite) {
    io::AtomicFile file(out, overwrite);
    io::h5::Writer writer(file.temporary(), out.string());
    writer.group("/entry", "NXentry");
    writer.group(home, "NXdata");
    writer.attribute("/", "default", "entry");
    writer.attribute("/entry", "default", "data");
    writer.text("/entry/program_name", "Kernelscope");
    writer.attribute("/entry/program_name", "version", run.version);
    if (!run.started.empty()) writer.text("/entry/start_time", run.started);
    io::DatasetPaths placed;
    std::vector<std::string> signals;
    for (const Dataset& dataset : run.result.datasets) {
        const std::string path = home + "/" + dataset.name;
        placed[dataset.name] = path;
        writer.array(path, Array::of<double>(dataset.values.shape(), dataset.values.to_doubles()),
                     dataset.unit);
        writer.attribute(path, "long_name", dataset.title);
        if (dataset.kind == DataKind::axis) continue;
        signals.push_back(dataset.name);
    }
    if (signals.empty()) throw Error(ErrorKind::run, "the run has no potentials", out.string());
    writer.attribute(home, "signal", signals.front());
    if (signals.size() > 1)
        writer.attribute(home, "auxiliary_signals",
                         std::vector<std::string>(signals.begin() + 1, signals.end()));
    if (target_kind(run.result) != TargetKind::points)
        writer.attribute(home, "axes", run.result.at(signals.front()).axes);
    io::write_run_record(writer, run, placed);
    writer.close();
    file.commit();
}

Run read_run(const std::filesystem::path& file) {
    Run run = io::read_run_record(file);
    if (run.request.analysis != "particles")
        throw Error(ErrorKind::input,
                    "expected a saved run of particles, found one of " + run.request.analysis, file.string());
    try {
        require_whole(run.result);
    } catch (const Error& error) {
        throw Error(ErrorKind::input, "the saved run is damaged: " + error.message(),
                    file.string() + "::" + home);
    }
    return run;
}

}  // namespace ks::particles
