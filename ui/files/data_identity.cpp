#include "ui/files/data_identity.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/series/series.h"

namespace ks::ui {
namespace {

namespace fs = std::filesystem;

struct KnownNames {
    std::mutex mutex;
    std::map<std::string, std::optional<std::string>> files;  ///< by absolute path; nothing: not resolved yet
    std::map<std::string, std::string> data;                  ///< identities by absolute name
};

KnownNames& known() {
    static KnownNames names;
    return names;
}

std::string absoluteFile(const fs::path& file) {
    std::error_code failure;
    const fs::path whole = fs::absolute(file, failure);
    return (failure ? file : whole.lexically_normal()).string();
}

std::string absoluteData(const std::string& name) {
    const std::size_t end = endOfFile(name);
    return absoluteFile(name.substr(0, end)) + name.substr(end);
}

fs::path resolved(const fs::path& file) {
    std::error_code failure;
    if (!io::is_series(file)) {
        fs::path whole = fs::weakly_canonical(file, failure);
        return failure ? fs::path(absoluteFile(file)) : whole;
    }
    std::vector<std::string> files;
    for (const fs::path& one : io::files_named(file)) files.push_back(one.string());
    fs::path pattern = fs::path(io::series_name(files)).filename();
    // A single file, or a list in braces, would be another one as soon as files are added.
    if (files.size() == 1 || pattern.string().find('{') != std::string::npos) pattern = file.filename();
    const fs::path folder = fs::weakly_canonical(fs::path(files.front()).parent_path(), failure);
    return failure ? fs::path(absoluteFile(file)) : folder / pattern;
}

std::string resolvedOrAbsolute(const fs::path& file) {
    try {
        return resolved(file).string();
    } catch (const Error&) {
        return absoluteFile(file);  // opening it reports why
    }
}

}  // namespace

std::size_t endOfFile(const std::string& name) {
    return std::min(name.rfind("::/"), name.size());
}

std::string resolveFile(const fs::path& file) {
    const std::string name = absoluteFile(file), own = resolvedOrAbsolute(name);
    KnownNames& names = known();
    std::vector<std::string> beside;
    {
        const std::lock_guard lock(names.mutex);
        names.files[name] = names.files[own] = own;
        const fs::path folders[] = {fs::path(name).parent_path(), fs::path(own).parent_path()};
        for (const auto& [other, meant] : names.files)
            for (const fs::path& folder : folders)
                if (!meant && fs::path(other).parent_path() == folder) {
                    beside.push_back(other);
                    break;
                }
    }
    for (const std::string& other : beside) {
        std::string meant = resolvedOrAbsolute(other);
        const std::lock_guard lock(names.mutex);
        names.files[other] = std::move(meant);
    }
    return own;
}

void rememberIdentity(const std::string& name, const std::string& identity) {
    const std::lock_guard lock(known().mutex);
    known().data[absoluteData(name)] = identity;
}

void mentionFile(const std::string& file) {
    const std::lock_guard lock(known().mutex);
    known().files.try_emplace(absoluteFile(file));
}

std::string resolvedFile(const std::string& file) {
    const std::string name = absoluteFile(file);
    const std::lock_guard lock(known().mutex);
    const auto found = known().files.find(name);
    return found == known().files.end() ? name : found->second.value_or(name);
}

std::string identityOf(const std::string& name) {
    {
        const std::lock_guard lock(known().mutex);
        if (const auto found = known().data.find(absoluteData(name)); found != known().data.end())
            return found->second;
    }
    const std::size_t end = endOfFile(name);
    return resolvedFile(name.substr(0, end)) + name.substr(end);
}

bool isSameData(const std::string& one, const std::string& other) {
    return one == other || identityOf(one) == identityOf(other);
}

}  // namespace ks::ui
