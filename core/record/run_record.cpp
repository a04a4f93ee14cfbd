#include "core/record/run_record.h"

#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/formats.h"
#include "core/base/json_problem.h"
#include "core/base/json_text.h"
#include "core/io/hdf5/hdf5_format.h"
#include "core/io/hdf5/saved/run_in_file.h"
#include "core/io/open_frames.h"

namespace ks::io {
namespace {

using nlohmann::json;

const std::string home = "/entry/kernelscope";
constexpr std::size_t largest_part = std::size_t{64} << 20;  ///< bytes of one text of the record
constexpr std::uint64_t most_blobs = 65536;                  ///< arrays outside the texts
constexpr const char* parts[] = {"request", "variant", "device", "result", "timings", "builds", "verdict"};

/// The run without the values of its datasets, which the file holds elsewhere.
Run without_values(const Run& run) {
    Run light;
    light.request = run.request;
    light.variant = run.variant;
    light.device = run.device;
    light.result.facts = run.result.facts;
    light.result.warnings = run.result.warnings;
    for (const Dataset& dataset : run.result.datasets)
        light.result.datasets.push_back(
            {dataset.name, dataset.title, dataset.unit, dataset.kind, Array(), dataset.axes, dataset.errors});
    light.timings = run.timings;
    light.builds = run.builds;
    light.verdict = run.verdict;
    light.wall_nanoseconds = run.wall_nanoseconds;
    light.device_bytes_peak = run.device_bytes_peak;
    light.started = run.started;
    light.version = run.version;
    light.tuned = run.tuned;
    light.devices = run.devices;
    light.files = run.files;
    return light;
}

std::string dump(const json& j) {
    return dump_json(j, 2);
}

std::string read_text(const h5::Handle& file, const std::string& file_name, const std::string& path) {
    const h5::Handle dataset = h5::open_dataset(file, file_name, path);
    const auto require_short = [&](std::size_t bytes) {
        if (bytes > largest_part)
            throw Error(ErrorKind::input,
                        fmt::format("expected a string of at most {} bytes, found {}", largest_part, bytes),
                        file_name + "::" + path);
    };
    require_short(H5Tget_size(h5::Handle(H5Dget_type(dataset))));
    const auto texts = h5::strings(dataset);
    if (!texts || texts->size() != 1)
        throw Error(ErrorKind::input,
                    texts
                        ? fmt::format("expected a single string, found {} strings", texts->size())
                        : "expected a string, found type " + h5::type_name(h5::Handle(H5Dget_type(dataset))),
                    file_name + "::" + path);
    require_short(texts->front().size());
    return texts->front();
}

/// The group of the run's record. Throws ks::Error(input) if the file holds none.
h5::Handle record_of(const h5::Handle& file, const std::string& name) {
    if (!has_run_record(file))
        throw Error(ErrorKind::input, "expected a saved run, found an HDF5 file without " + home + "/result",
                    name);
    return h5::open_object(file, name, home);
}

[[noreturn]] void refuse_damaged(const std::string& why, const std::string& name) {
    throw Error(ErrorKind::input, "the saved run is damaged: " + why, name + "::" + home);
}

/// Format 1 used numbers for absent values: 0, or for some parameters -1.
constexpr const char* zero_if_absent[] = {
    "wavelength",   "distance",   "beam_x", "beam_y", "pixel_size", "pixel_size_y", "frame_time",
    "two_time_bin", "saturation", "d_min",  "d_max",  "ice_width",  "planes",       "grid"};
constexpr const char* negative_if_absent[] = {"last_frame", "max_delay", "record"};

/// Updates the JSON of a saved run of an older format to the current one.
/// @param version stated in the file
void update_record(json& record, std::int64_t version) {
    if (version >= 2 || !record.contains("request")) return;
    json& request = record.at("request");
    if (request.contains("memory_limit") && request.at("memory_limit") == 0) request.erase("memory_limit");
    if (!request.contains("parameters")) return;
    json& parameters = request.at("parameters");
    const auto clear = [&parameters](std::span<const char* const> ids, double number) {
        for (const char* id : ids)
            if (parameters.contains(id) && parameters.at(id).is_number() && parameters.at(id) == number)
                parameters.at(id) = nullptr;
    };
    clear(zero_if_absent, 0);
    clear(negative_if_absent, -1);
}

}  // namespace

void write_origin(h5::Writer& out, const Run& run, const std::string& shown) {
    out.attribute("/", "default", "entry");
    out.attribute("/entry", "default", shown);
    out.text("/entry/program_name", "Kernelscope");
    out.attribute("/entry/program_name", "version", run.version);
    if (!run.started.empty()) out.text("/entry/start_time", run.started);
}

bool holds_run(const std::filesystem::path& path) {
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure) || !is_hdf5(path)) return false;
    const h5::Lock lock(kept_name(path.string()));
    return H5Fis_hdf5(path.c_str()) > 0 && has_run_record(h5::open_file(path));
}

