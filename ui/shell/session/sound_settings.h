#pragma once

#include <QSettings>
#include <QString>
#include <memory>

namespace ks::ui {

/// Usable settings: a settings file that cannot be read is renamed to NAME.damaged and replaced by empty
/// settings.
/// @param given null: the user's own
/// @param damaged the new name of the file, if that happened
std::unique_ptr<QSettings> soundSettings(std::unique_ptr<QSettings> given, QString* damaged);

}  // namespace ks::ui
