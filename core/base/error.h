#pragma once

#include <stdexcept>
#include <string>

namespace ks {

/// The kind of a failure. It decides the exit code and the colour of the error bar.
enum class ErrorKind {
    input,     ///< bad arguments, files or parameters; exit code 2
    build,     ///< a kernel did not build; `details` holds the log; exit code 2
    device,    ///< the device refused or failed; exit code 1
    run,       ///< the computation failed for another reason; exit code 1
    cancelled  ///< the user requested a stop; exit code 130
};

/// The one exception type of the program. `what()` is one sentence for the user: "WHERE: MESSAGE; HINT";
/// empty parts are left out.
class Error : public std::runtime_error {
  public:
    /// @param message what was expected and what was found, without a full stop
    /// @param where   the file and the object in it, or the parameter ("scan.h5::/entry/data")
    /// @param hint    what the user can do next
    /// @param details several lines: a build log, a list of candidates
    Error(ErrorKind kind, std::string message, std::string where = {}, std::string hint = {},
          std::string details = {});

    ErrorKind kind() const { return kind_; }
    const std::string& message() const { return message_; }
    const std::string& where() const { return where_; }
    const std::string& hint() const { return hint_; }
    const std::string& details() const { return details_; }

    /// Process exit code of this kind (0 is never returned).
    int exit_code() const;

  private:
    ErrorKind kind_;
    std::string message_, where_, hint_, details_;
};

/// "input", "build", ... and back; an unknown name gives ErrorKind::run.
const char* name_of(ErrorKind kind);
ErrorKind error_kind_from(const std::string& name);

}  // namespace ks
