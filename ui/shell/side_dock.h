#pragma once

#include <QDockWidget>
#include <optional>
#include <vector>

class QLabel;
class QTabWidget;

namespace ks::ui {

class DataPanel;
class Page;
class RequestForm;
struct OpenFile;

/// The dock at the right of the window: tabs for data, set-up and kernels. Pages add their own widgets to it,
/// and one that has no use for it takes its space.
class SideDock : public QDockWidget {
    Q_OBJECT
  public:
    static constexpr int usualWidth = 260;  ///< initially: in narrower ones long rows of forms wrap

    /// @param pages all that add widgets
    SideDock(RequestForm& request, const std::vector<Page*>& pages, QWidget* parent);

    DataPanel& data() { return *data_; }
    /// Null: none is open.
    void setFile(const OpenFile* file);
    /// Shows the widgets of this page and the tabs that it uses.
    void setPage(Page& page);
    /// Hides the dock while the visible page has no use for it.
    void place(const Page& shown);
    /// Whether the user wants to see it.
    bool wanted() const { return !isHidden() || isAway_; }
    /// Number of the user's tab, of which pages without runs show another one.
    int tab() const;
    void setTab(int tab);

  signals:
    void sourceWanted();
    void copyWanted();

  private:
    QWidget* makeSetUp(RequestForm& request);
    QWidget* makeKernel(RequestForm& request);

    DataPanel* data_;
    QLabel* summary_;
    QWidget* inputs_;
    QTabWidget* side_;
    std::vector<Page*> pages_;
    bool isAway_ = false;     ///< hidden by a page that has no use for it, to be shown again
    std::optional<int> tab_;  ///< to be restored after a page that runs nothing
};

}  // namespace ks::ui
