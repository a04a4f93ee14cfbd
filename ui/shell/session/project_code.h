#pragma once

#include <QString>
#include <QStringList>

#include "core/run/registry.h"
#include "ui/shell/session/session_document.h"
#include "ui/shell/trust/trust_questions.h"

namespace ks::ui {

/// Expressions in a project that a compiler would receive at the next run, and that are not known
/// (core/run/user/trusted_code.h): asks about all of them in one question.
/// @param path of the project
/// @return texts of parameters that were not allowed: they must not be compiled
QStringList askForCode(const SessionDocument& document, const Registry& registry, const TrustQuestions& trust,
                       const QString& path);

}  // namespace ks::ui
