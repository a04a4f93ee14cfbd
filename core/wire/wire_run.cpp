#include <algorithm>
#include <limits>

#include "core/base/json_number.h"
#include "core/wire/wire.h"
#include "core/wire/wire_guard.h"

namespace ks::wire {
namespace {

using nlohmann::json;

/// Facts are free JSON: numbers that JSON does not know are put in the form of json_number, and back.
json facts_out(const json& facts) {
    if (facts.is_number_float()) return json_number(facts.get<double>());
    if (!facts.is_structured()) return facts;
    json copy = facts;
    for (json& child : copy) child = facts_out(child);
    return copy;
}

json facts_in(const json& facts) {
    if (is_special_number(facts)) return number_from(facts);
    if (!facts.is_structured()) return facts;
    json copy = facts;
    for (json& child : copy) child = facts_in(child);
    return copy;
}

json result_to_json(Message& message, const Result& result) {
    json j = json::object();
    j["datasets"] = json::array();
    for (const Dataset& dataset : result.datasets) {
        json d = json::object();
        d["name"] = dataset.name;
        d["title"] = dataset.title;
        d["unit"] = dataset.unit;
        d["kind"] = name_of(dataset.kind);
        d["values"] = put(message, dataset.values);
        d["axes"] = dataset.axes;
        d["errors"] = dataset.errors;
        j["datasets"].push_back(std::move(d));
    }
    j["facts"] = facts_out(result.facts);
    j["warnings"] = result.warnings;
    return j;
}

Result result_from(const Message& message, const json& j) {
    Result result;
    for (const json& d : j.at("datasets"))
        result.datasets.push_back({.name = text_from(d, "name"),
                                   .title = text_from(d, "title"),
                                   .unit = text_from(d, "unit"),
                                   .kind = data_kind_from(text_from(d, "kind")),
                                   .values = get_array(message, d.at("values")),
                                   .axes = d.at("axes").get<std::vector<std::string>>(),
                                   .errors = text_from(d, "errors")});
    result.facts = facts_in(j.at("facts"));
    result.warnings = j.at("warnings").get<std::vector<std::string>>();
    return result;
}

json build_to_json(const BuildLog& build) {
    json j = json::object();
    j["source_file"] = build.source_file;
    j["options"] = build.options;
    j["log"] = build.log;
    j["ok"] = build.ok;
    j["cache"] = build.cache;
    j["text_hash"] = build.text_hash;
    j["entry_points"] = build.entry_points;
    return j;
}

BuildLog build_from(const json& j) {
    BuildLog build{text_from(j, "source_file"), text_from(j, "options"), text_from(j, "log"),
                   j.at("ok").get<bool>(), text_from(j, "cache")};
    // absent in what older versions saved
    if (j.contains("text_hash")) build.text_hash = text_from(j, "text_hash");
    if (j.contains("entry_points")) build.entry_points = j.at("entry_points").get<std::vector<std::string>>();
    return build;
}

}  // namespace

json put(Message& message, const Array& array) {
    json j = json::object();
    j["blob"] = message.blobs.size();
    j["type"] = name_of(array.type());
    j["shape"] = array.shape();
    message.blobs.emplace_back(array.bytes().begin(), array.bytes().end());
    return j;
}

Array get_array(const Message& message, const json& j) {
    return guarded("an array", [&] {
        const auto index = count_from<std::size_t>(j.at("blob"));
        if (index >= message.blobs.size())
            throw Error(ErrorKind::run, "an array is in blob " + std::to_string(index) +
                                            ", and the message has " + std::to_string(message.blobs.size()));
        const std::vector<std::byte>& blob = message.blobs[index];
        const ElementType type = element_type_from(text_from(j, "type"));
        std::vector<std::size_t> shape;
        for (const json& length : j.at("shape")) shape.push_back(count_from<std::size_t>(length));
        // The product with every length 0 taken as 1 bounds all partial products.
        std::size_t bound = size_of(type), bytes = bound;
        for (const std::size_t length : shape) {
            if (length > 1 && bound > std::numeric_limits<std::size_t>::max() / length)
                throw Error(ErrorKind::run, "the shape of an array is too large: " + j.at("shape").dump());
            bound *= std::max<std::size_t>(length, 1);
            bytes *= length;
        }
        if (bytes != blob.size())
            throw Error(ErrorKind::run, "an array of shape " + j.at("shape").dump() + " and type " +
                                            name_of(type) + " has " + std::to_string(bytes) +
                                            " bytes, and its blob " + std::to_string(blob.size()));
        Array array(type, std::move(shape));
        std::copy(blob.begin(), blob.end(), array.bytes().begin());
        return array;
    });
}

json put(Message& message, const Request& request) {
    json j = json::object();
    j["analysis"] = request.analysis;
    j["variant"] = request.variant;
    j["device"] = request.device;
    j["inputs"] = json::object();
    for (const auto& [role, input] : request.inputs) {
        json& i = j["inputs"][role] = json::object();
        i["name"] = input.name;
        if (input.values) i["values"] = put(message, *input.values);
    }
    j["parameters"] = ks::to_json(request.parameters);
    j["defines"] = request.defines;
    j["kernel_source"] = request.kernel_source;
    j["kernel_file"] = request.kernel_file;
    j["memory_limit"] = request.memory_limit;
    j["check"] = name_of(request.check);
    return j;
}

Request get_request(const Message& message, const json& j) {
    return guarded("a request", [&] {
        Request request;
        request.analysis = text_from(j, "analysis");
        request.variant = text_from(j, "variant");
        request.device = text_from(j, "device");
        for (const auto& [role, i] : j.at("inputs").items()) {
            InputRef& input = request.inputs[role];
            input.name = text_from(i, "name");
            if (i.contains("values")) input.values = get_array(message, i.at("values"));
        }
        request.parameters = parameter_set_from(j.at("parameters"));
        request.defines = j.at("defines").get<std::map<std::string, std::string>>();
        request.kernel_source = text_from(j, "kernel_source");
        if (j.contains("kernel_file")) request.kernel_file = text_from(j, "kernel_file");
        request.memory_limit = count_from<std::uint64_t>(j.at("memory_limit"));
        request.check = check_mode_from(text_from(j, "check"));
        return request;
    });
}

json put(Message& message, const Run& run) {
    json j = json::object();
    j["request"] = put(message, run.request);
    j["variant"] = to_json(run.variant);
    j["device"] = to_json(run.device);
    j["result"] = result_to_json(message, run.result);
    j["timings"] = json::array();
    for (const Timing& timing : run.timings) j["timings"].push_back(to_json(timing));
    j["builds"] = json::array();
    for (const BuildLog& build : run.builds) j["builds"].push_back(build_to_json(build));
    j["verdict"] = to_json(run.verdict);
    j["wall_nanoseconds"] = run.wall_nanoseconds;
    j["device_bytes_peak"] = run.device_bytes_peak;
    j["started"] = run.started;
    j["version"] = run.version;
    return j;
}

Run get_run(const Message& message, const json& j) {
    return guarded("a run", [&] {
        Run run;
        run.request = get_request(message, j.at("request"));
        run.variant = variant_from(j.at("variant"));
        run.device = device_info_from(j.at("device"));
        run.result = result_from(message, j.at("result"));
        for (const json& timing : j.at("timings")) run.timings.push_back(timing_from(timing));
        for (const json& build : j.at("builds")) run.builds.push_back(build_from(build));
        run.verdict = verdict_from(j.at("verdict"));
        run.wall_nanoseconds = count_from<std::uint64_t>(j.at("wall_nanoseconds"));
        run.device_bytes_peak = count_from<std::uint64_t>(j.at("device_bytes_peak"));
        run.started = text_from(j, "started");
        run.version = text_from(j, "version");
        return run;
    });
}

}  // namespace ks::wire
