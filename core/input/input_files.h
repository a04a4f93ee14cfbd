#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace ks::io {

/// How reading the input `name` ("FILE::/path") leads to `file`, which exists. The answer is "" if the input
/// is that file (even by another link to it), or a series with that file. It is "scan.h5::/entry/data_000001"
/// if an external link, a source of a virtual dataset or a raw file of a dataset of scan.h5 leads there,
/// directly or through further files. Nothing: reading the input never leads to the file. Reads links and
/// properties, no values.
std::optional<std::string> way_to(const std::string& name, const std::filesystem::path& file);

/// Names of what is read, "FILE", "FILE::/path" or of a series, each by what it is read as: "frames of
/// repeat 2". Those of a request or of a run: names_read() in core/record.
using NamesRead = std::map<std::string, std::string>;

/// All files that reading some names leads to, for those who write files. The files are found when they are
/// first asked for, once for all questions.
class FilesRead {
  public:
    explicit FilesRead(NamesRead names) : names_(std::move(names)) {}

    /// Throws ks::Error(input) if `output` exists and is one of the files, under whatever name.
    /// @param by what would write it: an option ("--out"), "saving"
    void require_not(const std::string& by, const std::filesystem::path& output) const;

  private:
    struct Use {
        std::string role, way;  ///< way: as of way_to()
    };
    void find() const;

    NamesRead names_;
    mutable std::optional<std::map<std::string, Use>> files_;  ///< by file_key(); nothing: not looked for yet
};

/// FilesRead::require_not() for one output.
void require_not_read(const std::string& by, const std::filesystem::path& output, const NamesRead& names);

}  // namespace ks::io
