#pragma once

#include <QString>
#include <QWidget>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "ui/plots/plot_view.h"

class QLabel;
class QSplitter;
class QTabWidget;

namespace ks::ui {

/// A plot, table or list in a drawer.
struct DrawerPart {
    QString title;  ///< of its tab
    QWidget* widget = nullptr;
    bool second = false;  ///< in the second of two panes
    QString about = {};   ///< "What's this?" text of its tab
};

/// Plots and tables in tabs: two panes if there is room, otherwise one pane with all of them. The page's own
/// parts come first; those of the window follow them while the page is visible.
class Drawer : public QWidget {
    Q_OBJECT
  public:
    explicit Drawer(QWidget* parent = nullptr);
    ~Drawer() override;

    /// The page's own parts; the drawer takes ownership of the widgets.
    void setParts(std::vector<DrawerPart> parts);
    /// The window's parts, replacing those lent before. They leave with returnShared() or when another drawer
    /// takes them.
    void setShared(std::vector<DrawerPart> shared);
    void returnShared() { setShared({}); }

    /// Chooses the tab of a part.
    void raise(QWidget* part);
    /// Whether the tab of a part is chosen.
    bool isRaised(const QWidget* part) const;
    bool twoPanes() const;
    /// Titles of the chosen tabs, first pane first, for settings. In one pane the visible tab comes first,
    /// followed by the one that the other pane would show.
    QStringList raised() const;
    void setRaised(const QStringList& titles);
    /// Whether the user has chosen a tab since forgetChoice(); raise() and setRaised() are no such choice.
    bool tabChosen() const { return tabChosen_; }
    void forgetChoice() { tabChosen_ = false; }
    /// Message about everything in the drawer, shown over the free space next to its tabs ("Run 3 is outdated
    /// (Mask)"), so that no tab moves; empty: none. It covers no control: where the tabs leave no room for
    /// it, a part of their line is kept for it, and they can be scrolled.
    /// @param shorter used if the tabs leave little room
    void setMark(const QString& mark, const QString& shorter = {});
    const QString& mark() const { return mark_; }
    /// Axis ranges of the page's plots as set by the user: "Profile", and "Profile 2" for a further plot of
    /// that part.
    std::map<std::string, PlotRanges> views() const;
    /// Restores them, and maintains them while data arrive, until releaseViews().
    void holdViews(const std::map<std::string, PlotRanges>& views);
    void releaseViews();

    QSize minimumSizeHint() const override { return {260, 120}; }
    QSize sizeHint() const override { return {480, 240}; }

  signals:
    /// Another part is visible.
    void raisedChanged();

  protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

  private:
    /// What the tabs of a pane leave free of their line, in coordinates of the drawer.
    QRect besideTabs(const QTabWidget& pane) const;
    void arrange(bool anew);
    int widthOfMark(const QString& text) const;
    void keepRoom();
    void showMark();
    /// Notes that this part is the one its pane shows.
    void note(const QWidget* part);
    QTabWidget* paneOf(const QWidget* part) const;
    std::vector<DrawerPart> all() const;
    std::map<std::string, PlotView*> plots() const;

    std::vector<DrawerPart> parts_, shared_;
    QSplitter* panes_;
    std::array<QTabWidget*, 2> tabs_;
    QLabel* markLabel_;
    class Room;
    Room* room_;  ///< what the tabs of the first pane leave for the mark
    QString mark_, shortMark_;
    std::array<QString, 2> chosen_;  ///< titles of the tabs chosen last among the parts of each pane
    bool two_ = false;
    bool moving_ = false;   ///< tabs are being moved: the user chose no other one
    bool raising_ = false;  ///< a tab is chosen by raise()
    bool tabChosen_ = false;
};

}  // namespace ks::ui
