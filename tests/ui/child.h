#pragma once

#include <QWidget>

namespace ks::tests {

/// The part of a widget, or else of its window, that has this type and name; without a name the first one of
/// the type. Ends the program if there is none.
template <class Part>
Part& child(const QWidget& in, const QString& name = {}) {
    auto* found = in.findChild<Part*>(name);
    if (!found) found = in.window()->findChild<Part*>(name);
    if (!found) qFatal("no %s %s", Part::staticMetaObject.className(), qPrintable(name));
    return *found;
}

}  // namespace ks::tests
