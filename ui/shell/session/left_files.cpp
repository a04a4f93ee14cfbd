#include "ui/shell/session/left_files.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ks::ui {

void LeftFiles::leave(const std::string& page, const std::string& file,
                      const std::optional<PageState>& state) {
    std::erase_if(all_, [&](const Left& one) { return one.page == page && one.file == file; });
    if (!state) return;
    all_.insert(all_.begin(), {page, file, *state});
    std::set<std::string> files;
    const auto tooOld = std::ranges::find_if(all_, [&files](const Left& one) {
        files.insert(one.file);
        return files.size() > most;
    });
    all_.erase(tooOld, all_.end());
}

void LeftFiles::leaveGeometry(const std::string& file, const nlohmann::json& kept) {
    leave(geometry, file, kept.empty() ? std::nullopt : std::optional(PageState{kept, {}}));
}

void LeftFiles::move(const std::string& from, const std::string& to) {
    const auto move = [&](std::string& name) {
        if (name == from || name.starts_with(from + "::")) name = to + name.substr(from.size());
    };
    for (Left& one : all_) {
        move(one.file);
        for (auto& [role, name] : one.state.files) move(name);
    }
}

void LeftFiles::rename(const std::function<std::string(const std::string&)>& nameNow) {
    std::set<std::pair<std::string, std::string>> seen;
    std::vector<Left> renamed;
    for (Left& one : all_) {
        one.file = nameNow(one.file);
        if (seen.emplace(one.page, one.file).second) renamed.push_back(std::move(one));
    }
    all_ = std::move(renamed);
}

const PageState* LeftFiles::find(const std::string& page, const std::string& file) const {
    const auto found =
        std::ranges::find_if(all_, [&](const Left& one) { return one.page == page && one.file == file; });
    return found == all_.end() ? nullptr : &found->state;
}

}  // namespace ks::ui
