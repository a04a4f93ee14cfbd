#pragma once

#include <QSettings>
#include <QString>
#include <memory>

namespace ks::ui {

/// Settings that can be used: a file of settings that cannot be read is renamed to NAME.damaged, and empty
/// ones take its place.
/// @param given null: the user's own
/// @param damaged the new name of the file, where that happened
std::unique_ptr<QSettings> soundSettings(std::unique_ptr<QSettings> given, QString* damaged);

}  // namespace ks::ui
