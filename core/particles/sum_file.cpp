#include "core/particles/sum_file.h"

#include <array>
#include <charconv>
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

bool on_planes(const Result& result) {
    return result.find("x") != nullptr;
}

/// A number and a separator, the shortest text that reads back as the same value.
template <class T>
void append(std::string& text, T value, char then) {
    std::array<char, 40> digits{};
    text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
    text += then;
}

/// The datasets of one potential: itself, or real and imaginary part.
std::vector<const Dataset*> parts_of(const Result& result, const std::string& name) {
    if (const Dataset* real = result.find(name)) return {real};
    return {&result.at(name + "_re"), &result.at(name + "_im")};
}

void append_values(std::string& text, const std::vector<const Dataset*>& parts, std::size_t at) {
    for (const Dataset* part : parts) {
        const char then = part == parts.back() ? '\n' : ',';
        if (part->values.type() == ElementType::f32)
            append(text, part->values.as<float>()[at], then);
        else
            append(text, part->values.as<double>()[at], then);
    }
}

void append_plane(std::string& text, const Run& run, const std::string& plane) {
    const auto parts = parts_of(run.result, "potential_" + plane);
    const auto along = run.result.at("x").values.as<double>();
    const char normal = plane == "xy" ? 'z' : plane == "xz" ? 'y' : 'x';
    const double fixed = real(run.request.parameters, plane + "_at");
    for (std::size_t i = 0; i < along.size(); ++i)
        for (std::size_t j = 0; j < along.size(); ++j) {
            text.append(plane) += ',';
            append(text, i, ',');
            append(text, j, ',');
            bool first = true;
            for (const char axis : {'x', 'y', 'z'}) {
                append(text, axis == normal ? fixed : first ? along[i] : along[j], ',');
                if (axis != normal) first = false;
            }
            append_values(text, parts, i * along.size() + j);
        }
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
    if (on_planes(run.result)) writer.attribute(home, "axes", run.result.at(signals.front()).axes);
    io::write_run_record(writer, run, placed);
    writer.close();
    file.commit();
}

void write_table(const Run& run, const std::filesystem::path& out, bool overwrite) {
    const bool planes = on_planes(run.result);
    const std::string name = potential_names(planes).front();
    const std::string values = parts_of(run.result, name).size() == 1 ? "value\n" : "value_re,value_im\n";
    std::string text = (planes ? "plane,i,j,x,y,z," : "index,") + values;
    if (planes) {
        for (const char* plane : {"xy", "xz", "yz"}) append_plane(text, run, plane);
    } else {
        const auto parts = parts_of(run.result, name);
        for (std::size_t t = 0; t < parts.front()->values.size(); ++t) {
            append(text, t, ',');
            append_values(text, parts, t);
        }
    }
    io::write_text(out, text, overwrite);
}

Run read_run(const std::filesystem::path& file) {
    Run run = io::read_run_record(file);
    if (run.request.analysis != "particles")
        throw Error(ErrorKind::input,
                    "expected a saved run of particles, found one of " + run.request.analysis, file.string());
    try {
        for (const std::string& name : potential_names(on_planes(run.result))) parts_of(run.result, name);
    } catch (const Error& error) {
        throw Error(ErrorKind::input, "the saved run is damaged: " + error.message(),
                    file.string() + "::" + home);
    }
    return run;
}

}  // namespace ks::particles
