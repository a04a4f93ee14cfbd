#include "ui/kernels/resources_view.h"

#include <QEvent>

#include "core/kernels/private_memory.h"
#include "ui/base/count_text.h"
#include "ui/base/palette.h"

namespace ks::ui {
namespace {

QString bytesText(std::uint64_t bytes) {
    return bytes < 10'000 ? grouped(bytes) + QStringLiteral(" B") : formatBytes(bytes);
}

QString knownBytes(const std::optional<std::uint64_t>& value) {
    return value ? bytesText(*value) : ResourcesView::tr("not reported");
}

QString knownCount(const std::optional<std::uint64_t>& value) {
    return value ? grouped(*value) : QStringLiteral("not reported");
}

QString tableRow(const QStringList& cells, const char* tag, const QColor& line) {
    QString html = QStringLiteral("<tr>");
    for (qsizetype i = 0; i < cells.size(); ++i)
        html += QStringLiteral("<%1 align='%2' style='padding:3px 10px;border-bottom:1px solid %3'>%4</%1>")
                    .arg(QLatin1String(tag), i == 0 ? QStringLiteral("left") : QStringLiteral("right"),
                         line.name(), cells[i]);
    return html + QStringLiteral("</tr>");
}

}  // namespace

ResourcesView::ResourcesView(QWidget* parent) : QTextBrowser(parent) {
    setFrameShape(QFrame::NoFrame);
    document()->setDocumentMargin(10);
    setAccessibleName(tr("Resource usage of the kernels"));
    setWhatsThis(
        tr("Registers, local and private memory of each kernel of the run, its launched group size, and how "
           "many of its groups fit on a compute unit at the same time."));
    showBuilds();
}

void ResourcesView::setBuilds(const QString& title, const std::vector<BuildLog>& builds,
                              const DeviceInfo& device, const std::optional<ComputeUnitLimits>& limits) {
    title_ = title;
    builds_ = builds;
    device_ = device;
    limits_ = limits;
    showBuilds();
}

QString ResourcesView::tableOf(const BuildLog& build) const {
    const QColor line = mixed(palette().color(QPalette::Text), palette().color(QPalette::Base), 0.2);
    QString html = QStringLiteral("<table cellspacing='0'>");
    html += tableRow({tr("Kernel"), tr("Registers"), tr("Spills"), tr("Local"), tr("Private"), tr("Group"),
                      tr("Largest group"), tr("Multiple")},
                     "th", line);
    for (const KernelResources& kernel : build.resources)
        html += tableRow({QStringLiteral("<code>%1</code>")
                              .arg(QString::fromStdString(kernel.entry_point).toHtmlEscaped()),
                          knownCount(kernel.registers), knownBytes(kernel.spill_bytes),
                          bytesText(kernel.local_bytes), knownBytes(private_memory_of(kernel, device_)),
                          kernel.group ? grouped(*kernel.group) : tr("the driver's choice"),
                          grouped(kernel.work_group), grouped(kernel.multiple)},
                         "td", line);
    html += QStringLiteral("</table>");
    for (const KernelResources& kernel : build.resources)
        html += QStringLiteral("<p><code>%1</code>: %2</p>")
                    .arg(QString::fromStdString(kernel.entry_point).toHtmlEscaped(),
                         QString::fromStdString(
                             occupancy_sentence(kernel, kernel.group.value_or(0), device_, limits_))
                             .toHtmlEscaped());
    return html;
}

void ResourcesView::showBuilds() {
    QString html;
    if (title_.isEmpty()) {
        html = tr("<p>Run this variant on its page to see its resource usage per compute unit here.</p>");
    } else {
        html = QStringLiteral("<p><b>%1</b></p>").arg(title_.toHtmlEscaped());
        bool any = false;
        for (const BuildLog& build : builds_) {
            if (build.resources.empty()) continue;
            any = true;
            html +=
                QStringLiteral("<h4>%1</h4>").arg(QString::fromStdString(build.source_file).toHtmlEscaped());
            html += tableOf(build);
        }
        if (!any) html += tr("<p>This run recorded no resource usage. Run the variant again.</p>");
        if (any && limits_)
            html += tr("<p>A compute unit of %1 (%2) has room for %3 work-items, %4 groups, %5 registers and "
                       "%6 of local memory.</p>")
                        .arg(QString::fromStdString(device_.name).toHtmlEscaped(),
                             QString::fromStdString(limits_->name).toHtmlEscaped(),
                             grouped(limits_->work_items), grouped(limits_->groups),
                             grouped(limits_->registers), formatBytes(limits_->local_bytes));
        if (any)
            html +=
                tr("<p>Local memory is per group and does not include arguments in local memory; registers "
                   "and private memory are per work-item. No lane is idle if the group size is a multiple of "
                   "the number in the column \"Multiple\".</p>");
        const std::string reason = why_private_memory_is_not_told(device_);
        if (any && !reason.empty())
            html += QStringLiteral("<p>%1</p>").arg(QString::fromStdString(reason).toHtmlEscaped());
    }
    setHtml(html);
}

void ResourcesView::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) showBuilds();
}

}  // namespace ks::ui
