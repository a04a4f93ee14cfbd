#pragma once

#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;
class QTreeWidget;

namespace ks::ui {

class ManualView;

/// The manual in a separate window: contents and search results at the left, the page at the right.
class ManualWindow : public QWidget {
    Q_OBJECT
  public:
    explicit ManualWindow(QWidget* parent = nullptr);

    /// "tutorial/xpcs.md"; does nothing if there is no page of this name.
    void showPage(const QString& name);
    ManualView& view() { return *view_; }
    QTreeWidget& contents() { return *contents_; }
    QLineEdit& search() { return *search_; }

  private:
    void makeActions();
    void layOut();
    void connectParts();
    void listContents();
    void listPlaces(const QString& text);
    void markPage();

    ManualView* view_;
    QTreeWidget* contents_;
    QLineEdit* search_;
    QLabel* found_;
    QAction *back_ = nullptr, *on_ = nullptr;
};

}  // namespace ks::ui
