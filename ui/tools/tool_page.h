#pragma once

#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "ui/base/passing_error.h"
#include "ui/shell/page.h"

class QLayout;
class QTabWidget;

namespace ks::ui {

class ToolForm;

/// A tab of a tool page.
struct ToolTab {
    QString title;
    QString about;  ///< its "What's this?" text
    QWidget* widget;
    /// Its plots; the names of their files are those of leafOf() with these at their ends.
    std::vector<NamedPlot> plots = {};
};

/// A page that works with the variants of all analyses and runs none: its form at the left, tabs with plots
/// at the right, tables below. A new one needs its folder only.
class ToolPage : public Page {
    Q_OBJECT
  public:
    ~ToolPage() override;

    QString missing() const override;
    bool startsItself() const override { return true; }
    QList<QAction*> editActions() const override { return actions_; }
    std::vector<NamedPlot> plots() const override;
    std::vector<PicturePlace> pictures() const override;
    /// "plan", the contents of the form; in settings also "tab".
    std::optional<PageState> state(Scope scope) const override;
    void setState(const PageState& state, Scope scope) override;

    /// Adds a button for each action to a bar.
    static void addButtons(QLayout& bar, const QList<QAction*>& actions);
    QTabWidget& tabs() { return *tabs_; }

  signals:
    /// A report was opened.
    void opened(const QString& path);

  protected:
    explicit ToolPage(const PageContext& context);

    struct Parts {
        QString formName, tabsName;  ///< for screen readers
        QWidget* head;               ///< above the tabs
        std::vector<ToolTab> tabs;
        std::vector<DrawerPart> drawer;
    };
    /// To be called once, by the constructor. The page owns the form and the parts.
    void build(ToolForm& form, Parts parts);
    /// What the page is for, as its "What's this?" text and in the tour.
    void describe(const QString& purpose);
    /// An action of the menu Edit.
    QAction* makeAction(const QString& name, const QString& text, const QString& tip,
                        std::function<void()> act);
    /// Reports that what the form says cannot be started. The error goes once the form changes.
    void refuse(const Error& error);
    /// Shows the current results.
    virtual void refresh() = 0;
    /// Calls it soon: results that arrive within a short time are drawn together.
    void refreshSoon();
    /// Beginning of the names of files with plots: "matmul".
    virtual QString leafOf() const = 0;

    /// Asks for the name of a report, and saves it; failed() if that fails. False: cancelled by the user.
    bool saveReportAs(const QString& title, const QString& proposal, const QString& filter,
                      const std::function<void(const QString& path)>& save);
    /// The folder to open reports from.
    QString folderOfReports() const;

    static const QString reportFolder;  ///< kind of folder, for SaveFolders
    Jobs& jobs_;
    std::shared_ptr<Desk> desk_;

  private:
    bool eventFilter(QObject* object, QEvent* event) override;

    ToolForm* settings_ = nullptr;
    QWidget* side_ = nullptr;  ///< the form, scrollable
    QTabWidget* tabs_;
    std::vector<ToolTab> rows_;
    QList<QAction*> actions_;
    PassingError refusal_;
    QTimer later_;
};

}  // namespace ks::ui
