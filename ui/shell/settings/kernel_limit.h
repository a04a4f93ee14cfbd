#pragma once

#include <QSettings>
#include <QString>
#include <chrono>
#include <optional>

namespace ks::ui {

inline const QString kernelLimitKey = QStringLiteral("kernelLimit");
constexpr int usualKernelLimit = 10, longestKernelLimit = 3600;  ///< seconds

/// How long a kernel may run without reporting progress (WorkerClient::setKernelLimit); nothing: unlimited.
/// The default limit if the setting is not a number of seconds.
inline std::optional<std::chrono::milliseconds> kernelLimit(const QSettings& settings) {
    bool good = false;
    const int seconds = settings.value(kernelLimitKey, usualKernelLimit).toInt(&good);
    if (!good || seconds < 0 || seconds > longestKernelLimit) return std::chrono::seconds(usualKernelLimit);
    return seconds > 0 ? std::optional<std::chrono::milliseconds>(std::chrono::seconds(seconds))
                       : std::nullopt;
}

}  // namespace ks::ui
