#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/fields.h"
#include "core/devices/device_info.h"

namespace ks {

/// The runs that tuned values apply to: those of one variant on similar problems.
struct TunedFor {
    std::string analysis, variant;
    /// The analysis' classification of the problem, ordered by name: "element=u16".
    std::string kind;
    /// For a size n, the integer k with 4^k <= n < 4^(k+1); absent if an analysis states no size.
    std::optional<std::size_t> size_class = {};

    bool operator==(const TunedFor&) const = default;
};

KS_FIELDS(TunedFor, analysis, variant, kind, size_class)

/// k of TunedFor::size_class; nothing for sizes below 1.
std::optional<std::size_t> size_class_of(double size);

/// Defines that `tune` found to be faster than the built-in ones.
struct TunedRow {
    TunedFor of;
    std::string platform_name, device, driver;
    std::map<std::string, std::string> defines;
    double speed_up = 1;  ///< median kernel time of the default values / of these
    std::string found;    ///< ISO 8601, UTC

    /// Whether one replaces the other in the table.
    bool is_for_same(const TunedRow& other) const {
        return of == other.of && platform_name == other.platform_name && device == other.device &&
               driver == other.driver;
    }
    bool is_of(const DeviceInfo& info) const {
        return platform_name == info.platform_name && device == info.name && driver == info.driver;
    }
};

void fields(auto& visit, ConstOr<TunedRow> auto& row) {
    visit("for", row.of);
    visit("platform_name", row.platform_name);
    visit("device", row.device);
    visit("driver", row.driver);
    visit("defines", row.defines);
    visit("speed_up", row.speed_up);
    visit("found", row.found);
}

/// The user's table of tuned values: a file that is re-read when it has changed. Without a folder it is empty
/// and stores nothing.
class UserTuning {
  public:
    explicit UserTuning(const std::filesystem::path& folder);

    const std::filesystem::path& file() const { return file_; }
    /// None if the file is damaged or newer than this program; why_not_read() then gives the reason.
    const std::vector<TunedRow>& rows();
    std::string why_not_read();
    /// Null if there is none.
    const TunedRow* find(const TunedFor& wanted, const DeviceInfo& device);
    /// Replaces a row for the same problems and device. Throws ks::Error(input) if the present file cannot be
    /// read, and whatever io::write_text() throws.
    void keep(const TunedRow& row);
    /// Removes the rows of an analysis and a variant and returns their number; empty: of all. An unreadable
    /// table is deleted if all rows are to be removed.
    std::size_t forget(const std::string& analysis, const std::string& variant);
    /// Removes the row for the same problems and device; false if there is none. Throws as keep() does.
    bool forget(const TunedRow& row);

  private:
    void refresh();
    void write() const;

    std::filesystem::path file_;
    std::optional<std::filesystem::file_time_type> read_at_;
    std::vector<TunedRow> rows_;
    std::string why_not_read_;
};

}  // namespace ks
