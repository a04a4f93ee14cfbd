#include "ui/kernels/build_log_view.h"

#include <QEvent>
#include <QMimeData>
#include <QTextDocumentFragment>
#include <QUrl>

#include "ui/base/input/focus_outline.h"
#include "ui/base/palette.h"

namespace ks::ui {
namespace {

QString escaped(const std::string& text) {
    return QString::fromStdString(text).toHtmlEscaped();
}

/// Without it a line would break after the hyphen of an option.
constexpr QChar joiner(0x2060);

QString optionsText(const std::string& options) {
    QStringList parts = QString::fromStdString(options).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (QString& part : parts) part.replace(QStringLiteral("-"), QLatin1Char('-') + QString(joiner));
    return parts.join(QLatin1Char(' ')).toHtmlEscaped();
}

QString originOf(const BuildLog& build) {
    if (!build.ok) return BuildLogView::tr("build failed");
    if (build.cache == "built") return BuildLogView::tr("built for this run");
    if (build.cache == "memory") return BuildLogView::tr("from memory: built by an earlier run");
    if (build.cache == "disk") return BuildLogView::tr("from disk: built before Kernelscope was started");
    return escaped(build.cache);
}

QString row(const QString& name, const QString& value) {
    return QStringLiteral("<tr><td style='padding-right:12px'>%1</td><td>%2</td></tr>").arg(name, value);
}

}  // namespace

BuildLogView::BuildLogView(QWidget* parent) : QTextBrowser(parent) {
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    new FocusOutline(this);
    document()->setDocumentMargin(10);
    setAccessibleName(tr("Build log"));
    setWhatsThis(
        tr("Input and messages of the device's compiler, program by program. A message with a position links "
           "to its line."));
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        const auto at = link.toString().toULongLong();
        if (at < places_.size()) emit placeClicked(places_[at]);
    });
    setBuilds({}, {}, {});
}

void BuildLogView::setBuilds(const QString& title, const std::vector<BuildLog>& builds, const Find& find) {
    title_ = title;
    builds_ = builds;
    find_ = find;
    showBuilds();
}

void BuildLogView::showBuilds() {
    places_.clear();
    QString html;
    if (title_.isEmpty())
        html = tr("<p>Run this variant on its page to see its programs and compiler messages here.</p>");
    else if (builds_.empty())
        html = tr("<p><b>%1</b></p><p>No program was compiled for this run.</p>").arg(title_.toHtmlEscaped());
    else
        html = QStringLiteral("<p><b>%1</b></p>").arg(title_.toHtmlEscaped());
    const bool dark = isDark(palette());
    for (const BuildLog& build : builds_) {
        html += QStringLiteral("<h4>%1</h4><table cellspacing='2'>").arg(escaped(build.source_file));
        html += row(tr("Binary"), originOf(build));
        html += row(tr("Options"), QStringLiteral("<code>%1</code>").arg(optionsText(build.options)));
        QStringList kernels;
        for (const std::string& name : build.entry_points) kernels << escaped(name);
        if (!kernels.isEmpty())
            html += row(tr("Kernels"), QStringLiteral("<code>%1</code>").arg(kernels.join(", ")));
        if (!build.text_hash.empty())
            html += row(tr("Text hash"), QStringLiteral("<code>%1</code>").arg(escaped(build.text_hash)));
        html += QStringLiteral("</table>");
        const std::vector<CompilerMessage> messages = compiler_messages(build.log);
        html += build.cache == "disk" && messages.empty()
                    ? tr("<p>Compiler messages are not stored with the binary.</p>")
                : messages.empty() ? tr("<p>No compiler messages.</p>")
                                   : QStringLiteral("<p>");
        for (const CompilerMessage& message : messages) {
            const std::optional<SourcePlace> place = find_ ? find_(build, message) : std::nullopt;
            const char* colour = message.kind == CompilerMessage::Kind::error ? (dark ? "#ff7b72" : "#c62828")
                                 : message.kind == CompilerMessage::Kind::warning
                                     ? (dark ? "#e3b341" : "#8a5200")
                                     : nullptr;
            QString text = escaped(place ? text_with_kind(message) : message.whole);
            if (colour)
                text = QStringLiteral("<span style='color:%1'>%2</span>").arg(QLatin1String(colour), text);
            if (place) {
                text = QStringLiteral("<a href='%1'>%2:%3</a>&nbsp; %4")
                           .arg(places_.size())
                           .arg(escaped(place->file))
                           .arg(place->line)
                           .arg(text);
                places_.push_back(*place);
            }
            html += QStringLiteral("<code>%1</code><br>").arg(text);
        }
        if (!messages.empty()) html += QStringLiteral("</p>");
    }
    setHtml(html);
}

QMimeData* BuildLogView::createMimeDataFromSelection() const {
    // Copied text is meant for a command line.
    auto* const copied = new QMimeData;
    copied->setText(textCursor().selection().toPlainText().remove(joiner));
    return copied;
}

void BuildLogView::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) showBuilds();
}

}  // namespace ks::ui
