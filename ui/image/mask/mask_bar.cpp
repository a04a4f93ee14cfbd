#include "ui/image/mask/mask_bar.h"

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFileDialog>
#include <QLayout>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>

#include "core/data/valid_pixels.h"
#include "core/input/input_files.h"
#include "core/io/labels/label_file.h"
#include "ui/base/count_text.h"
#include "ui/base/history.h"
#include "ui/base/jobs.h"
#include "ui/base/palette.h"
#include "ui/base/save_folders.h"
#include "ui/base/save_guard.h"
#include "ui/files/file_filters.h"
#include "ui/image/tools/brush_tool.h"
#include "ui/image/tools/drag_tool.h"
#include "ui/image/tools/flood_tool.h"
#include "ui/image/tools/polygon_tool.h"

namespace ks::ui {
namespace {

constexpr QSize buttonSize(28, 26);

}  // namespace

MaskBar::~MaskBar() {
    detach();
    delete card_;  // its fields refer to tools of the bar
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
        emit reported(tr("%1: result discarded, because mask or bins were edited meanwhile").arg(name));
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

struct MaskBar::Spec {
    const char* name;
    QString text;
    QList<QKeyCombination> keys;
    QString tip;
    std::optional<MaskGlyph> glyph;
    bool checkable = false;
};

std::vector<MaskBar::Spec> MaskBar::specs() {
    using G = MaskGlyph;
    const QList<QKeyCombination> redo{Qt::CTRL | Qt::Key_Y, Qt::CTRL | Qt::SHIFT | Qt::Key_Z};
    return {
        {"pointer",
         tr("Pointer"),
         {Qt::Key_V},
         tr("No tool: drag to pan. Esc also leaves a tool."),
         G::pointer,
         true},
        {"rectangle", tr("Rectangle"), {Qt::Key_R}, tr("Drag rectangles"), G::rectangle, true},
        {"ellipse", tr("Ellipse"), {Qt::Key_E}, tr("Drag ellipses"), G::ellipse, true},
        {"polygon", tr("Polygon"), {Qt::Key_P}, tr("Click the corners of a polygon"), G::polygon, true},
        {"brush", tr("Brush"), {Qt::Key_B}, tr("Paint with a round brush"), G::brush, true},
        {"flood", tr("Fill"), {Qt::Key_F}, tr("Select pixels by value"), G::flood, true},
        {"remove",
         tr("Remove"),
         {Qt::Key_X},
         tr("Add or remove pixels. Hold Ctrl while pressing the mouse button to do the opposite."),
         G::add,
         true},
        {"invert", tr("Invert"), {Qt::Key_I}, tr("Swap selected and unselected pixels"), G::invert},
        {"grow",
         tr("Grow by one pixel"),
         {Qt::Key_G},
         tr("Grow the selection by one pixel on all sides"),
         G::grow},
        {"shrink",
         tr("Shrink by one pixel"),
         {Qt::SHIFT | Qt::Key_G},
         tr("Shrink the selection by one pixel on all sides"),
         G::shrink},
        {"clear", tr("Clear"), {Qt::SHIFT | Qt::Key_Delete}, tr("Deselect all pixels"), G::clear},
        {"hotPixels",
         tr("Mask hot pixels"),
         {Qt::Key_H},
         tr("Mask pixels that exceed their surroundings by more than this many sigma"),
         G::hotPixels},
        {"undo", tr("Undo"), {Qt::CTRL | Qt::Key_Z}, tr("Undo"), G::undo},
        {"redo", tr("Redo"), redo, tr("Redo"), G::redo},
        {"withoutCount",
         tr("Mask pixels without a count"),
         {},
         tr("Mask pixels whose value means \"no count\": the two highest values of 16-bit and 32-bit "
            "data, the highest of 8-bit data"),
         {}},
        {"load", tr("Load mask..."), {Qt::CTRL | Qt::Key_M}, tr("Load a mask from a file"), {}},
        {"save", tr("Save mask..."), {Qt::CTRL | Qt::SHIFT | Qt::Key_M}, tr("Save the mask to a file"), {}},
    };
}

MaskBar::MaskBar(QWidget* parent)
    : QWidget(parent),
      toolActions_(new QActionGroup(this)),
      brush_(new BrushTool(this)),
      flood_(new FloodTool(this)),
      card_(new ToolCard(brush_, flood_, this)),
      more_(new QToolButton(this)) {
    toolActions_->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
    tools_ = {{QStringLiteral("rectangle"), new DragTool(DragTool::Shape::rectangle, this)},
              {QStringLiteral("ellipse"), new DragTool(DragTool::Shape::ellipse, this)},
              {QStringLiteral("polygon"), new PolygonTool(this)},
              {QStringLiteral("brush"), brush_},
              {QStringLiteral("flood"), flood_}};
    for (const Spec& spec : specs()) addAction(spec);
    setAccessibleName(tr("Mask tools"));
    buildColumn();
    buildMenu();
    connectActions();
    drawIcons();
    refresh();
}

QAction* MaskBar::addAction(const Spec& spec) {
    auto* action = new QAction(spec.text, this);
    action->setObjectName(QLatin1String(spec.name));
    action->setShortcuts(QList<QKeySequence>(spec.keys.begin(), spec.keys.end()));
    // Letters would be typed as text elsewhere.
    const bool everywhere =
        !spec.keys.isEmpty() && (spec.keys.front().keyboardModifiers() & Qt::ControlModifier);
    action->setShortcutContext(everywhere ? Qt::WindowShortcut : Qt::WidgetWithChildrenShortcut);
    QStringList keys;
    for (const QKeySequence& one : action->shortcuts()) keys += one.toString(QKeySequence::NativeText);
    action->setToolTip(keys.isEmpty() ? spec.tip : tr("%1 (%2)").arg(spec.tip, keys.join(tr(", "))));
    action->setCheckable(spec.checkable);
    if (tools_.contains(action->objectName())) toolActions_->addAction(action);
    if (spec.glyph) glyphs_[action->objectName()] = *spec.glyph;
    actions_[action->objectName()] = action;
    QWidget::addAction(action);
    return action;
}

QToolButton* MaskBar::addButton(const QString& name) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(actions_.value(name));
    button->setAccessibleName(actions_.value(name)->text());
    layOut(button);
    return button;
}

void MaskBar::layOut(QToolButton* button) {
    button->setAutoRaise(true);
    button->setIconSize({20, 20});
    button->setFixedSize(buttonSize);
    button->setFocusPolicy(Qt::TabFocus);
    layout()->addWidget(button);
}

void MaskBar::buildColumn() {
    constexpr int group = 6;
    auto* column = new QVBoxLayout(this);
    column->setSizeConstraint(QLayout::SetNoConstraint);
    column->setContentsMargins(2, 2, 2, 2);
    column->setSpacing(1);
    for (const char* name : {"pointer", "rectangle", "ellipse", "polygon", "brush", "flood"})
        addButton(QLatin1String(name));
    column->addSpacing(group);
    QWidget* const remove = addButton(QStringLiteral("remove"));
    column->addSpacing(group);
    std::vector<QWidget*> whole;
    for (const char* name : {"hotPixels", "invert", "grow", "shrink", "clear"})
        whole.push_back(addButton(QLatin1String(name)));
    column->addSpacing(group);
    QWidget* const undo = addButton(QStringLiteral("undo"));
    QWidget* const redo = addButton(QStringLiteral("redo"));
    layOut(more_);
    column->addStretch(1);
    givingWay_.assign(whole.rbegin(), whole.rend());
    givingWay_.insert(givingWay_.end(), {redo, undo, remove});
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
}

void MaskBar::buildMenu() {
    // Actions of a particular view are in a separate group above.
    for (const char* name :
         {"",       "pointer", "rectangle", "ellipse",      "polygon", "brush",  "flood", "",
          "remove", "",        "hotPixels", "invert",       "grow",    "shrink", "clear", "",
          "undo",   "redo",    "",          "withoutCount", "load",    "save"}) {
        if (*name) {
            menu_ << actions_.value(QLatin1String(name));
        } else {
            menu_ << new QAction(this);
            menu_.last()->setSeparator(true);
        }
    }
    auto* menu = new QMenu(this);
    menu->addActions(menu_);
    more_->setMenu(menu);
    more_->setPopupMode(QToolButton::InstantPopup);
    more_->setAccessibleName(tr("More mask actions"));
    more_->setToolTip(tr("All mask tools; load and save the mask (Ctrl+M, Ctrl+Shift+M)"));
}

void MaskBar::connectActions() {
    const auto on = [this](const char* name, auto act) {
        connect(actions_.value(QLatin1String(name)), &QAction::triggered, this, [this, act] {
            if (editor_) act();
        });
    };
    on("invert", [this] { editor_->invert(); });
    on("grow", [this] { editor_->grow(); });
    on("shrink", [this] { editor_->shrink(); });
    on("clear", [this] { editor_->clear(); });
    on("hotPixels", [this] {
        if (card_) editor_->hotPixels(sigma()->value());
    });
    on("withoutCount", [this] { editor_->withoutCount(); });
    on("undo", [this] { history_ ? history_->takeBack() : editor_->undo(); });
    on("redo", [this] { history_ ? history_->doAgain() : editor_->redo(); });
    on("load", [this] { askLoad(); });
    on("save", [this] { askSave(); });
    QAction* remove = actions_.value(QStringLiteral("remove"));
    connect(remove, &QAction::toggled, this, [this, remove](bool removing) {
        for (RegionTool* tool : tools_) tool->setAdding(!removing);
        glyphs_[remove->objectName()] = removing ? MaskGlyph::remove : MaskGlyph::add;
        remove->setText(removing ? tr("Remove") : tr("Add"));
        drawIcons();
    });
    connect(toolActions_, &QActionGroup::triggered, this, [this] { useTool(tool()); });
    connect(actions_.value(QStringLiteral("pointer")), &QAction::triggered, this, [this] {
        useTool(nullptr);
        if (view_) view_->setTool(nullptr);
        showPointer();
    });
    connect(flood_, &FloodTool::settingsChanged, this, [this] {
        if (tool() == flood_) emit hint(flood_->hint());
    });
    connect(card_, &ToolCard::rangeAsked, this, [this, remove](double low, double high) {
        if (editor_) editor_->valueRange(low, high, !remove->isChecked());
    });
    connect(targets(), &QComboBox::activated, this, [this](int index) {
        if (editor_) editor_->setTarget(index);
    });
}

void MaskBar::askLoad() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Load mask"), {}, imageFilters(tr("Masks")));
    if (!file.isEmpty()) loadMask(file);
}

