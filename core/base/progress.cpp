#include "core/base/progress.h"

#include <chrono>

#include "core/base/error.h"

namespace ks {
namespace {
constexpr std::int64_t quiet_nanoseconds = 20'000'000;
}

void Progress::report(double fraction, const std::string& stage) {
    check();
    if (!listener_) return;
    const std::int64_t now =
        std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
    const bool inside = fraction > 0 && fraction < 1;
    if (inside && last_report_ns_ != 0 && now - last_report_ns_ < quiet_nanoseconds) return;
    last_report_ns_ = now;
    listener_(fraction >= 1 ? 1 : inside ? fraction : 0, stage);
}

void Progress::check() const {
    if (cancelled()) throw Error(ErrorKind::cancelled, "stopped on request");
}

}  // namespace ks
