#include "ui/shell/help/manual_view.h"

#include <QImage>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextTable>
#include <QTimer>

#include "ui/base/palette.h"
#include "ui/shell/help/manual_pages.h"

namespace ks::ui {
namespace {

constexpr int widestText = 760;  ///< in screen pixels; longer lines are hard to read
constexpr int margin = 16;

}  // namespace

ManualView::ManualView(QWidget* parent) : QTextBrowser(parent) {
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Page of the manual"));
    setWhatsThis(tr("A page of the manual. Links lead to other pages; Alt+Left goes back."));
    document()->setDocumentMargin(margin);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        const ManualPage* to = manualPage(manualName(url));
        if (!to)
            emit externalLink(url);
        else
            showPage(to->name, url.hasFragment() ? manualBlockOf(*to, url.fragment()) : -1);
    });
    connect(this, &QTextBrowser::sourceChanged, this, [this] {
        arrange();
        mark(marked_);
    });
}

void ManualView::showPage(const QString& name, int block) {
    if (!manualPage(name)) return;
    width_ = viewport()->width();
    setSource(manualUrl(name), QTextDocument::MarkdownResource);
    toBlock(block);
}

QString ManualView::page() const {
    return manualName(source());
}

void ManualView::toBlock(int block) {
    const QTextBlock to = document()->findBlockByNumber(block);
    if (!to.isValid()) return verticalScrollBar()->setValue(0);
    QTextCursor at(to);
    setTextCursor(at);
    const int top = static_cast<int>(cursorRect(at).top()) + verticalScrollBar()->value();
    verticalScrollBar()->setValue(top - margin);
}

QVariant ManualView::loadResource(int type, const QUrl& name) {
    if (type == QTextDocument::MarkdownResource) return manualText(manualName(name));
    if (type != QTextDocument::ImageResource) return {};
    QImage picture(manualPicture(name.fileName()));
    if (picture.isNull()) return {};
    const double ratio = devicePixelRatioF();
    const int room = std::clamp(width_ - 2 * margin - 8, 160, widestText);
    if (picture.width() > room * ratio)
        picture = picture.scaledToWidth(static_cast<int>(room * ratio), Qt::SmoothTransformation);
    picture.setDevicePixelRatio(ratio);
    return picture;
}

// Qt's Markdown has neither lines in tables nor space between paragraphs.
void ManualView::arrange() {
    const QColor line = mixed(palette().color(QPalette::Text), palette().color(QPalette::Base), 0.25);
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        QTextCursor at(block);
        QTextBlockFormat format = block.blockFormat();
        if (QTextTable* table = at.currentTable()) {
            QTextTableFormat look = table->format();
            look.setBorder(1);
            look.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            look.setBorderBrush(line);
            look.setBorderCollapse(true);
            look.setCellPadding(4);
            table->setFormat(look);
            format.setBottomMargin(0);
        } else if (format.headingLevel() > 0) {
            format.setTopMargin(format.headingLevel() == 1 ? 4 : 14);
            format.setBottomMargin(6);
        } else if (format.nonBreakableLines()) {
            format.setBackground(palette().color(QPalette::AlternateBase));
        } else {
            format.setBottomMargin(6);
        }
        at.setBlockFormat(format);
    }
    cursor.endEditBlock();
}

void ManualView::mark(const QString& text) {
    marked_ = text;
    QList<QTextEdit::ExtraSelection> all;
    QTextCharFormat look;
    look.setBackground(mixed(QColor(240, 190, 40), palette().color(QPalette::Base), 0.55));
    if (!text.isEmpty())
        for (QTextCursor at = document()->find(text); !at.isNull(); at = document()->find(text, at))
            all.push_back({at, look});
    setExtraSelections(all);
}

bool ManualView::findNext(const QString& text, bool backward) {
    if (text.isEmpty()) return false;
    const QTextDocument::FindFlags how = backward ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    if (find(text, how)) return true;
    QTextCursor again(document());
    if (backward) again.movePosition(QTextCursor::End);
    setTextCursor(again);
    return find(text, how);
}

void ManualView::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    if (std::abs(viewport()->width() - width_) > 8) QTimer::singleShot(150, this, &ManualView::layOutAgain);
}

void ManualView::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) QTimer::singleShot(0, this, &ManualView::layOutAgain);
}

// Pictures follow the width of the window; links and tables use the colours of the palette.
void ManualView::layOutAgain() {
    if (page().isEmpty()) return;
    const int at = verticalScrollBar()->value();
    width_ = viewport()->width();
    reload();
    verticalScrollBar()->setValue(at);
}

}  // namespace ks::ui
