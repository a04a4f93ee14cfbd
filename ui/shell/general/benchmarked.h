#pragma once

#include <QComboBox>
#include <QString>

#include "core/run/registry.h"

namespace ks::ui {

/// Analyses that generate their own problems, as entries "Basics: Scan" with their ids.
inline void addAnalyses(QComboBox& box, const Registry& registry) {
    for (const Analysis& one : registry.analyses()) {
        if (!one.has_benchmark()) continue;
        const AnalysisInfo& info = one.info();
        const std::string text = info.group.empty() ? info.title : info.group + ": " + info.title;
        box.addItem(QString::fromStdString(text), QString::fromStdString(info.id));
    }
}

}  // namespace ks::ui
