#pragma once

#include <QSettings>
#include <QString>
#include <cstdint>
#include <optional>

namespace ks::ui {

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

}  // namespace ks::ui
