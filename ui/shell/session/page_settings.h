#pragma once

#include <QSettings>
#include <QString>

#include "core/base/json_text.h"
#include "ui/shell/session/page_state.h"

namespace ks::ui {

/// Writes each value under its own key in the current group; null removes it.
inline void keepSettings(QSettings& settings, const PageState& state) {
    for (const auto& [key, value] : state.values.items()) {
        const QString name = QString::fromStdString(key);
        if (value.is_null())
            settings.remove(name);
        else if (value.is_boolean())
            settings.setValue(name, value.get<bool>());
        else if (value.is_number_integer())
            settings.setValue(name, value.get<int>());
        else if (value.is_number())
            settings.setValue(name, value.get<double>());
        else if (value.is_string())
            settings.setValue(name, QString::fromStdString(value.get<std::string>()));
        else
            settings.setValue(name, QByteArray::fromStdString(dump_json_replacing(value)));
    }
}

/// The settings of the current group with the keys and types of `like`; absent ones are left out.
inline PageState pageSettings(const QSettings& settings, const PageState& like) {
    PageState state;
    for (const auto& [key, type] : like.values.items()) {
        const QVariant kept = settings.value(QString::fromStdString(key));
        if (!kept.isValid()) continue;
        nlohmann::json& value = state.values[key];
        if (type.is_boolean())
            value = kept.toBool();
        else if (type.is_number_integer())
            value = kept.toInt();
        else if (type.is_number())
            value = kept.toDouble();
        else if (type.is_string())
            value = kept.toString().toStdString();
        else
            value = try_parse_json(kept.toByteArray().toStdString());
    }
    return state;
}

}  // namespace ks::ui
