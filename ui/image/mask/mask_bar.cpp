#include "ui/image/mask/mask_bar.h"

#include <algorithm>
#include <utility>

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QToolButton>

#include "ui/base/count_text.h"
#include "ui/base/palette.h"
#include "ui/image/tools/brush_tool.h"
#include "ui/image/tools/flood_tool.h"
#include "ui/image/tools/tool_fields.h"

namespace ks::ui {

MaskBar::~MaskBar() {
    detach();
}

void MaskBar::detach() {
    if (editor_) editor_->disconnect(this);
    if (view_) {
        view_->disconnect(this);
        view_->disconnect(brush_);
        for (QAction* action : actions_) view_->removeAction(action);
        if (tool() && view_->tool() == tool()) view_->setTool(nullptr);
    }
    for (RegionTool* tool : tools_) tool->setSink(nullptr);
}

void MaskBar::attach(DetectorView* view, RegionEditor* editor) {
    detach();
    view_ = view;
    editor_ = editor;
    for (QAction* action : actions_) view->addAction(action);
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
        emit hint(tr("%1: not used, the mask or the bins were edited meanwhile").arg(name));
    });
    connect(view, &DetectorView::viewChanged, this, [this] {
        const auto shape = view_->frame() ? view_->frame()->shape() : std::vector<std::size_t>{};
        if (shape != std::exchange(shape_, shape)) showMask();
    });
    connect(view, &DetectorView::hoverLeft, brush_, &BrushTool::hideTip);
    connect(view, &DetectorView::toolChanged, this, [this] {
        RegionTool* own = tool();
        if (own && view_->tool() != own) useTool(nullptr);
    });
    takeFrame();
    showMask();
    if (tool()) view->setTool(tool());
    refresh();
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
    fields_->showFor(tool);
    arrange();
    emit hint(tool ? tool->hint() : QString());
}

void MaskBar::refresh() {
    if (!editor_) return setEnabled(false);
    setEnabled(editor_->height() > 0);
    const bool mask = editor_->target() == RegionEditor::maskTarget;
    const auto name = [this](const char* id, const QString& verb, bool can, const QString& step) {
        QAction* action = actions_.value(QLatin1String(id));
        action->setEnabled(can);
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        action->setText(step.isEmpty() ? verb : tr("%1 %2").arg(verb, step.toLower()));
        action->setToolTip(tr("%1 (%2)").arg(action->text(), keys));
    };
    name("undo", tr("Undo"), editor_->canUndo(), editor_->undoName());
    name("redo", tr("Redo"), editor_->canRedo(), editor_->redoName());
    actions_.value(QStringLiteral("hotPixels"))->setEnabled(mask);
    sigma_->setEnabled(mask);
    refreshTargets();
    count_->setText(countText());
    count_->setToolTip(count_->text());
    arrange();
}

QString MaskBar::countText() const {
    if (!editor_ || editor_->height() == 0) return {};
    const int target = editor_->target();
    const QString number = grouped(editor_->pixels(target));
    return target == RegionEditor::maskTarget ? tr("%1 px masked").arg(number)
                                              : tr("%1 px in bin %2").arg(number).arg(target);
}

void MaskBar::refreshTargets() {
    const QSignalBlocker quiet(targets_);
    targets_->clear();
    targets_->addItem(tr("Mask"));
    for (int bin = 1; bin <= editor_->binCount(); ++bin) {
        QPixmap swatch(12, 12);
        swatch.fill(binColour(bin, isDark(palette())));
        targets_->addItem(swatch, tr("Bin %1").arg(bin));
    }
    targets_->addItem(tr("New bin"));
    targets_->setCurrentIndex(editor_->target());
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

int MaskBar::widthOf(const std::vector<QWidget*>& without) const {
    int width = 0;
    for (int i = 0; i < layout()->count(); ++i) {
        const QLayoutItem* item = layout()->itemAt(i);
        QWidget* widget = item->widget();
        if (!widget) {
            width += item->minimumSize().width();
            continue;
        }
        const bool sparable = std::find(givingWay_.begin(), givingWay_.end(), widget) != givingWay_.end();
        if (std::find(without.begin(), without.end(), widget) != without.end()) continue;
        if (sparable || widget->isVisibleTo(this)) width += widget->sizeHint().width() + layout()->spacing();
    }
    // The style may leave some more between widgets of different kinds.
    constexpr int slack = 8;
    return width + slack + layout()->contentsMargins().left() + layout()->contentsMargins().right();
}

void MaskBar::arrange() {
    std::vector<QWidget*> gone;
    for (QWidget* widget : givingWay_) {
        if (widthOf(gone) <= width()) break;
        gone.push_back(widget);
    }
    for (QWidget* widget : givingWay_)
        widget->setVisible(std::find(gone.begin(), gone.end(), widget) == gone.end());
    layout()->activate();  // a longer text is not cut until the next turn of the event loop
}

QSize MaskBar::minimumSizeHint() const {
    return {widthOf(givingWay_), layout()->minimumSize().height()};
}

}  // namespace ks::ui
