#include "core/run/user/user_includes.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "core/base/printable.h"
#include "core/io/files/file_text.h"
#include "core/run/user/line_map.h"

namespace ks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_whole = 16 << 20;

/// Whether `file`, with all links followed, lies in `folder`.
bool lies_in(const fs::path& file, const fs::path& folder) {
    std::error_code failed;
    const fs::path inner = fs::canonical(file, failed), outer = fs::canonical(folder, failed);
    if (failed) return false;
    return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

class Includer {
  public:
    Includer(const UserVariant& variant, const fs::path& folder, std::set<fs::path>& looked_for)
        : analysis_folder_(folder / variant.analysis), folder_(folder), looked_for_(looked_for) {}

    void add(const std::string& text, const fs::path& file) {
        open_.push_back(file);
        std::istringstream in(text);
        std::size_t number = 1;
        for (std::string line; std::getline(in, line); ++number) {
            const std::optional<std::string> path = include_of(line);
            if (!path || path->starts_with("gpu/")) {
                out_ += line;
                out_ += '\n';
                continue;
            }
            const fs::path included = found(*path, {file.string(), number});
            out_ += line_directive({included.string(), 1}) + "\n";
            add(text_of(included), included);
            out_ += line_directive({file.string(), number + 1}) + "\n";
            any_ = true;
        }
        open_.pop_back();
    }

    bool any() const { return any_; }
    std::string take() { return std::move(out_); }

  private:
    /// The file that a line means.
    fs::path found(const std::string& path, const FileLine& line) {
        const auto refuse = [&line](const std::string& message, const std::string& hint = {}) {
            throw Error(ErrorKind::input, message, fmt::format("{}:{}", line.file, line.line), hint);
        };
        const std::string shown = printable(path);
        const fs::path parts(path);
        if (path.empty() || parts.is_absolute() || std::find(parts.begin(), parts.end(), "..") != parts.end())
            refuse(fmt::format("expected an included file in {}, found \"{}\"", folder_.string(), shown),
                   "name it from there, without \"..\"");
        for (const fs::path& beside : {open_.back().parent_path(), analysis_folder_, folder_}) {
            fs::path file = (beside / path).lexically_normal();
            looked_for_.insert(file);
            std::error_code failed;
            if (!fs::exists(file, failed)) continue;
            if (!lies_in(file, folder_))
                refuse(fmt::format("a link leads out of {}: \"{}\"", folder_.string(), shown),
                       "copy the file into the folder");
            if (std::ranges::find(open_, file) != open_.end())
                refuse(fmt::format("files include each other without end: \"{}\"", shown));
            return file;
        }
        refuse(fmt::format("there is no file \"{}\" to include", shown),
               "it is looked for beside the file and in " + folder_.string() +
                   "; files of the program begin with gpu/");
        return {};
    }

    std::string text_of(const fs::path& file) {
        const io::TextFile text(file, "a kernel's source");
        if (text.size() + out_.size() > largest_whole)
            throw Error(ErrorKind::input,
                        fmt::format("with its included files the kernel is over {} bytes", largest_whole),
                        file.string());
        return std::string(text.text().view());
    }

    fs::path analysis_folder_, folder_;
    std::set<fs::path>& looked_for_;
    std::vector<fs::path> open_;  ///< a file, and those that it is included from before it
    std::string out_;
    bool any_ = false;
};

}  // namespace

std::string with_own_includes(const UserVariant& variant, const fs::path& folder,
                              std::set<fs::path>& looked_for) {
    Includer includer(variant, folder, looked_for);
    includer.add(variant.text, variant.file);
    return includer.any() ? includer.take() : variant.text;
}

}  // namespace ks
