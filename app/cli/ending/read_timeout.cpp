#include "app/cli/ending/read_timeout.h"

#include <atomic>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include "core/base/error.h"

namespace ks::cli {
namespace {

std::atomic<std::int64_t> milliseconds{20'000};

}  // namespace

std::chrono::milliseconds read_timeout() {
    return std::chrono::milliseconds(milliseconds.load());
}

void set_read_timeout(const std::string& text) {
    constexpr double most = 1e6;
    double seconds = -1;
    const char* const end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, seconds);
    if (failure != std::errc() || stop != end || !(seconds >= 0 && seconds <= most))
        throw Error(
            ErrorKind::input,
            fmt::format("expected a number of seconds, 0 (no limit) to {:.0f}, found \"{}\"", most, text),
            "--read-timeout");
    const auto whole = static_cast<std::int64_t>(seconds * 1000);
    milliseconds.store(seconds > 0 && whole == 0 ? 1 : whole);
}

std::string read_timeout_text() {
    return fmt::format("{:g}", static_cast<double>(milliseconds.load()) / 1000);
}

}  // namespace ks::cli
