#include "core/base/cache_folder.h"

#include <cstdlib>
#include <string>

namespace ks {
namespace {

std::string from_environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

}  // namespace

std::filesystem::path cache_folder() {
    if (const std::string own = from_environment("KERNELSCOPE_CACHE"); !own.empty()) return own;
    if (const std::string xdg = from_environment("XDG_CACHE_HOME"); !xdg.empty())
        return std::filesystem::path(xdg) / "kernelscope";
    if (const std::string home = from_environment("HOME"); !home.empty())
        return std::filesystem::path(home) / ".cache" / "kernelscope";
    return {};
}

std::filesystem::path data_folder() {
    if (const std::string own = from_environment("KERNELSCOPE_DATA"); !own.empty()) return own;
    if (const std::string xdg = from_environment("XDG_DATA_HOME"); !xdg.empty())
        return std::filesystem::path(xdg) / "kernelscope";
    if (const std::string home = from_environment("HOME"); !home.empty())
        return std::filesystem::path(home) / ".local" / "share" / "kernelscope";
    return {};
}

}  // namespace ks
