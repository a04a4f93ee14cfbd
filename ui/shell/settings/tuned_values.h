#pragma once

#include <QSettings>
#include <QString>

namespace ks::ui {

inline const QString tunedValuesKey = QStringLiteral("tunedValues");

/// Whether runs use the values of the user's table (Request::user_tuned).
inline bool usesTunedValues(const QSettings& settings) {
    return settings.value(tunedValuesKey, true).toBool();
}

}  // namespace ks::ui
