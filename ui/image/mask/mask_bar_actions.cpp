#include <optional>

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/input/input_files.h"
#include "core/io/labels/label_file.h"
#include "ui/base/history.h"
#include "ui/base/jobs.h"
#include "ui/base/save_folders.h"
#include "ui/files/file_filters.h"
#include "ui/image/mask/mask_bar.h"
#include "ui/image/tools/brush_tool.h"
#include "ui/image/tools/ellipse_tool.h"
#include "ui/image/tools/flood_tool.h"
#include "ui/image/tools/polygon_tool.h"
#include "ui/image/tools/rectangle_tool.h"
#include "ui/image/tools/tool_fields.h"

namespace ks::ui {

namespace {

constexpr QSize buttonSize(28, 26);

}  // namespace

struct MaskBar::Spec {
    const char* name;
    QString text;
    QList<QKeySequence> keys;
    QString tip;
    std::optional<MaskGlyph> glyph;
    bool checkable = false;
};

std::vector<MaskBar::Spec> MaskBar::specs() {
    using G = MaskGlyph;
    const auto key = [](QKeyCombination keys) { return QKeySequence(keys); };
    const QList<QKeySequence> redo{key(Qt::CTRL | Qt::Key_Y), key(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)};
    return {
        {"pointer",
         tr("Pointer"),
         {key(Qt::Key_V)},
         tr("No tool: drag to pan. Esc also leaves a tool."),
         G::pointer,
         true},
        {"rectangle", tr("Rectangle"), {key(Qt::Key_R)}, tr("Drag rectangles"), G::rectangle, true},
        {"ellipse", tr("Ellipse"), {key(Qt::Key_E)}, tr("Drag ellipses"), G::ellipse, true},
        {"polygon", tr("Polygon"), {key(Qt::Key_P)}, tr("Click the corners of a polygon"), G::polygon, true},
        {"brush", tr("Brush"), {key(Qt::Key_B)}, tr("Paint with a round brush"), G::brush, true},
        {"flood", tr("Fill"), {key(Qt::Key_F)}, tr("Select pixels by value"), G::flood, true},
        {"remove",
         tr("Remove"),
         {key(Qt::Key_X)},
         tr("Add or remove pixels. Hold Ctrl when pressing to do the opposite."),
         G::add,
         true},
        {"invert", tr("Invert"), {key(Qt::Key_I)}, tr("Swap selected and unselected pixels"), G::invert},
        {"grow",
         tr("Grow by one pixel"),
         {key(Qt::Key_G)},
         tr("Grow the selection by one pixel on all sides"),
         G::grow},
        {"shrink",
         tr("Shrink by one pixel"),
         {key(Qt::SHIFT | Qt::Key_G)},
         tr("Shrink the selection by one pixel on all sides"),
         G::shrink},
        {"clear", tr("Clear"), {key(Qt::SHIFT | Qt::Key_Delete)}, tr("Deselect all pixels"), G::clear},
        {"hotPixels",
         tr("Mask hot pixels"),
         {key(Qt::Key_H)},
         tr("Mask pixels that exceed their surroundings by more than this many sigma"),
         G::hotPixels},
        {"undo", tr("Undo"), {QKeySequence(Qt::CTRL | Qt::Key_Z)}, tr("Undo"), G::undo},
        {"redo", tr("Redo"), redo, tr("Redo"), G::redo},
        {"withoutCount",
         tr("Mask pixels without a count"),
         {},
         tr("Mask pixels whose value means \"no count\": the two highest values of 16 and 32 bits, the "
            "highest of 8 bits"),
         {}},
        {"load", tr("Load mask..."), {key(Qt::CTRL | Qt::Key_M)}, tr("Load a mask from a file"), {}},
        {"save",
         tr("Save mask..."),
         {key(Qt::CTRL | Qt::SHIFT | Qt::Key_M)},
         tr("Save the mask to a file"),
         {}},
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
    tools_ = {{QStringLiteral("rectangle"), new RectangleTool(this)},
              {QStringLiteral("ellipse"), new EllipseTool(this)},
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
    action->setShortcuts(spec.keys);
    // Letters would be typed as text elsewhere.
    const bool everywhere =
        !spec.keys.isEmpty() && (spec.keys.front()[0].keyboardModifiers() & Qt::ControlModifier);
    action->setShortcutContext(everywhere ? Qt::WindowShortcut : Qt::WidgetWithChildrenShortcut);
    QStringList keys;
    for (const QKeySequence& one : spec.keys) keys += one.toString(QKeySequence::NativeText);
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
    connect(fields(), &ToolFields::rangeAsked, this, [this, remove](double low, double high) {
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

void MaskBar::loadMask(const QString& file) {
    if (!editor_) return;
    const std::string name = file.toStdString();
    const auto done = [self = QPointer(this), file](const PixelMask& mask) {
        if (!self || !self->editor_) return;
        try {
            self->editor_->load(mask);
            emit self->hint(tr("Mask of %1: %2").arg(file, self->countText()));
        } catch (const Error& error) {
            emit self->failed(Error(error.kind(), error.message(), file.toStdString()));
        }
    };
    if (Jobs* jobs = editor_->jobs()) {
        return jobs->start(
            Jobs::Lane::files, this, QStringLiteral("load mask"), [name] { return io::read_mask(name); },
            done,
            [self = QPointer(this)](const Error& error) {
                if (self) emit self->failed(error);
            });
    }
    try {
        done(io::read_mask(name));
    } catch (const Error& error) {
        emit failed(error);
    }
}

void MaskBar::saveMask(const QString& file) {
    if (!editor_) return;
    const auto write = [name = file.toStdString(), mask = editor_->pixelMask(), read = read_] {
        io::require_not_read("saving", name, read);
        io::write_mask(name, mask, true);
        return true;
    };
    const auto done = [self = QPointer(this), file](bool) {
        if (self) emit self->hint(tr("Mask saved as %1").arg(file));
    };
    if (Jobs* jobs = editor_->jobs()) {
        return jobs->start(Jobs::Lane::files, this, QStringLiteral("save mask %1").arg(file), write, done,
                           [self = QPointer(this)](const Error& error) {
                               if (self) emit self->failed(error);
                           });
    }
    try {
        done(write());
    } catch (const Error& error) {
        emit failed(error);
    }
}

}  // namespace ks::ui
