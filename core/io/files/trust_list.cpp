#include "core/io/files/trust_list.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <memory>
#include <sstream>
#include <system_error>

#include "core/base/cache_folder.h"
#include "core/base/error.h"
#include "core/io/files/file_stamp.h"
#include "core/io/files/file_text.h"
#include "core/io/files/sha256.h"

namespace ks::io {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t largest_list = std::size_t{64} << 20;

std::string line_for(std::string_view kind, std::string_view what) {
    return std::string(kind) + " " + sha256_of(what);
}

/// Writes the line in one call, so that concurrent appends of other processes do not interleave.
void append_line(const fs::path& file, const std::string& line) {
    std::error_code ignored;
    fs::create_directories(file.parent_path(), ignored);
    const int number = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    if (number < 0) return;
    const std::string text = line + "\n";
    while (::write(number, text.data(), text.size()) < 0 && errno == EINTR) continue;
    ::close(number);
}

}  // namespace

void TrustList::read_again() {
    if (file_.empty()) return;
    std::string now = file_state(file_);
    if (now == state_) return;
    state_ = std::move(now);
    try {
        std::istringstream in(small_text(file_, "a list of hashes", largest_list));
        for (std::string line; std::getline(in, line);) lines_.insert(line);
    } catch (const Error&) {
        // An unreadable file allows nothing.
    }
}

bool TrustList::has(std::string_view kind, std::string_view what) {
    const std::string line = line_for(kind, what);
    const std::lock_guard lock(guard_);
    if (lines_.contains(line)) return true;
    read_again();
    return lines_.contains(line);
}

void TrustList::add(std::string_view kind, std::string_view what) {
    if (has(kind, what)) return;
    const std::string line = line_for(kind, what);
    const std::lock_guard lock(guard_);
    lines_.insert(line);
    if (!file_.empty()) append_line(file_, line);
}

TrustList& user_trust() {
    static std::mutex guard;
    static std::map<fs::path, std::unique_ptr<TrustList>> lists;  // the folder may change in tests
    const fs::path folder = data_folder();
    const fs::path file = folder.empty() ? fs::path() : folder / "trusted";
    const std::lock_guard lock(guard);
    std::unique_ptr<TrustList>& list = lists[file];
    if (!list) list = std::make_unique<TrustList>(file);
    return *list;
}

}  // namespace ks::io
