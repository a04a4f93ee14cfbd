#include "core/base/json_number.h"
#include "core/wire/wire.h"
#include "core/wire/wire_guard.h"

namespace ks::wire {

using nlohmann::json;

json to_json(const DeviceInfo& device) {
    json j = json::object();
    j["index"] = device.index;
    j["backend"] = device.backend;
    j["platform_name"] = device.platform_name;
    j["platform_vendor"] = device.platform_vendor;
    j["platform_version"] = device.platform_version;
    j["platform_profile"] = device.platform_profile;
    j["name"] = device.name;
    j["vendor"] = device.vendor;
    j["version"] = device.version;
    j["c_version"] = device.c_version;
    j["driver"] = device.driver;
    j["type"] = device.type;
    j["clock_mhz"] = device.clock_mhz;
    j["compute_units"] = device.compute_units;
    j["local_bytes"] = device.local_bytes;
    j["constant_bytes"] = device.constant_bytes;
    j["global_bytes"] = device.global_bytes;
    j["largest_allocation"] = device.largest_allocation;
    j["largest_work_group"] = device.largest_work_group;
    j["extensions"] = device.extensions;
    j["fp64"] = device.fp64;
    return j;
}

DeviceInfo device_info_from(const json& j) {
    return guarded("a device", [&] {
        DeviceInfo device;
        device.index = j.at("index").get<int>();
        device.backend = text_from(j, "backend");
        device.platform_name = text_from(j, "platform_name");
        device.platform_vendor = text_from(j, "platform_vendor");
        device.platform_version = text_from(j, "platform_version");
        device.platform_profile = text_from(j, "platform_profile");
        device.name = text_from(j, "name");
        device.vendor = text_from(j, "vendor");
        device.version = text_from(j, "version");
        device.c_version = text_from(j, "c_version");
        device.driver = text_from(j, "driver");
        device.type = text_from(j, "type");
        device.clock_mhz = count_from<std::uint32_t>(j.at("clock_mhz"));
        device.compute_units = count_from<std::uint32_t>(j.at("compute_units"));
        device.local_bytes = count_from<std::uint64_t>(j.at("local_bytes"));
        device.constant_bytes = count_from<std::uint64_t>(j.at("constant_bytes"));
        device.global_bytes = count_from<std::uint64_t>(j.at("global_bytes"));
        device.largest_allocation = count_from<std::uint64_t>(j.at("largest_allocation"));
        device.largest_work_group = count_from<std::uint64_t>(j.at("largest_work_group"));
        device.extensions = j.at("extensions").get<std::vector<std::string>>();
        device.fp64 = j.at("fp64").get<bool>();
        return device;
    });
}

json to_json(const Verdict& verdict) {
    json j = json::object();
    j["state"] = name_of(verdict.state);
    j["samples"] = verdict.samples;
    j["worst_error"] = json_number(verdict.worst_error);
    j["tolerance"] = json_number(verdict.tolerance);
    j["where"] = verdict.where;
    j["text"] = verdict.text;
    return j;
}

Verdict verdict_from(const json& j) {
    return guarded("a verdict", [&] {
        Verdict verdict;
        verdict.state = verdict_state_from(text_from(j, "state"));
        verdict.samples = count_from<std::uint64_t>(j.at("samples"));
        verdict.worst_error = number_from(j.at("worst_error"));
        verdict.tolerance = number_from(j.at("tolerance"));
        verdict.where = text_from(j, "where");
        verdict.text = text_from(j, "text");
        return verdict;
    });
}

json to_json(const Timing& timing) {
    json j = json::object();
    j["stage"] = timing.stage;
    j["kind"] = name_of(timing.kind);
    j["nanoseconds"] = timing.nanoseconds;
    j["bytes"] = timing.bytes;
    j["operations"] = timing.operations;
    j["launches"] = timing.launches;
    return j;
}

Timing timing_from(const json& j) {
    return guarded("a timing", [&] {
        Timing timing;
        timing.stage = text_from(j, "stage");
        timing.kind = stage_kind_from(text_from(j, "kind"));
        timing.nanoseconds = count_from<std::uint64_t>(j.at("nanoseconds"));
        timing.bytes = count_from<std::uint64_t>(j.at("bytes"));
        timing.operations = count_from<std::uint64_t>(j.at("operations"));
        timing.launches = count_from<std::uint64_t>(j.at("launches"));
        return timing;
    });
}

json to_json(const Error& error) {
    json j = json::object();
    j["kind"] = name_of(error.kind());
    j["message"] = error.message();
    j["where"] = error.where();
    j["hint"] = error.hint();
    j["details"] = error.details();
    return j;
}

Error error_from(const json& j) {
    return guarded("an error", [&] {
        return Error(error_kind_from(text_from(j, "kind")), text_from(j, "message"), text_from(j, "where"),
                     text_from(j, "hint"), text_from(j, "details"));
    });
}

}  // namespace ks::wire
