#include "core/record/run_table.h"

#include <cstddef>

#include "core/io/files/atomic_file.h"

namespace ks::io {
namespace {

/// The table with one more column of the same value. A quoted field may contain line ends.
std::string with_column(std::string_view csv, const std::string& name, const std::string& value) {
    std::string all;
    all.reserve(csv.size());
    bool is_quoted = false, is_header = true;
    for (const char c : csv) {
        if (c == '"') is_quoted = !is_quoted;
        if (c == '\n' && !is_quoted) {
            all += ',';
            all += is_header ? name : value;
            is_header = false;
        }
        all += c;
    }
    return all;
}

}  // namespace

std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += c;
        quoted += c;
    }
    return quoted + '"';
}

std::string table_note(const Run& run) {
    std::string all = run.verdict.state == Verdict::State::fail ? "the result is wrong" : "";
    for (const std::string& note : run.notes) all += (all.empty() ? "" : "; ") + note;
    return all;
}

void write_run_table(const Run& run, const std::filesystem::path& out, std::string_view csv, bool overwrite,
                     Progress& progress) {
    const std::string note = table_note(run);
    if (note.empty()) return write_text(out, csv, overwrite, progress);
    write_text(out, with_column(csv, "note", csv_field(note)), overwrite, progress);
}

}  // namespace ks::io
