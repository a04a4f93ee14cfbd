#include "core/run/request.h"

#include "core/base/error.h"
#include "core/run/user/shown_variant.h"

namespace ks {

const char* name_of(CheckMode mode) {
    switch (mode) {
        case CheckMode::none:
            return "none";
        case CheckMode::sample:
            return "sample";
        case CheckMode::full:
            break;
    }
    return "full";
}

std::string shown_variant(const std::string& id, const Request& request) {
    if (request.kernel_source.empty()) return id;
    return id + (id.starts_with("user.") ? ", text " : ", other source ") + text_mark(request.kernel_source);
}

CheckMode check_mode_from(const std::string& name) {
    for (const CheckMode mode : {CheckMode::none, CheckMode::sample, CheckMode::full})
        if (name == name_of(mode)) return mode;
    throw Error(ErrorKind::input, "expected none, sample or full, found \"" + name + "\"", "check");
}

}  // namespace ks
