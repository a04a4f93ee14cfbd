#pragma once

#include <QString>

#include "core/xpcs/stability/stability.h"

namespace ks::ui::xpcs {

/// "errors: published, not jackknife" where g2 of some of the frames has errors by another method than the
/// run's; else empty.
inline QString otherErrors(const ks::xpcs::Estimate& ofRun) {
    const ks::xpcs::ErrorMethod errors = ks::xpcs::errors_of_segments(ofRun.errors);
    return errors == ofRun.errors ? QString()
                                  : QObject::tr("errors: %1, not %2")
                                        .arg(QString::fromLatin1(ks::xpcs::name_of(errors)),
                                             QString::fromLatin1(ks::xpcs::name_of(ofRun.errors)));
}

}  // namespace ks::ui::xpcs
