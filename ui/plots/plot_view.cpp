#include "ui/plots/plot_view.h"

#include <qcustomplot.h>
#include <QAction>
#include <QClipboard>
#include <QFocusEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>
#include <QToolTip>

#include "ui/plots/figure_export.h"

namespace ks::ui {
namespace {

QToolButton* smallButton(QWidget* parent, const QString& name) {
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setCursor(Qt::ArrowCursor);
    QFont font = button->font();
    font.setPointSizeF(font.pointSizeF() * 0.9);
    button->setFont(font);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

/// A frame over a plot that has got the focus from the keyboard.
class FocusRing : public QWidget {
  public:
    explicit FocusRing(QWidget& plot) : QWidget(&plot) {
        setObjectName(QStringLiteral("focusRing"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        hide();
        plot.installEventFilter(this);
    }

  protected:
    bool eventFilter(QObject* object, QEvent* event) override {
        if (event->type() == QEvent::FocusIn) {
            const Qt::FocusReason why = static_cast<QFocusEvent*>(event)->reason();
            if (why == Qt::TabFocusReason || why == Qt::BacktabFocusReason || why == Qt::ShortcutFocusReason)
                showAround(*static_cast<QWidget*>(object));
        } else if (event->type() == QEvent::FocusOut) {
            const Qt::FocusReason why = static_cast<QFocusEvent*>(event)->reason();
            if (why != Qt::PopupFocusReason && why != Qt::ActiveWindowFocusReason) hide();
        } else if (event->type() == QEvent::MouseButtonPress) {
            hide();
        } else if (event->type() == QEvent::Resize && isVisible()) {
            showAround(*static_cast<QWidget*>(object));
        }
        return false;
    }
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        painter.setPen(QPen(palette().color(QPalette::Link), 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }

  private:
    void showAround(const QWidget& plot) {
        setGeometry(plot.rect());
        raise();
        show();
    }
};

}  // namespace

HoverText::HoverText(QCustomPlot& plot, std::function<QString(const QPointF&)> describe,
                     std::function<void(const QString&)> said)
    : QObject(&plot), plot_(plot), describe_(std::move(describe)), said_(std::move(said)) {
    plot.installEventFilter(this);
    connect(&plot, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) { move(*event); });
    connect(&plot, &QCustomPlot::afterReplot, this, [this] {
        if (!at_ || pressed_) return;
        const QString text = describe_(*at_);
        if (!tell(text)) return;
        if (text.isEmpty())
            QToolTip::hideText();
        else if (QToolTip::isVisible())
            QToolTip::showText(onScreen_, text, &plot_);
    });
}

bool HoverText::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::Leave) {
        at_.reset();
        text_.clear();
        if (said_) said_({});
    }
    return QObject::eventFilter(object, event);
}

void HoverText::move(const QMouseEvent& event) {
    at_ = event.position();
    onScreen_ = event.globalPosition().toPoint();
    pressed_ = event.buttons() != Qt::NoButton;
    const QString text = describe_(*at_);
    tell(text);
    if (text.isEmpty() || pressed_)
        QToolTip::hideText();
    else
        QToolTip::showText(onScreen_, text, &plot_);
}

bool HoverText::tell(const QString& text) {
    if (text == text_) return false;
    text_ = text;
    if (said_) said_(text);
    return true;
}

PlotView::PlotView(QCustomPlot& plot, const ExportablePlot& figure, std::function<void()> showAll)
    : QObject(&plot),
      plot_(plot),
      figure_(figure),
      showAll_(std::move(showAll)),
      reset_(smallButton(&plot, QStringLiteral("resetView"))) {
    const auto action = [this](const char* name, const QString& text, auto does) {
        auto* made = new QAction(text, this);
        made->setObjectName(QLatin1String(name));
        connect(made, &QAction::triggered, this, does);
        return made;
    };
    export_ = action("export", tr("&Export..."), [this] {
        if (PlotExporter* found = exporter()) found->exportFigure(figure_);
    });
    resetAction_ = action("reset", tr("&Reset view"), [this] { reset(); });
    resetAction_->setShortcut(Qt::Key_Home);
    resetAction_->setShortcutContext(Qt::WidgetShortcut);
    resetAction_->setToolTip(tr("Show all data (Home or double-click)"));
    plot_.addAction(resetAction_);
    autoscale_ = action("autoscale", tr("&Autoscale"), [this](bool on) {
        if (on)
            reset();
        else
            setByHand(true);
    });
    autoscale_->setCheckable(true);
    fixed_ = {action("copyPicture", tr("Copy &picture"), [this] { copyPicture(); }),
              action("copyData", tr("Copy &data"), [this] { copyData(); }), export_};

    reset_->setText(tr("Reset view"));
    reset_->setToolTip(resetAction_->toolTip());
    reset_->setAccessibleName(tr("Reset view"));
    reset_->hide();
    connect(reset_, &QToolButton::clicked, this, &PlotView::reset);
    connect(&plot_, &QCustomPlot::mouseDoubleClick, this, [this] { reset(); });
    connect(&plot_, &QCustomPlot::afterReplot, this, &PlotView::placeButtons);
    plot_.installEventFilter(this);
    plot_.setFocusPolicy(Qt::StrongFocus);
    new FocusRing(plot_);
    plot_.setWhatsThis(
        tr("A plot. Scroll to zoom, drag to pan; Home or a double-click shows all data. Right-click to copy, "
           "export or change the axes."));
    for (QCPAxis* axis : {plot_.xAxis, plot_.yAxis})
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this] {
            if (ours_ > 0) return;
            release();
            setByHand(true);
        });
}

