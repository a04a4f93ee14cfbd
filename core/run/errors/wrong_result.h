#pragma once

#include <string>
#include <utility>

#include "core/base/error.h"

namespace ks {

/// The values that a kernel computed contradict the definition so much that no result can be made of them.
/// A run without a check ends with it, too.
class WrongResult : public Error {
  public:
    WrongResult(std::string message, std::string where)
        : Error(ErrorKind::run, std::move(message), std::move(where)) {}
};

}  // namespace ks