void MaskBar::askSave() {
    const QString kind = QStringLiteral("mask");
    const QString file =
        askSavePath(this, tr("Save mask"), savePath(this, kind, QStringLiteral("mask.h5")), saveFilters());
    rememberSaved(this, kind, file);
    if (!file.isEmpty()) saveMask(file);
}

template <class Work, class Done, class Fail>
void MaskBar::inJob(const QString& subject, Work work, Done done, Fail fail) {
    if (!editor_) return;
    if (Jobs* jobs = editor_->jobs()) return jobs->start(Jobs::Lane::files, this, subject, work, done, fail);
    try {
        done(work());
    } catch (const Error& error) {
        fail(error);
    }
}

void MaskBar::loadMask(const QString& file) {
    inJob(
        QStringLiteral("load mask"), [name = file.toStdString()] { return io::read_mask(name); },
        [this, file](const PixelMask& mask) {
            if (!editor_) return;
            try {
                editor_->load(mask);
                emit reported(tr("Mask of %1: %2").arg(file, countText()));
            } catch (const Error& error) {
                emit failed(Error(error.kind(), error.message(), file.toStdString()));
            }
        },
        [this](const Error& error) { emit failed(error); });
}

void MaskBar::saveMask(const QString& file) {
    if (!editor_) return;
    inJob(
        QStringLiteral("save mask %1").arg(file),
        [name = file.toStdString(), mask = editor_->pixelMask(), read = filesRead(this, read_)] {
            io::require_not_read("saving", name, read);
            io::write_mask(name, mask, true);
            return true;
        },
        [this, file](bool) {
            reportSaveSucceeded(this);
            emit reported(tr("Mask saved as %1").arg(file));
        },
        [this](const Error& error) {
            reportSaveFailed(this, error);
            emit failed(error);
        });
}

}  // namespace ks::ui
