#include "ui/image/mask/mask_bar.h"

#include <algorithm>
#include <utility>

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QLayout>
#include <QSignalBlocker>
#include <QToolButton>

#include "core/data/valid_pixels.h"
#include "ui/base/count_text.h"
#include "ui/base/history.h"
#include "ui/base/palette.h"
#include "ui/image/tools/brush_tool.h"
#include "ui/image/tools/flood_tool.h"
#include "ui/image/tools/tool_fields.h"

namespace ks::ui {

MaskBar::~MaskBar() {
    detach();
    delete card_;  // its fields refer to tools of the bar
}

ToolFields* MaskBar::fields() const {
    return card_->fields();
}

QComboBox* MaskBar::targets() const {
    return card_->targets();
}

QDoubleSpinBox* MaskBar::sigma() const {
    return card_->sigma();
}

void MaskBar::detach() {
    if (editor_) editor_->disconnect(this);
    if (view_) {
        view_->disconnect(this);
        view_->disconnect(brush_);
        for (QAction* action : std::as_const(menu_)) view_->removeAction(action);
        if (tool() && view_->tool() == tool()) view_->setTool(nullptr);
    }
    for (RegionTool* tool : tools_) tool->setSink(nullptr);
}

void MaskBar::attach(DetectorView* view, RegionEditor* editor) {
    detach();
    view_ = view;
    editor_ = editor;
    if (card_) card_->floatOver(view);
    view->addActions(menu_);
    for (RegionTool* tool : tools_) tool->setSink(editor);
    connect(editor, &QObject::destroyed, this, [this] {
        for (RegionTool* tool : tools_) tool->setSink(nullptr);
        setEnabled(false);
    });
    connect(view, &QObject::destroyed, this, [this] {
        if (tool()) tool()->cancel();
    });
    const auto takeFrame = [this] {
        for (RegionTool* tool : tools_) tool->setImageSize(editor_->height(), editor_->width());
        flood_->setFrame(editor_->frame());
        refreshWithoutCount();
    };
    connect(editor, &RegionEditor::frameChanged, this, takeFrame);
    connect(editor, &RegionEditor::reset, this, &MaskBar::showMask);
    connect(editor, &RegionEditor::maskEdited, this, [this](const PixelRect& where) {
        if (viewFits()) view_->maskChanged(where);
    });
    connect(editor, &RegionEditor::historyChanged, this, &MaskBar::refresh);
    connect(editor, &RegionEditor::targetChanged, this, &MaskBar::refresh);
    connect(editor, &RegionEditor::failed, this, &MaskBar::failed);
    connect(editor, &RegionEditor::busyChanged, this, [this](bool busy, const QString& name) {
        const QString idle = tool() ? tool()->hint() : QString();
        emit hint(busy ? tr("%1: searching the frame").arg(name) : idle);
    });
    connect(editor, &RegionEditor::discarded, this, [this](const QString& name) {
        emit hint(tr("%1: result discarded, mask or bins were edited meanwhile").arg(name));
    });
    connect(view, &DetectorView::viewChanged, this, [this] {
        const auto shape = view_->frame() ? view_->frame()->shape() : std::vector<std::size_t>{};
        if (shape != std::exchange(shape_, shape)) showMask();
    });
    connect(view, &DetectorView::hoverLeft, brush_, &BrushTool::hideTip);
    connect(view, &DetectorView::toolChanged, this, [this] {
        RegionTool* own = tool();
        if (own && view_->tool() != own) useTool(nullptr);
        showPointer();
    });
    takeFrame();
    showMask();
    if (tool()) view->setTool(tool());
    if (card_) card_->showFor(tool());
    showPointer();
    refresh();
}

void MaskBar::setHistory(History* history) {
    history_ = history;
    for (const char* name : {"undo", "redo"}) actions_.value(QLatin1String(name))->setShortcuts({});
    connect(history, &History::indexChanged, this, &MaskBar::refreshUndo);
    connect(history, &History::heldChanged, this, &MaskBar::refreshUndo);
    refreshUndo();
}

void MaskBar::refreshUndo() {
    const auto name = [this](const char* id, const QString& verb, bool can, const QString& step,
                             const QString& key) {
        QAction* action = actions_.value(QLatin1String(id));
        action->setEnabled(can);
        const QString keys = history_ ? key : action->shortcut().toString(QKeySequence::NativeText);
        action->setText(step.isEmpty() ? verb : tr("%1 %2").arg(verb, step));
        action->setToolTip(tr("%1 (%2)").arg(action->text(), keys));
    };
    if (history_) {
        name("undo", tr("Undo"), history_->canTakeBack(), history_->undoText(), tr("Ctrl+Z"));
        name("redo", tr("Redo"), history_->canDoAgain(), history_->redoText(), tr("Ctrl+Y"));
    } else {
        name("undo", tr("Undo"), editor_->canUndo(), editor_->undoName().toLower(), {});
        name("redo", tr("Redo"), editor_->canRedo(), editor_->redoName().toLower(), {});
    }
}

void MaskBar::showMask() {
    if (viewFits()) view_->setMask(editor_->mask().shared());
}

bool MaskBar::viewFits() const {
    if (!view_ || !editor_ || !view_->frame()) return false;
    return view_->frame()->shape() == std::vector<std::size_t>{editor_->height(), editor_->width()};
}

RegionTool* MaskBar::tool() const {
    const QAction* checked = toolActions_->checkedAction();
    return checked ? tools_.value(checked->objectName()) : nullptr;
}

void MaskBar::setTool(const QString& name) {
    useTool(tools_.value(name));
}

void MaskBar::useTool(RegionTool* tool) {
    const QString name = tools_.key(tool);
    for (QAction* action : toolActions_->actions()) action->setChecked(tool && action->objectName() == name);
    if (view_) {
        if (tool)
            view_->setTool(tool);
        else if (tools_.key(dynamic_cast<RegionTool*>(view_->tool())).size())
            view_->setTool(nullptr);
    }
    if (card_ && view_) card_->showFor(tool);
    showPointer();
    emit hint(tool ? tool->hint() : QString());
}

void MaskBar::showPointer() {
    actions_.value(QStringLiteral("pointer"))->setChecked(!view_ || !view_->toolInUse());
}

void MaskBar::refresh() {
    if (!editor_ || !card_) return setEnabled(false);
    setEnabled(editor_->height() > 0);
    card_->setEnabled(isEnabled());
    const bool mask = editor_->target() == RegionEditor::maskTarget;
    refreshUndo();
    actions_.value(QStringLiteral("hotPixels"))->setEnabled(mask);
    refreshWithoutCount();
    sigma()->setEnabled(mask);
    refreshTargets();
    card_->setCount(countText());
}

/// Pixel types without a reserved no-count value have nothing to mask.
void MaskBar::refreshWithoutCount() {
    const auto& frame = editor_->frame();
    const bool mask = editor_->target() == RegionEditor::maskTarget;
    actions_.value(QStringLiteral("withoutCount"))
        ->setEnabled(mask && frame && lowest_without_count(frame->type()));
}

QString MaskBar::countText() const {
    if (!editor_ || editor_->height() == 0) return {};
    const int target = editor_->target();
    const QString number = grouped(editor_->pixels(target));
    return target == RegionEditor::maskTarget ? tr("%1 px masked").arg(number)
                                              : tr("%1 px in bin %2").arg(number).arg(target);
}

void MaskBar::refreshTargets() {
    QComboBox* const list = targets();
    const QSignalBlocker quiet(list);
    list->clear();
    list->addItem(tr("Mask"));
    for (int bin = 1; bin <= editor_->binCount(); ++bin) {
        QPixmap swatch(12, 12);
        swatch.fill(binColour(bin, isDark(palette())));
        list->addItem(swatch, tr("Bin %1").arg(bin));
    }
    list->addItem(tr("New bin"));
    list->setCurrentIndex(editor_->target());
}

void MaskBar::drawIcons() {
    for (auto it = glyphs_.cbegin(); it != glyphs_.cend(); ++it)
        actions_.value(it.key())->setIcon(maskIcon(it.value(), palette()));
    more_->setIcon(maskIcon(MaskGlyph::more, palette()));
}

void MaskBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) drawIcons();
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) arrange();
}

void MaskBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void MaskBar::drawMaskOnly() {
    maskOnly_ = true;
    targets()->hide();
}

void MaskBar::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (maskOnly_ && editor_) editor_->setTarget(RegionEditor::maskTarget);
}

int MaskBar::heightOf(const std::vector<QWidget*>& without) const {
    int height = 0;
    for (int i = 0; i < layout()->count(); ++i) {
        const QLayoutItem* item = layout()->itemAt(i);
        QWidget* widget = item->widget();
        if (!widget)
            height += item->minimumSize().height();
        else if (std::find(without.begin(), without.end(), widget) == without.end())
            height += widget->minimumHeight() + layout()->spacing();
    }
    return height + layout()->contentsMargins().top() + layout()->contentsMargins().bottom();
}

void MaskBar::arrange() {
    std::vector<QWidget*> gone;
    for (QWidget* widget : givingWay_) {
        if (heightOf(gone) <= height()) break;
        gone.push_back(widget);
    }
    for (QWidget* widget : givingWay_)
        widget->setVisible(std::find(gone.begin(), gone.end(), widget) == gone.end());
    layout()->activate();
}

QSize MaskBar::sizeHint() const {
    return {layout()->sizeHint().width(), heightOf({})};
}

QSize MaskBar::minimumSizeHint() const {
    return {layout()->minimumSize().width(), heightOf(givingWay_)};
}

}  // namespace ks::ui