void PlotView::change(const std::function<void()>& how) {
    ++ours_;
    how();
    --ours_;
}

void PlotView::fit() {
    if (held_) return hold(*held_);
    change(showAll_);
    setByHand(false);
}

void PlotView::reset() {
    release();
    fit();
}

std::optional<PlotRanges> PlotView::ranges() const {
    if (!byHand_) return std::nullopt;
    const QCPRange x = plot_.xAxis->range(), y = plot_.yAxis->range();
    return PlotRanges{x.lower, x.upper, y.lower, y.upper};
}

void PlotView::hold(const PlotRanges& ranges) {
    held_ = ranges;
    change([&] {
        plot_.xAxis->setRange(ranges.xLower, ranges.xUpper);
        plot_.yAxis->setRange(ranges.yLower, ranges.yUpper);
    });
    setByHand(true);
}

void PlotView::setByHand(bool byHand) {
    if (byHand_ == byHand) return;
    byHand_ = byHand;
    reset_->setVisible(byHand);
    placeButtons();
}

QAction* PlotView::addSwitch(const QString& name, const QString& text, const QString& tip,
                             const std::function<void(bool)>& set) {
    auto* made = new QAction(text, this);
    made->setObjectName(name);
    made->setCheckable(true);
    made->setToolTip(tip);
    connect(made, &QAction::triggered, this, set);
    switches_ << made;
    return made;
}

QToolButton* PlotView::addCorner(QAction* action, const QString& text) {
    corner_ = smallButton(&plot_, action->objectName());
    corner_->setDefaultAction(action);
    corner_->setText(text);
    corner_->setAutoRaise(true);
    corner_->setAccessibleName(action->text().remove(QLatin1Char('&')));
    connect(action, &QAction::changed, corner_, [this, text] { corner_->setText(text); });
    return corner_;
}

void PlotView::placeButtons() {
    reset_->adjustSize();
    const QRect inside = plot_.axisRect()->rect();
    const QPoint at = inside.bottomRight() - QPoint(reset_->width() + 4, reset_->height() + 4);
    reset_->move(std::max(at.x(), 0), std::max(at.y(), 0));
    if (!corner_) return;
    corner_->adjustSize();
    const QRect all = plot_.rect();
    corner_->move(all.right() - corner_->width(), all.bottom() - corner_->height());
}

void PlotView::fillMenu(QMenu& menu) {
    export_->setEnabled(exporter() != nullptr);
    resetAction_->setEnabled(byHand_);
    autoscale_->setChecked(!byHand_);
    menu.addActions(fixed_);
    menu.addSeparator();
    menu.addAction(resetAction_);
    menu.addAction(autoscale_);
    for (QAction* one : switches_)
        if (one->isVisible()) menu.addAction(one);
}

bool PlotView::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::ContextMenu) {
        QMenu menu(&plot_);
        menu.setToolTipsVisible(true);
        fillMenu(menu);
        menu.exec(static_cast<QContextMenuEvent*>(event)->globalPos());
        // If disabled, it would no longer receive the key.
        resetAction_->setEnabled(true);
        return true;
    }
    return QObject::eventFilter(object, event);
}

void PlotView::use() {
    if (PlotExporter* found = exporter()) found->usePlot(figure_);
}

PlotExporter* PlotView::exporter() const {
    for (QWidget* around = plot_.parentWidget(); around; around = around->parentWidget())
        if (auto* found = dynamic_cast<PlotExporter*>(around)) return found;
    return nullptr;
}

void PlotView::copyPicture() const {
    QGuiApplication::clipboard()->setImage(drawnFigure(figure_, {}));
}

void PlotView::copyData() const {
    QGuiApplication::clipboard()->setText(QString::fromStdString(figure_.csv()));
}

}  // namespace ks::ui
