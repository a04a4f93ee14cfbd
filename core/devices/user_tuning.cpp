#include "core/devices/user_tuning.h"

#include <algorithm>
#include <system_error>

#include "core/base/error.h"
#include "core/base/formats.h"
#include "core/base/json_problem.h"
#include "core/base/json_text.h"
#include "core/io/files/atomic_file.h"
#include "core/io/files/file_text.h"

namespace ks {
namespace {

std::vector<TunedRow> tuned_rows(const std::filesystem::path& file) {
    const nlohmann::json json =
        try_parse_json(io::small_text(file, "a table of tuned values", io::largest_report));
    if (!json.is_object() || !json.contains("rows") || !json.at("rows").is_array())
        throw Error(ErrorKind::input, "the table of tuned values is damaged", file.string());
    std::optional<std::string> number;
    if (json.contains(format_key)) number = dump_json(json.at(format_key));
    require_known(formats::tuning, number, file.string());
    std::vector<TunedRow> rows;
    try {
        for (const nlohmann::json& row : json.at("rows"))
            rows.push_back(from_json<TunedRow>(row, "a tuned row"));
    } catch (const std::exception& error) {
        throw Error(ErrorKind::input,
                    std::string("the table of tuned values is damaged: ") + problem_of(error), file.string());
    }
    return rows;
}

}  // namespace

std::optional<std::size_t> size_class_of(double size) {
    if (!(size >= 1)) return std::nullopt;
    std::size_t k = 0;
    for (double reached = 4; reached <= size; reached *= 4) ++k;
    return k;
}

UserTuning::UserTuning(const std::filesystem::path& folder)
    : file_(folder.empty() ? folder : folder / "tuning.json") {}

void UserTuning::refresh() {
    std::error_code failed;
    const auto changed = std::filesystem::last_write_time(file_, failed);
    if (file_.empty() || failed) {
        read_at_.reset();
        rows_.clear();
        why_not_read_.clear();
        return;
    }
    if (read_at_ == changed) return;
    read_at_ = changed;
    rows_.clear();
    why_not_read_.clear();
    try {
        rows_ = tuned_rows(file_);
    } catch (const Error& error) {
        why_not_read_ = error.what();
    }
}

const std::vector<TunedRow>& UserTuning::rows() {
    refresh();
    return rows_;
}

std::string UserTuning::why_not_read() {
    refresh();
    return why_not_read_;
}

const TunedRow* UserTuning::find(const TunedFor& wanted, const DeviceInfo& device) {
    refresh();
    const auto found = std::ranges::find_if(
        rows_, [&](const TunedRow& row) { return row.of == wanted && row.is_of(device); });
    return found == rows_.end() ? nullptr : &*found;
}

void UserTuning::keep(const TunedRow& row) {
    if (file_.empty())
        throw Error(ErrorKind::input, "tuned values cannot be kept, because there is no home folder",
                    "--keep", "set KERNELSCOPE_DATA to a folder");
    refresh();
    if (!why_not_read_.empty())
        throw Error(ErrorKind::input, why_not_read_, {}, "`tune --forget all` removes it");
    const auto same =
        std::ranges::find_if(rows_, [&](const TunedRow& known) { return known.is_for_same(row); });
    if (same == rows_.end())
        rows_.push_back(row);
    else
        *same = row;
    write();
}

std::size_t UserTuning::forget(const std::string& analysis, const std::string& variant) {
    refresh();
    if (!why_not_read_.empty() && !analysis.empty()) throw Error(ErrorKind::input, why_not_read_);
    const std::size_t gone = std::erase_if(rows_, [&](const TunedRow& row) {
        return (analysis.empty() || row.of.analysis == analysis) &&
               (variant.empty() || row.of.variant == variant);
    });
    if (gone > 0 || !why_not_read_.empty()) write();
    return gone;
}

bool UserTuning::forget(const TunedRow& row) {
    refresh();
    if (!why_not_read_.empty()) throw Error(ErrorKind::input, why_not_read_);
    if (std::erase_if(rows_, [&](const TunedRow& known) { return known.is_for_same(row); }) == 0)
        return false;
    write();
    return true;
}

void UserTuning::write() const {
    nlohmann::json json{{format_key, formats::tuning.version}, {"rows", nlohmann::json::array()}};
    for (const TunedRow& row : rows_) json["rows"].push_back(to_json(row));
    std::error_code failed;
    std::filesystem::create_directories(file_.parent_path(), failed);
    io::write_text(file_, dump_json(json, 1) + "\n", true);
}

}  // namespace ks
