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

/// The tools that draw mask and bins, in one column headed by a pointer. Where the column is too short,
/// buttons of whole-mask actions are hidden; the menu always has all of them. Settings of the tool in use are
/// in a card that floats over the view, so that no button moves. The shortcuts also work in the view.
class MaskBar : public QWidget {
    Q_OBJECT
  public:
    explicit MaskBar(QWidget* parent = nullptr);
    ~MaskBar() override;

    /// The tools draw in the view and edit with the editor, whose mask the view shows from now on; neither is
    /// owned. The view's context menu has all actions, in the order of the column. Displaying hand-drawn bins
    /// is up to the page: they are only a part of its partition.
    void attach(DetectorView* view, RegionEditor* editor);

    /// From now on the actions "undo" and "redo" act on the history, which also owns their shortcuts.
    void setHistory(History* history);

    /// "pointer" (checked while no tool of the bar or elsewhere is in use), "rectangle", "ellipse",
    /// "polygon", "brush", "flood": checkable; "remove": checkable; "invert", "grow", "shrink", "clear",
    /// "hotPixels", "withoutCount", "undo", "redo", "load", "save". Null for other names.
    QAction* action(const QString& name) const { return actions_.value(name); }
    /// The tool in use; null: none.
    RegionTool* tool() const;
    /// By the name of its action; empty: no tool.
    void setTool(const QString& name);
    BrushTool* brush() const { return brush_; }
    FloodTool* flood() const { return flood_; }
    /// Shown over the view while a tool is in use. A child of the view, destroyed with it.
    ToolCard* card() const { return card_; }
    QComboBox* targets() const { return card_->targets(); }
    /// The view shows no bins: the tools draw only the mask, whatever the target on another page.
    void drawMaskOnly();
    QDoubleSpinBox* sigma() const { return card_->sigma(); }
    QString countText() const;

    /// Show no dialog. Errors are reported by failed(). An existing file is replaced.
    void loadMask(const QString& file);
    void saveMask(const QString& file);
    /// Files that saveMask() refuses to replace, and what each is in use as.
    void setRead(std::map<std::string, std::string> read) { read_ = std::move(read); }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  signals:
    /// Text for the status bar; empty: clears it.
    void hint(const QString& text);
    /// A sentence on what was done.
    void reported(const QString& sentence);
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
    /// View and editor have frames of the same shape. Not so while only one of them has the new frame.
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
    /// Work on a file, as a job if the editor has them.
    template <class Work, class Done, class Fail>
    void inJob(const QString& subject, Work work, Done done, Fail fail);
    void askSave();

    bool maskOnly_ = false;
    QPointer<DetectorView> view_;
    QPointer<RegionEditor> editor_;
    QPointer<History> history_;
    QHash<QString, QAction*> actions_;
    QList<QAction*> menu_;  ///< all actions as in the menus, with separators
    QHash<QString, MaskGlyph> glyphs_;
    QHash<QString, RegionTool*> tools_;
    QActionGroup* toolActions_;
    BrushTool* brush_;
    FloodTool* flood_;
    QPointer<ToolCard> card_;
    QToolButton* more_;
    std::vector<QWidget*> givingWay_;  ///< in the order of hiding
    std::vector<std::size_t> shape_;   ///< shape of the view's frame when last checked
    std::map<std::string, std::string> read_;
};

}  // namespace ks::ui
