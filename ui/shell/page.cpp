#include "ui/shell/page.h"

#include "ui/files/file_filters.h"
#include "ui/image/mask/session_mask.h"

namespace ks::ui {

PageContext::PageContext(Jobs& jobsOfWindow)
    : jobs(jobsOfWindow), mask(std::make_shared<SessionMask>(jobsOfWindow)) {}

QStringList Page::fileFilters() const {
    return frameFilters();
}

void Page::setDrawerOpen(bool open) {
    drawerOpen_ = open;
    for (QWidget* part : drawer_) part->setVisible(open);
}

void Page::disconnectParts(const QList<QObject*>& docked) {
    for (QObject* part : findChildren<QObject*>() + docked) part->disconnect(this);
}

QString Page::outdatedText(const QStringList& labels, qsizetype named) {
    if (labels.isEmpty()) return {};
    QStringList first = labels.mid(0, named);
    if (labels.size() > named) first << tr("%1 more").arg(labels.size() - named);
    return tr("of other parameters (%1)").arg(first.join(QStringLiteral(", ")));
}

}  // namespace ks::ui
