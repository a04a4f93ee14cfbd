#pragma once

#include <string>
#include <utility>

#include "core/base/error.h"

namespace ks {

/// The values that a kernel computed are wrong: a check found that, or no result can be made of them, so that
/// a run without a check ends with it, too.
class WrongResult : public Error {
  public:
    WrongResult(std::string message, std::string where)
        : Error(ErrorKind::run, std::move(message), std::move(where)) {}
};

/// Throws a copy of the error, as a WrongResult if it was one before it was sent.
[[noreturn]] inline void throw_received(const Error& error, bool was_wrong_result) {
    if (was_wrong_result) throw WrongResult(error.message(), error.where());
    throw error;  // NOLINT(misc-throw-by-value-catch-by-reference)
}

}  // namespace ks