std::string recorded_analysis(const std::filesystem::path& path) {
    const h5::Lock lock;
    const h5::Handle file = h5::open_file(path);
    record_of(file, path.string());
    try {
        return parse_json(read_text(file, path.string(), home + "/request"))
            .at("analysis")
            .get<std::string>();
    } catch (const json::exception& error) {
        refuse_damaged(problem_of(error), path.string());
    }
}

void write_run_record(h5::Writer& out, const Run& run, const DatasetPaths& placed) {
    out.group(home, "NXcollection");
    out.attribute(home, format_key, formats::run.version);
    Blobs blobs;
    json record = to_json(without_values(run), &blobs);
    record["request"].erase("from_file");
    for (json& dataset : record["result"]["datasets"]) {
        const std::string name = dataset.at("name").get<std::string>();
        const auto found = placed.find(name);
        dataset["path"] = found != placed.end() ? found->second : home + "/datasets/" + name;
        if (found == placed.end()) {
            const Dataset& values = run.result.at(name);
            out.array(home + "/datasets/" + name, values.values, values.unit);
        }
    }
    for (const char* part : parts) {
        out.text(home + "/" + part, dump(record.at(part)));
        record.erase(part);
    }
    out.text(home + "/driver", run.device.driver);
    record["blobs"] = blobs.size();
    out.text(home + "/run", dump(record));
    for (std::size_t i = 0; i < blobs.size(); ++i) {
        const std::vector<std::byte>& blob = blobs[i];
        if (blob.empty()) continue;
        Array bytes(ElementType::u8, {blob.size()});
        std::copy(blob.begin(), blob.end(), bytes.bytes().begin());
        out.array(home + "/blobs/" + std::to_string(i), bytes, {}, true);
    }
}

Run read_run_record(const std::filesystem::path& path) {
    const h5::Lock lock;
    const h5::Handle file = h5::open_file(path);
    const std::string name = path.string();
    const std::int64_t version =
        require_known(formats::run, h5::attribute(record_of(file, name), format_key), name + "::" + home);
    try {
        const auto part_of = [&](const std::string& part) {
            return with_bytes(parse_json(read_text(file, name, home + "/" + part)));
        };
        json record = part_of("run");
        for (const char* part : parts) record[part] = part_of(part);
        Blobs blobs(fields_detail::to_count(record.at("blobs"), most_blobs));
        for (std::size_t i = 0; i < blobs.size(); ++i) {
            const std::string at = home + "/blobs/" + std::to_string(i);
            if (!h5::exists(file, at)) continue;
            const Array bytes = read_array(name + "::" + at, 1);
            blobs[i].assign(bytes.bytes().begin(), bytes.bytes().end());
        }
        update_record(record, version);
        Run run = from_json<Run>(record, "a run", &blobs);
        run.request.from_file = std::filesystem::absolute(path).string();
        const json& datasets = record.at("result").at("datasets");
        for (std::size_t i = 0; i < run.result.datasets.size(); ++i) {
            const std::string at = datasets.at(i).at("path").get<std::string>();
            const h5::Handle dataset = h5::open_dataset(file, name, at);
            run.result.datasets[i].values = read_array(name + "::" + at, h5::shape_of(dataset).size());
        }
        return run;
    } catch (const json::exception& error) {
        refuse_damaged(problem_of(error), name);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::run) throw;
        refuse_damaged(error.message(), name);
    }
}

Run read_run_of(const std::filesystem::path& file, const std::string& analysis) {
    Run run = read_run_record(file);
    if (run.request.analysis != analysis)
        throw Error(
            ErrorKind::input,
            fmt::format("expected a saved run of {}, found one of {}", analysis, run.request.analysis),
            file.string());
    return run;
}

}  // namespace ks::io
