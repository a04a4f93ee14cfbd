#pragma once

#include <QHash>
#include <QKeySequence>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <vector>

class QAction;
class QMenu;
class QMenuBar;
class QTabBar;
class QToolButton;
class QWidget;

namespace ks::ui {

class MainWindow;

/// The actions of a window: a table of them, the menus, the buttons of the top row, and which of them are
/// possible now.
class WindowActions : public QObject {
    Q_OBJECT
  public:
    /// @param window not owned; it owns this, and has its pages
    explicit WindowActions(MainWindow& window);

    /// Null: there is none of this id.
    QAction* find(const QString& id) const { return actions_.value(id); }
    QMenuBar& menus() { return *menus_; }
    /// Menus, page tabs and run controls in one row: the height belongs to the picture.
    QWidget* makeTopRow(QTabBar& tabs, QWidget& devices);
    /// With space for texts and for the buttons of the menu File, or without.
    void setRoomy(bool isRoomy);
    /// Enables what is possible now.
    void update();
    /// Lists the sessions that were not restored.
    void fillPrevious();

  private:
    struct Row {
        QString id, text;
        QKeySequence keys;
        QString tip;
        std::function<void()> slot = {};
        QString icon = {};
    };
    std::vector<Row> fileRows();
    std::vector<Row> viewRows();
    std::vector<Row> runRows();
    QAction* add(const Row& row);
    void makeMenus();
    QMenu* addMenu(const QString& title, const QStringList& ids);
    /// @param ids empty: a separator
    void addActions(QMenu& menu, const QStringList& ids) const;
    void fillThemes(QMenu& menu);
    void fillDemos();
    void fillRecent();
    void fillExport();
    void showPageOnly();
    void askOpen();
    void askOpenFolder();
    void askOpenRepeats();
    void askOpenProject();
    /// Of the open file; empty: none is open.
    QString folderOfFile() const;
    void showAbout();

    MainWindow& window_;
    QHash<QString, QAction*> actions_;
    QMenuBar* menus_;
    QMenu *demos_ = nullptr, *recent_ = nullptr, *previous_ = nullptr, *export_ = nullptr;
    QWidget* shortcuts_ = nullptr;    ///< buttons for entries of the menu File
    std::vector<QToolButton*> wide_;  ///< buttons with a text, where there is space for it
};

}  // namespace ks::ui
