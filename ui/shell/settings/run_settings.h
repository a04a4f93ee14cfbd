#pragma once

#include <QSettings>
#include <QString>
#include <chrono>
#include <cstdint>
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

inline const QString memoryLimitKey = QStringLiteral("memoryLimit");

/// Bytes of device memory that a run may use; nothing: no limit, also if the setting is not a valid number.
inline std::optional<std::uint64_t> memoryLimit(const QSettings& settings) {
    bool good = false;
    const qulonglong bytes = settings.value(memoryLimitKey).toULongLong(&good);
    return good && bytes > 0 ? std::optional<std::uint64_t>(bytes) : std::nullopt;
}

inline void setMemoryLimit(QSettings& settings, std::optional<std::uint64_t> bytes) {
    if (bytes)
        settings.setValue(memoryLimitKey, qulonglong{*bytes});
    else
        settings.remove(memoryLimitKey);
}

inline const QString tunedValuesKey = QStringLiteral("tunedValues");

/// Whether runs use the values of the user's table (Request::user_tuned).
inline bool usesTunedValues(const QSettings& settings) {
    return settings.value(tunedValuesKey, true).toBool();
}

}  // namespace ks::ui
