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

/// One plot, table or list of a drawer.
struct DrawerPart {
    QString title;  ///< of its tab
    QWidget* widget = nullptr;
    bool second = false;  ///< in the second of two panes
    QString about = {};   ///< what "What's this?" says of its tab
};

/// Plots and tables in tabs: two panes where there is room for two, else one pane with all of them. Parts of
/// the page come first; those of the window stand behind them while the page is in sight.
class Drawer : public QWidget {
    Q_OBJECT
  public:
    explicit Drawer(QWidget* parent = nullptr);

    /// The page's own; the drawer owns the widgets from now on.
    void setParts(std::vector<DrawerPart> parts);
    /// The window's, in place of those that were lent before. They leave with returnShared() or when another
    /// drawer takes them.
    void setShared(std::vector<DrawerPart> shared);
    void returnShared() { setShared({}); }

    /// Chooses the tab of a part.
    void raise(QWidget* part);
    /// Whether the tab of a part is chosen.
    bool isRaised(const QWidget* part) const;
    bool twoPanes() const;
    /// Titles of the chosen tabs, first pane first, for settings.
    QStringList raised() const;
    void setRaised(const QStringList& titles);
    /// What is wrong with all that the drawer shows, beside its tabs ("Run 3 is outdated (Mask)"); empty:
    /// nothing is.
    /// @param shorter where the tabs leave little room
    void setMark(const QString& mark, const QString& shorter = {});
    const QString& mark() const { return mark_; }
    /// Where a hand has put the axes of the page's plots: "Profile", and "Profile 2" for a further plot of
    /// that part.
    std::map<std::string, PlotRanges> views() const;
    /// Brings them back, and keeps them while the data come, until releaseViews().
    void holdViews(const std::map<std::string, PlotRanges>& views);
    void releaseViews();

    QSize minimumSizeHint() const override { return {260, 120}; }
    QSize sizeHint() const override { return {480, 240}; }

  signals:
    /// Another part is in sight.
    void raisedChanged();

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void arrange(bool anew);
    void showMark();
    QTabWidget* paneOf(const QWidget* part) const;
    std::vector<DrawerPart> all() const;
    std::map<std::string, PlotView*> plots() const;

    std::vector<DrawerPart> parts_, shared_;
    QSplitter* panes_;
    std::array<QTabWidget*, 2> tabs_;
    QLabel* markLabel_;
    QString mark_, shortMark_;
    bool two_ = false;
    bool moving_ = false;  ///< tabs are put elsewhere: nobody chose another one
};

}  // namespace ks::ui
