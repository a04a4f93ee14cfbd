#include "ui/shell/help/manual_window.h"

#include <QAction>
#include <QDesktopServices>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QScrollBar>
#include <QSplitter>
#include <QTextBlock>
#include <QTextTable>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>

#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/shell/help/manual_pages.h"

namespace ks::ui {
namespace {

constexpr int widestText = 760;  ///< in screen pixels; longer lines are hard to read
constexpr int margin = 16;

constexpr int nameRole = Qt::UserRole, blockRole = Qt::UserRole + 1;
constexpr int shortestSearch = 2;  ///< letters
constexpr int listedPlaces = 12;   ///< of a page

QTreeWidgetItem* manualItem(const QString& text, const QString& name, int block) {
    auto* item = new QTreeWidgetItem({text});
    item->setData(0, nameRole, name);
    item->setData(0, blockRole, block);
    item->setToolTip(0, text);
    return item;
}

/// The text with some words of context.
QString excerpt(const QString& line, qsizetype at, qsizetype length) {
    constexpr qsizetype around = 24;
    const qsizetype from = std::max<qsizetype>(at - around, 0), to = at + length + 2 * around;
    return (from > 0 ? QStringLiteral("\u2026") : QString()) + line.mid(from, to - from).simplified() +
           (to < line.size() ? QStringLiteral("\u2026") : QString());
}

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

ManualWindow::ManualWindow(QWidget* parent)
    : QWidget(parent, Qt::Window),
      view_(new ManualView),
      contents_(new QTreeWidget),
      search_(new QLineEdit),
      found_(new QLabel) {
    setWindowTitle(tr("Manual of Kernelscope"));
    makeActions();
    layOut();
    connectParts();
    listContents();
}

void ManualWindow::makeActions() {
    const auto action = [this](const QString& text, const QKeySequence& keys, auto act) {
        auto* made = new QAction(text, this);
        made->setShortcut(keys);
        made->setToolTip(tr("%1 (%2)").arg(text, keys.toString(QKeySequence::NativeText)));
        addAction(made);
        connect(made, &QAction::triggered, this, act);
        return made;
    };
    back_ = action(tr("Back"), QKeySequence(Qt::ALT | Qt::Key_Left), [this] { view_->backward(); });
    on_ = action(tr("Forward"), QKeySequence(Qt::ALT | Qt::Key_Right), [this] { view_->forward(); });
    action(tr("Search"), QKeySequence::Find, [this] {
        search_->setFocus();
        search_->selectAll();
    });
    action(tr("Close"), QKeySequence(Qt::Key_Escape), [this] {
        if (search_->text().isEmpty())
            close();
        else
            search_->clear();
    });
    back_->setObjectName(QStringLiteral("back"));
    on_->setObjectName(QStringLiteral("forward"));
    back_->setEnabled(false);
    on_->setEnabled(false);
}

void ManualWindow::layOut() {
    search_->setPlaceholderText(tr("Search all pages (Ctrl+F)"));
    search_->setClearButtonEnabled(true);
    search_->setAccessibleName(tr("Search the manual"));
    search_->setToolTip(tr("Enter: next match on this page; Shift+Enter: previous match"));
    contents_->setHeaderHidden(true);
    contents_->setAccessibleName(tr("Contents"));
    contents_->setWhatsThis(tr("Pages of the manual; during a search, the matches"));
    contents_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    found_->setAccessibleName(tr("Found"));
    found_->hide();

    auto* head = new QHBoxLayout;
    for (QAction* one : {back_, on_}) {
        auto* button = new QToolButton;
        button->setDefaultAction(one);
        button->setArrowType(one == back_ ? Qt::LeftArrow : Qt::RightArrow);
        button->setAutoRaise(true);
        button->setAccessibleName(one->text());
        head->addWidget(button);
    }
    head->addWidget(search_, 1);
    auto* parts = new QSplitter;
    parts->addWidget(boxed(inRows({head, found_, {contents_, 1}}, {}, {8, 8, 4, 8})));
    parts->addWidget(view_);
    parts->setStretchFactor(1, 1);
    parts->setSizes({270, 790});
    parts->setChildrenCollapsible(false);
    setLayout(inColumns({parts}));
    resize(QSize(1080, 760).boundedTo(screen()->availableSize() - QSize(16, 48)));
}

void ManualWindow::connectParts() {
    connect(view_, &QTextBrowser::backwardAvailable, back_, &QAction::setEnabled);
    connect(view_, &QTextBrowser::forwardAvailable, on_, &QAction::setEnabled);
    connect(view_, &QTextBrowser::sourceChanged, this, &ManualWindow::markPage);
    connect(view_, &ManualView::externalLink, this, [](const QUrl& url) { QDesktopServices::openUrl(url); });
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.trimmed().size() < shortestSearch)
            listContents();
        else
            listPlaces(text.trimmed());
    });
    connect(search_, &QLineEdit::returnPressed, this, [this] {
        view_->findNext(search_->text().trimmed(),
                        QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier));
    });
    const auto go = [this](QTreeWidgetItem* item) {
        view_->showPage(item->data(0, nameRole).toString(), item->data(0, blockRole).toInt());
    };
    connect(contents_, &QTreeWidget::itemClicked, this, go);
    connect(contents_, &QTreeWidget::itemActivated, this, go);
}

void ManualWindow::showPage(const QString& name) {
    view_->showPage(name);
}

void ManualWindow::listContents() {
    view_->mark({});
    found_->hide();
    contents_->clear();
    for (const ManualPage& page : manualPages()) {
        QTreeWidgetItem* top = manualItem(page.title, page.name, -1);
        contents_->addTopLevelItem(top);
        for (qsizetype i = 0; i < page.blocks.size(); ++i)
            if (page.blocks[i].heading == 2)
                top->addChild(manualItem(page.blocks[i].text, page.name, static_cast<int>(i)));
    }
    markPage();
}

void ManualWindow::listPlaces(const QString& text) {
    view_->mark(text);
    contents_->clear();
    int all = 0;
    for (const ManualPage& page : manualPages()) {
        auto* top = manualItem({}, page.name, -1);
        int here = 0;
        for (qsizetype i = 0; i < page.blocks.size(); ++i) {
            const QString& line = page.blocks[i].text;
            const qsizetype at = line.indexOf(text, 0, Qt::CaseInsensitive);
            if (at < 0) continue;
            if (++here <= listedPlaces)
                top->addChild(manualItem(excerpt(line, at, text.size()), page.name, static_cast<int>(i)));
        }
        all += here;
        top->setText(0, tr("%1 (%2)").arg(page.title).arg(here));
        if (here == 0) {
            delete top;
            continue;
        }
        contents_->addTopLevelItem(top);
        top->setExpanded(true);
    }
    found_->setText(all == 0   ? tr("Not found on any page")
                    : all == 1 ? tr("1 match")
                               : tr("%1 matches").arg(all));
    found_->show();
}

void ManualWindow::markPage() {
    if (found_->isVisibleTo(this)) return;
    for (int i = 0; i < contents_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = contents_->topLevelItem(i);
        const bool here = item->data(0, nameRole).toString() == view_->page();
        item->setExpanded(here);
        if (here) contents_->setCurrentItem(item);
    }
}

}  // namespace ks::ui
