#include "core/run/request.h"

#include "core/run/tables/enum_names.h"
#include "core/run/user/shown_variant.h"

namespace ks {
namespace {

constexpr EnumNames<CheckMode, 3> check_modes{{"none", "sample", "full"}};

}  // namespace

const char* name_of(CheckMode mode) {
    return check_modes.of(mode);
}

std::string shown_variant(const std::string& id, const Request& request) {
    if (request.kernel_source.empty()) return id;
    return id + (id.starts_with("user.") ? ", text " : ", other source ") + text_mark(request.kernel_source);
}

CheckMode check_mode_from(const std::string& name) {
    return check_modes.from(name, ErrorKind::input, "check");
}

}  // namespace ks
