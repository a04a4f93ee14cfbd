#pragma once

#include <QCoreApplication>

#include "ui/base/count_text.h"

namespace ks::ui::spots {

/// "1 spot", "2,912 spots".
inline QString spotsText(std::size_t n) {
    return counted(n, QCoreApplication::translate("spots", "1 spot"),
                   QCoreApplication::translate("spots", "%1 spots"));
}

}  // namespace ks::ui::spots
