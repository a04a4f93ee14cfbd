#pragma once

#include <QString>
#include <cstddef>
#include <map>
#include <string>

#include "core/run/run.h"

namespace ks::ui {

/// Whether the run read `name` ("FILE" or "FILE::/path") as its input `role`.
bool readFrom(const Run& run, const std::string& role, const QString& name);
/// Whether it also counted what is there now: numbers of its result's facts by name.
bool readFrom(const Run& run, const std::string& role, const QString& name,
              const std::map<std::string, std::size_t>& counts);
/// What the run read as `role`, as a legend names it: "a.h5", with the object in the file where `beside`,
/// which is shown, is of the same file.
QString sourceText(const Run& run, const std::string& role, const QString& beside);

}  // namespace ks::ui
