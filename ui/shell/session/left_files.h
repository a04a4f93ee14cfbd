#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/shell/session/page_state.h"

namespace ks::ui {

/// The user's changes for files that have been replaced by others as the open one, by page. Only for the
/// newest files.
class LeftFiles {
  public:
    static constexpr std::size_t most = 500;  ///< files
    /// Used instead of a page: the geometry, which all of them share. Its values are SessionGeometry::keep().
    static constexpr const char* geometry = "geometry";

    /// Used instead of a page, before the id of an analysis: its parameters (of_data()). Its values are those
    /// that differ from the defaults, as written by to_json().
    static constexpr const char* parameters = "parameters ";

    struct Left {
        std::string page;  ///< its id, LeftFiles::geometry, or LeftFiles::parameters and an analysis
        std::string file;  ///< "FILE" or "FILE::/path"
        PageState state;
        bool operator==(const Left&) const = default;
    };

    /// @param state nothing: on this page nothing is changed for the file
    void leave(const std::string& page, const std::string& file, const std::optional<PageState>& state);
    /// @param kept as SessionGeometry::keep()
    void leaveGeometry(const std::string& file, const nlohmann::json& kept);
    /// The file has moved.
    /// @param from, to "FILE" alone
    void move(const std::string& from, const std::string& to);
    /// Renames the files that are not open: another name of the same data is known now. If both names have an
    /// entry of a page, the newer one remains.
    void rename(const std::function<std::string(const std::string&)>& nameNow);
    /// Null: nothing was stored.
    const PageState* find(const std::string& page, const std::string& file) const;
    /// Newest first.
    const std::vector<Left>& all() const { return all_; }
    bool operator==(const LeftFiles&) const = default;

  private:
    std::vector<Left> all_;
};

}  // namespace ks::ui
