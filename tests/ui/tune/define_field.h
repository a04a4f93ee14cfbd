#pragma once

#include "ui/tune/define_values.h"

namespace ks::tests {

/// The field of a define, by its name for screen readers: "WG=64" for a box, "CASE" for a line.
template <class Field>
Field& define_field(const ui::tune::DefineValues& values, const QString& name) {
    for (Field* one : values.findChildren<Field*>())
        if (one->accessibleName() == name) return *one;
    qFatal("no field %s", qPrintable(name));
}

}  // namespace ks::tests
