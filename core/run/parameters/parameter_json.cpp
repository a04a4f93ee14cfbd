#include <array>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/run/parameter_spec.h"

namespace ks {
namespace {

constexpr std::array<const char*, 5> type_names{"boolean", "integer", "real", "choice", "text"};

}  // namespace

const char* name_of(ParameterType type) {
    return type_names[static_cast<std::size_t>(type)];
}

ParameterType parameter_type_from(const std::string& name) {
    for (std::size_t i = 0; i < type_names.size(); ++i)
        if (name == type_names[i]) return static_cast<ParameterType>(i);
    throw Error(ErrorKind::run, "unknown parameter type \"" + name + "\"");
}

const char* name_of(SliderScale scale) {
    return scale == SliderScale::linear ? "linear" : "logarithmic";
}

SliderScale slider_scale_from(const std::string& name) {
    for (const SliderScale scale : {SliderScale::linear, SliderScale::logarithmic})
        if (name == name_of(scale)) return scale;
    throw Error(ErrorKind::run, "unknown slider scale \"" + name + "\"");
}

nlohmann::json to_json(const ParameterSet& set) {
    return JsonWriter(nullptr).write(set);
}

ParameterSet parameter_set_from(const nlohmann::json& object) {
    if (!object.is_object())
        throw Error(ErrorKind::run, "expected an object of parameters, found " + dump_json(object));
    return from_json<ParameterSet>(object, "a set of parameters");
}

}  // namespace ks
