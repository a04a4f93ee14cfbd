#pragma once

#include <QTextBrowser>

namespace ks::ui {

/// Shows pages of the manual. A link to another page is followed, any other one is opened by the desktop.
class ManualView : public QTextBrowser {
    Q_OBJECT
  public:
    explicit ManualView(QWidget* parent = nullptr);

    /// @param block that is put at the top; -1: the beginning
    void showPage(const QString& name, int block = -1);
    QString page() const;
    /// Marks a text wherever the page has it; empty: nothing.
    void mark(const QString& text);
    /// Goes to the next place of the text, from the beginning again after the last one.
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
    int width_ = 0;  ///< that pictures were made for
};

}  // namespace ks::ui
