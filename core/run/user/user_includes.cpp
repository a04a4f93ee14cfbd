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
#include "core/run/user/include_scan.h"
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
        open_.push_back({file, guards_itself(text)});
        const std::vector<IncludeDirective> includes = includes_in(text);
        auto next = includes.begin();
        std::istringstream in(text);
        std::size_t number = 1;
        for (std::string line; std::getline(in, line); ++number) {
            if (next == includes.end() || next->line != number) {
                out_ += line;
                out_ += '\n';
                continue;
            }
            const IncludeDirective& directive = *next++;
            for (std::size_t more = 1; more < directive.lines && std::getline(in, line); ++more) ++number;
            put(directive, {file.string(), number});
            any_ = any_ || directive.path.empty() || !directive.path.starts_with("gpu/");
        }
        open_.pop_back();
    }

    bool any() const { return any_; }
    std::string take() { return std::move(out_); }

  private:
    struct Open {
        fs::path file;
        bool guarded;
    };

    /// Puts the file in the place of the directive. Where a compiler may leave the directive out, a fault of
    /// it becomes an #error, which counts only where the compiler comes to it.
    void put(const IncludeDirective& directive, const FileLine& last) {
        const FileLine here{last.file, directive.line};
        if (directive.path.starts_with("gpu/")) {
            out_ += fmt::format("#include \"{}\"\n", directive.path);
            if (directive.lines > 1) out_ += line_directive({last.file, last.line + 1}) + "\n";
            return;
        }
        std::optional<fs::path> included;
        try {
            included = found(directive, here);
        } catch (const Error& error) {
            if (!directive.conditional) throw;
            std::string why = error.message();
            std::ranges::replace(why, '"', '\'');
            out_ += fmt::format("#error \"{}\"\n", why) + line_directive({last.file, last.line + 1}) + "\n";
            return;
        }
        if (!included) {  // it is read already, and what it guards stays out
            out_ += line_directive({last.file, last.line + 1}) + "\n";
            return;
        }
        out_ += line_directive({included->string(), 1}) + "\n";
        add(text_of(*included), *included);
        out_ += line_directive({last.file, last.line + 1}) + "\n";
    }

    /// The file that a directive means; nothing where it is one that is being read and guards itself.
    std::optional<fs::path> found(const IncludeDirective& directive, const FileLine& line) {
        const auto refuse = [&line](const std::string& message, const std::string& hint = {}) {
            throw Error(ErrorKind::input, message, fmt::format("{}:{}", line.file, line.line), hint);
        };
        if (directive.path.empty())
            refuse(fmt::format("expected #include \"FILE\", found #{} {}", directive.word,
                               printable(directive.rest)),
                   "files of the folder and of the program are named in quotes");
        const std::string& path = directive.path;
        const std::string shown = printable(path);
        const fs::path parts(path);
        if (parts.is_absolute() || std::find(parts.begin(), parts.end(), "..") != parts.end())
            refuse(fmt::format("expected an included file in {}, found \"{}\"", folder_.string(), shown),
                   "name it from there, without \"..\"");
        for (const fs::path& beside : {open_.back().file.parent_path(), analysis_folder_, folder_}) {
            fs::path file = (beside / path).lexically_normal();
            looked_for_.insert(file);
            std::error_code failed;
            if (!fs::exists(file, failed)) continue;
            if (!lies_in(file, folder_))
                refuse(fmt::format("a link leads out of {}: \"{}\"", folder_.string(), shown),
                       "copy the file into the folder");
            if (const auto open = std::ranges::find(open_, file, &Open::file); open != open_.end()) {
                if (open->guarded) return std::nullopt;
                refuse(fmt::format("files include each other without end: \"{}\"", shown));
            }
            return file;
        }
        refuse(fmt::format("there is no file \"{}\" to include", shown),
               "it is looked for beside the file and in " + folder_.string() +
                   "; files of the program begin with gpu/");
        return std::nullopt;
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
    std::vector<Open> open_;  ///< a file, and those that it is included from before it
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
