#include "core/devices/ceilings.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/quantile.h"

namespace ks {
double Ceiling::median() const {
    return at_quantile(0.5);
}

double Ceiling::at_quantile(double q) const {
    return quantile(samples, q);
}

const Ceiling* Ceilings::find(const std::string& id) const {
    const auto at = std::ranges::find(values, id, &Ceiling::id);
    return at == values.end() ? nullptr : &*at;
}

double Ceilings::median(const std::string& id) const {
    const Ceiling* ceiling = find(id);
    return ceiling == nullptr ? std::numeric_limits<double>::quiet_NaN() : ceiling->median();
}

Ceilings ceilings_from(const nlohmann::json& json) {
    if (json.contains(format_key))
        require_known(formats::ceilings, dump_json(json.at(format_key)), "ceilings");
    Ceilings ceilings = from_json<Ceilings>(json, "ceilings");
    const auto sound = [](double value) { return std::isfinite(value) && value > 0; };
    for (const Ceiling& ceiling : ceilings.values)
        if (ceiling.samples.empty() || !std::ranges::all_of(ceiling.samples, sound))
            throw Error(ErrorKind::run, "ceilings cannot be read: expected samples above 0 for " +
                                            ceiling.id + ", found " + dump_json(ceiling.samples));
    return ceilings;
}

}  // namespace ks
