#pragma once

#include <QString>

#include "core/run/registry.h"
#include "ui/shell/session/session_document.h"
#include "ui/shell/trust/trust_questions.h"

namespace ks::ui {

/// Expressions of a project that a compiler would be given at the next run, and that are not known
/// (core/run/user/trusted_code.h): asks for them once, all together, and takes them out where the answer is
/// no, so that forms show their defaults.
/// @param path of the project
void askForCode(SessionDocument& document, const Registry& registry, const TrustQuestions& trust,
                const QString& path);

}  // namespace ks::ui
