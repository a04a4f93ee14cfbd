#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "core/io/files/followed_files.h"

class QWidget;

namespace ks::ui {

/// Questions before a window compiles code, or reads files, named by a file from elsewhere. Each is asked
/// once: the answer "yes" is stored in the user's list (core/io/files/trust_list.h). Tests may answer instead
/// of the user; without a function the answer is no.
struct TrustQuestions {
    /// @param what "seed.add, other source"
    /// @param code all of it
    std::function<bool(const QString& file, const QString& what, const QString& code)> compile;
    std::function<bool(const std::vector<io::NamedElsewhere>& names)> follow;
};

/// With dialogs over `parent`, where "no" is the default.
TrustQuestions trustDialogs(QWidget* parent);

}  // namespace ks::ui
