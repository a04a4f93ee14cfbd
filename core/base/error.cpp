#include "core/base/error.h"

#include <array>
#include <cstddef>
#include <string>
#include <utility>

namespace ks {
namespace {

/// Texts from files may have a NUL byte, at which what() would end: it is shown as in printable().
std::string whole(std::string text) {
    for (std::size_t at = 0; (at = text.find('\0', at)) != std::string::npos; at += 4)
        text.replace(at, 1, "\\x00");
    return text;
}

std::string sentence(const std::string& message, const std::string& where, const std::string& hint) {
    std::string text = where.empty() ? message : where + ": " + message;
    if (!hint.empty()) text += "; " + hint;
    return text;
}

struct KindRow {
    ErrorKind kind;
    const char* name;
    int exit_code;
};
constexpr std::array<KindRow, 5> kinds{{{ErrorKind::input, "input", 2},
                                        {ErrorKind::build, "build", 2},
                                        {ErrorKind::device, "device", 1},
                                        {ErrorKind::run, "run", 1},
                                        {ErrorKind::cancelled, "cancelled", 130}}};

}  // namespace

Error::Error(ErrorKind kind, std::string message, std::string where, std::string hint, std::string details)
    : std::runtime_error(whole(sentence(message, where, hint))),
      kind_(kind),
      message_(whole(std::move(message))),
      where_(whole(std::move(where))),
      hint_(whole(std::move(hint))),
      details_(whole(std::move(details))) {}

int Error::exit_code() const {
    for (const KindRow& row : kinds)
        if (row.kind == kind_) return row.exit_code;
    return 1;
}

const char* name_of(ErrorKind kind) {
    for (const KindRow& row : kinds)
        if (row.kind == kind) return row.name;
    return "run";
}

ErrorKind error_kind_from(const std::string& name) {
    for (const KindRow& row : kinds)
        if (name == row.name) return row.kind;
    return ErrorKind::run;
}

}  // namespace ks
