#include "ui/shell/drawer.h"

#include <QApplication>
#include <QLabel>
#include <QResizeEvent>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <algorithm>
#include <optional>
#include <utility>

#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/base/restyled.h"

namespace ks::ui {
namespace {

/// Minimum size of a pane.
constexpr int paneWidth = 380, paneHeight = 240;

}  // namespace

/// Room beside the tabs of a pane, which become narrower by it.
class Drawer::Room : public QWidget {
  public:
    void setWidth(int width) {
        if (std::exchange(width_, width) != width) updateGeometry();
    }
    QSize sizeHint() const override { return {width_, 0}; }

  private:
    int width_ = 0;
};

Drawer::Drawer(QWidget* parent)
    : QWidget(parent),
      panes_(new QSplitter(this)),
      tabs_{new QTabWidget, new QTabWidget},
      markLabel_(new QLabel(this)),
      room_(new Room) {
    for (QTabWidget* one : tabs_) {
        one->setDocumentMode(true);
        one->setAccessibleName(one == tabs_[0] ? tr("Plots and tables") : tr("More plots and tables"));
        one->tabBar()->setUsesScrollButtons(true);
        one->tabBar()->setExpanding(false);
        one->setElideMode(Qt::ElideNone);
        panes_->addWidget(one);
        panes_->setStretchFactor(panes_->indexOf(one), 1);
        connect(one, &QTabWidget::currentChanged, this, [this, one] {
            if (moving_) return;
            tabChosen_ = tabChosen_ || !raising_;
            const QWidget* const shown = one->currentWidget();
            note(shown);
            emit raisedChanged();
            if (PlotView* const plot = shown ? shown->findChild<PlotView*>() : nullptr) plot->use();
        });
    }
    tabs_[0]->setCornerWidget(room_, Qt::TopRightCorner);
    markLabel_->setAccessibleName(tr("Whether the plots match the current inputs"));
    markLabel_->setWhatsThis(
        tr("The current inputs differ from those that these plots and tables were computed with"));
    markLabel_->setContentsMargins(8, 1, 8, 1);
    markLabel_->setAutoFillBackground(true);
    markLabel_->setTextFormat(Qt::PlainText);
    markLabel_->hide();
    tabs_[1]->hide();
    panes_->setChildrenCollapsible(false);
    setLayout(inRows({panes_}));
    for (const QTabWidget* one : tabs_) one->tabBar()->installEventFilter(this);
    new Restyled(this, Restyled::By::paletteOrFont, [this] { showMark(); });
}

// Tabs that are being deleted choose others.
Drawer::~Drawer() {
    for (QTabWidget* one : tabs_) one->disconnect(this);
}

std::vector<DrawerPart> Drawer::all() const {
    std::vector<DrawerPart> all = parts_;
    all.insert(all.end(), shared_.begin(), shared_.end());
    return all;
}

void Drawer::setParts(std::vector<DrawerPart> parts) {
    parts_ = std::move(parts);
    arrange(true);
}

void Drawer::setShared(std::vector<DrawerPart> shared) {
    const std::vector<DrawerPart> before = std::exchange(shared_, std::move(shared));
    arrange(true);
    // Lent to another drawer in the meantime, or to none: then they have no parent to be shown in.
    for (const DrawerPart& one : before)
        if (one.widget && isAncestorOf(one.widget) && !paneOf(one.widget)) one.widget->setParent(nullptr);
}

QTabWidget* Drawer::paneOf(const QWidget* part) const {
    const auto at = std::ranges::find_if(
        tabs_, [part](const QTabWidget* one) { return one->indexOf(const_cast<QWidget*>(part)) >= 0; });
    return at == tabs_.end() ? nullptr : *at;
}

bool Drawer::twoPanes() const {
    return two_;
}

// Side by side in a low drawer, one above the other in a narrow one.
void Drawer::arrange(bool anew) {
    const Qt::Orientation along = width() >= height() ? Qt::Horizontal : Qt::Vertical;
    const bool room = along == Qt::Horizontal ? width() >= 2 * paneWidth : height() >= 2 * paneHeight;
    const std::vector<DrawerPart> parts = all();
    const auto isSecond = [](const DrawerPart& one) { return one.second; };
    const bool two = room && std::ranges::any_of(parts, isSecond) && !std::ranges::all_of(parts, isSecond);
    if (panes_->orientation() != along) panes_->setOrientation(along);
    if (!anew && two == two_) return;
    const bool before = std::exchange(moving_, true);
    const QStringList chosen = raised();
    if (two_)
        for (const QTabWidget* one : tabs_) note(one->currentWidget());
    const bool divided = std::exchange(two_, two);
    for (QTabWidget* one : tabs_) one->clear();
    for (const bool second : {false, true})
        for (const DrawerPart& part : parts)
            if (part.second == second) {
                QTabWidget& pane = *tabs_[two && second ? 1 : 0];
                pane.setTabWhatsThis(pane.addTab(part.widget, part.title), part.about);
            }
    tabs_[1]->setVisible(two);
    if (two && !divided) panes_->setSizes({1000, 1000});
    // When both panes become one, the part chosen in the first one stays visible.
    for (auto title = chosen.crbegin(); title != chosen.crend(); ++title)
        for (const DrawerPart& part : parts)
            if (part.title == *title) paneOf(part.widget)->setCurrentWidget(part.widget);
    moving_ = before;
    showMark();
    emit raisedChanged();
}

void Drawer::note(const QWidget* part) {
    for (const DrawerPart& one : all())
        if (one.widget == part) chosen_[one.second ? 1 : 0] = one.title;
}

void Drawer::raise(QWidget* part) {
    note(part);
    const bool before = std::exchange(raising_, true);
    if (QTabWidget* pane = paneOf(part)) pane->setCurrentWidget(part);
    raising_ = before;
}

bool Drawer::isRaised(const QWidget* part) const {
    const QTabWidget* pane = paneOf(part);
    return pane && pane->currentWidget() == part;
}

QStringList Drawer::raised() const {
    QStringList titles;
    for (const QTabWidget* one : tabs_)
        if (one->currentIndex() >= 0) titles << one->tabText(one->currentIndex());
    if (two_) return titles;
    for (const QString& title : chosen_)
        if (!title.isEmpty() && !titles.contains(title)) titles << title;
    return titles;
}

void Drawer::setRaised(const QStringList& titles) {
    for (auto title = titles.crbegin(); title != titles.crend(); ++title)
        for (const DrawerPart& part : all())
            if (part.title == *title) raise(part.widget);
}

std::map<std::string, PlotView*> Drawer::plots() const {
    std::map<std::string, PlotView*> found;
    for (const DrawerPart& part : parts_) {
        const QList<PlotView*> views = part.widget->findChildren<PlotView*>();
        for (qsizetype i = 0; i < views.size(); ++i) {
            const QString name = i == 0 ? part.title : QStringLiteral("%1 %2").arg(part.title).arg(i + 1);
            found[name.toStdString()] = views[i];
        }
    }
    return found;
}

std::map<std::string, PlotRanges> Drawer::views() const {
    std::map<std::string, PlotRanges> kept;
    for (const auto& [name, plot] : plots())
        if (const std::optional<PlotRanges> ranges = plot->ranges()) kept[name] = *ranges;
    return kept;
}

void Drawer::holdViews(const std::map<std::string, PlotRanges>& views) {
    for (const auto& [name, plot] : plots())
        if (const auto kept = views.find(name); kept != views.end()) plot->hold(kept->second);
}

void Drawer::releaseViews() {
    for (const auto& [name, plot] : plots()) plot->release();
}

void Drawer::setMark(const QString& mark, const QString& shorter) {
    if (mark == mark_) return;
    mark_ = mark;
    shortMark_ = shorter;
    showMark();
}

// Whatever tabs are scrolled out of sight now.
QRect Drawer::besideTabs(const QTabWidget& pane) const {
    const QTabBar& bar = *pane.tabBar();
    if (bar.count() == 0 || pane.isHidden()) return {};
    int width = 0;
    for (int i = 0; i < bar.count(); ++i) width += bar.tabRect(i).width();
    const QPoint left = pane.mapTo(this, QPoint()), top = bar.mapTo(this, QPoint());
    constexpr int gap = 8;
    return {QPoint(left.x() + width + gap, top.y()),
            QPoint(left.x() + pane.width() - 1, top.y() + bar.height() - 1)};
}

int Drawer::widthOfMark(const QString& text) const {
    const QMargins margins = markLabel_->contentsMargins();
    return fontMetrics().horizontalAdvance(text) + margins.left() + margins.right();
}

// Also without a mark, so that no tab and no arrow moves when one comes. A tab and the arrows keep half of
// the line.
void Drawer::keepRoom() {
    const int usual = widthOfMark(tr("Preview; run 00 outdated"));
    const bool beside = std::ranges::any_of(
        tabs_, [&](const QTabWidget* pane) { return besideTabs(*pane).width() >= usual; });
    room_->setWidth(beside ? 0 : std::min(usual, tabs_[0]->width() / 2));
}

// Whole where there is room, otherwise in its shorter form, of which the end may be missing.
void Drawer::showMark() {
    keepRoom();
    markLabel_->setToolTip(mark_);
    const QFontMetrics metrics = fontMetrics();
    const QMargins margins = markLabel_->contentsMargins();
    std::array places{besideTabs(*tabs_[0]), besideTabs(*tabs_[1])};
    if (const int width = room_->sizeHint().width(); width > 0) {
        places[0].setRight(tabs_[0]->mapTo(this, tabs_[0]->rect().topRight()).x());
        places[0].setLeft(places[0].right() - width + 1);
    }
    const auto showIn = [&](const QRect& place, const QString& text) {
        markLabel_->setText(text);
        const int height = std::min(place.height(), metrics.height() + margins.top() + margins.bottom()),
                  width = widthOfMark(text);
        markLabel_->setGeometry(place.right() - width + 1, place.top() + (place.height() - height) / 2, width,
                                height);
    };
    const QString& least = shortMark_.isEmpty() ? mark_ : shortMark_;
    const auto shown = [&] {
        for (const QString& text : {mark_, shortMark_})
            for (const QRect& place : places)
                if (!text.isEmpty() && place.isValid() && widthOfMark(text) <= place.width()) {
                    showIn(place, text);
                    return true;
                }
        return false;
    };
    if (!least.isEmpty() && !shown()) {
        // Nothing is shown as current that is not.
        const QRect& place = *std::ranges::max_element(places, {}, &QRect::width);
        showIn(place,
               metrics.elidedText(least, Qt::ElideRight, place.width() - margins.left() - margins.right()));
    }
    markLabel_->setVisible(!least.isEmpty());
    if (least.isEmpty()) return;
    markLabel_->raise();
    const bool dark = isDark(qApp->palette());
    QPalette colours = qApp->palette();
    colours.setColor(QPalette::Window,
                     mixed(QColor(0xffa000), colours.color(QPalette::Window), dark ? 0.25 : 0.18));
    colours.setColor(QPalette::WindowText, QColor(dark ? 0xffd180 : 0x7a4f00));
    markLabel_->setPalette(colours);
}

bool Drawer::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) showMark();
    return QWidget::eventFilter(object, event);
}

void Drawer::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange(false);
    showMark();
}

}  // namespace ks::ui
