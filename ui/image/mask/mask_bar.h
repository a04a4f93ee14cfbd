#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <QHash>
#include <QPointer>
#include <QString>
#include <QWidget>

#include "core/base/error.h"
#include "ui/image/mask/mask_icons.h"
#include "ui/image/mask/region_editor.h"
#include "ui/image/mask/tool_card.h"
#include "ui/image/view/detector_view.h"

class QAction;
class QActionGroup;
class QComboBox;
class QDoubleSpinBox;
class QKeySequence;
class QToolButton;

namespace ks::ui {

class BrushTool;
class FloodTool;
class History;
class RegionTool;
class ToolFields;

/// The tools that draw the mask and bins, in one column, a pointer first. Where it is too low, the buttons of
/// whole-mask actions give way: its menu always has them all. What a tool needs to be told floats in a card
/// over the view, so that no button moves. The shortcuts work in the view as well.
class MaskBar : public QWidget {
    Q_OBJECT
  public:
    explicit MaskBar(QWidget* parent = nullptr);
    ~MaskBar() override;

    /// The tools draw in the view and edit with the editor, whose mask the view shows from now on; both are
    /// not owned. All actions are in the view's context menu, in the order of the column. Bins drawn by hand
    /// are the page's to show: they are only a part of its partition.
    void attach(DetectorView* view, RegionEditor* editor);

    /// The actions "undo" and "redo" are those of the history from now on, which has the keys.
    void setHistory(History* history);

    /// "pointer" (checked while no tool is in use, the bar's or another), "rectangle", "ellipse", "polygon",
    /// "brush", "flood": checkable; "remove": checkable; "invert", "grow", "shrink", "clear", "hotPixels",
    /// "withoutCount", "undo", "redo", "load", "save". Null for another name.
    QAction* action(const QString& name) const { return actions_.value(name); }
    /// The tool in use; null: none.
    RegionTool* tool() const;
    /// By the name of its action; empty: none.
    void setTool(const QString& name);
    BrushTool* brush() const { return brush_; }
    FloodTool* flood() const { return flood_; }
    /// Shown over the view while one of the tools is in use; the view's child and gone with it.
    ToolCard* card() const { return card_; }
    ToolFields* fields() const;
    QComboBox* targets() const;
    /// The view shows no bins: no tool draws one here, whatever was the target on another page.
    void drawMaskOnly();
    QDoubleSpinBox* sigma() const;
    QString countText() const;

    /// Ask for nothing; errors come by failed(). An existing file is replaced.
    void loadMask(const QString& file);
    void saveMask(const QString& file);
    /// Files that saveMask() refuses to replace, by what they are read as.
    void setRead(std::map<std::string, std::string> read) { read_ = std::move(read); }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  signals:
    /// For the status bar; empty: nothing to say.
    void hint(const QString& text);
    void failed(const ks::Error& error);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    struct Spec;
    static std::vector<Spec> specs();

    QAction* addAction(const Spec& spec);
    QToolButton* addButton(const QString& name);
    void layOut(QToolButton* button);
    void buildColumn();
    void buildMenu();
    void connectActions();
    void useTool(RegionTool* tool);
    void detach();
    void showMask();
    /// View and editor get a new frame one after the other; in between they do not fit.
    bool viewFits() const;
    void refresh();
    void refreshWithoutCount();
    void refreshUndo();
    void refreshTargets();
    void drawIcons();
    void showPointer();
    /// Hides buttons until the column fits.
    void arrange();
    int heightOf(const std::vector<QWidget*>& without) const;
    void askLoad();
    void askSave();

    bool maskOnly_ = false;
    QPointer<DetectorView> view_;
    QPointer<RegionEditor> editor_;
    QPointer<History> history_;
    QHash<QString, QAction*> actions_;
    QList<QAction*> menu_;  ///< all of them as menus show them, with separators
    QHash<QString, MaskGlyph> glyphs_;
    QHash<QString, RegionTool*> tools_;
    QActionGroup* toolActions_;
    BrushTool* brush_;
    FloodTool* flood_;
    QPointer<ToolCard> card_;
    QToolButton* more_;
    std::vector<QWidget*> givingWay_;  ///< in this order
    std::vector<std::size_t> shape_;   ///< of the view's frame, when last seen
    std::map<std::string, std::string> read_;
};

}  // namespace ks::ui
