#include "ui/shell/page.h"

namespace ks::ui {

QString Page::outdatedText(const QStringList& labels) {
    constexpr qsizetype named = 3;
    if (labels.isEmpty()) return {};
    QStringList first = labels.mid(0, named);
    if (labels.size() > named) first << tr("%1 more").arg(labels.size() - named);
    return tr("of other parameters (%1)").arg(first.join(QStringLiteral(", ")));
}

}  // namespace ks::ui
