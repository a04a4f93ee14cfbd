#pragma once

#include <QString>

#include "core/run/run.h"
#include "ui/base/count_text.h"

namespace ks::ui {

/// The fact "faster" of a run: another way to compute it that is expected to take less time. Empty without
/// it.
inline QString fasterText(const Run& run) {
    const auto found = run.result.facts.find("faster");
    const bool told = found != run.result.facts.end() && found->is_string();
    return told ? capitalised(QString::fromStdString(found->get<std::string>())) : QString();
}

}  // namespace ks::ui
