#pragma once

#include <QComboBox>
#include <QString>
#include <string>
#include <utility>
#include <vector>

#include "ui/base/number_box.h"

namespace ks::ui {

inline QSpinBox* countBox(int minimum, int maximum, int value, const QString& name, const QString& tip) {
    auto* box = new WholeBox;
    box->setRange(minimum, maximum);
    box->setValue(value);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    return box;
}

/// A combo box for a narrow form: it may be narrower than its entries.
inline void keepNarrow(QComboBox& box, int characters) {
    box.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box.setMinimumContentsLength(characters);
}

/// @param entries id and text of each
inline QComboBox* choiceBox(const std::vector<std::pair<const char*, QString>>& entries, const QString& name,
                            const QString& tip) {
    auto* box = new QComboBox;
    for (const auto& [id, text] : entries) box->addItem(text, QString::fromLatin1(id));
    box->setAccessibleName(name);
    box->setToolTip(tip);
    keepNarrow(*box, 8);
    return box;
}

inline std::string chosenId(const QComboBox& box) {
    return box.currentData().toString().toStdString();
}

/// Has no effect if there is no such id.
inline void chooseId(QComboBox& box, const QString& id) {
    if (const int at = box.findData(id); at >= 0) box.setCurrentIndex(at);
}

}  // namespace ks::ui
