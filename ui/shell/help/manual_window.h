#pragma once

#include <QTextBrowser>
#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;
class QTreeWidget;

namespace ks::ui {

/// Shows pages of the manual. Links to other pages are followed, all others are opened by the desktop.
class ManualView : public QTextBrowser {
    Q_OBJECT
  public:
    explicit ManualView(QWidget* parent = nullptr);

    /// @param block shown at the top; -1: the beginning
    void showPage(const QString& name, int block = -1);
    QString page() const;
    /// Marks all matches of a text on the page; empty: nothing.
    void mark(const QString& text);
    /// Goes to the next match, and from the last one to the first.
    bool findNext(const QString& text, bool backward);

    QVariant loadResource(int type, const QUrl& name) override;

  signals:
    void externalLink(const QUrl& url);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void toBlock(int block);
    void arrange();
    void layOutAgain();

    QString marked_;
    int width_ = 0;  ///< that pictures were scaled for
};

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
