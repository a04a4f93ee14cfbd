#pragma once

#include <QString>
#include <QWidget>
#include <functional>
#include <vector>

class QVBoxLayout;

namespace ks::ui {

/// Something that stays true until it is dealt with: a sentence and what can be done about it.
struct Notice {
    struct Action {
        QString text;  ///< "Locate..."
        std::function<void()> act = {};
        std::vector<Action> menu = {};  ///< what the button opens, in place of `act`
    };
    QString id;  ///< of what it is about: a newer notice takes the place of an older one of the same id
    QString text;
    std::vector<Action> actions = {};
    std::function<void()> closed = {};  ///< it was closed by hand; nothing: it cannot be closed
};

/// The notices that hold now, one row for each. Unlike an error or a warning, which the next one replaces, a
/// notice stays until what it is about has ended or a hand closes it.
class NoticeBar : public QWidget {
    Q_OBJECT
  public:
    explicit NoticeBar(QWidget* parent = nullptr);

    void put(const Notice& notice);
    /// Without effect where there is none of this id.
    void remove(const QString& id);
    /// Sentence of the notice; empty: there is none of this id.
    QString text(const QString& id) const;
    /// Ids, in the order in which they came.
    QStringList ids() const;
    /// As by a click on the button with this text; false: the notice has none.
    bool act(const QString& id, const QString& text);
    /// The same of an entry in the menu of the notice's button. @param path texts of the entries on the way
    bool actInMenu(const QString& id, const QStringList& path);

  private:
    struct Row {
        Notice notice;
        QWidget* widget;
    };
    QWidget* makeRow(const Notice& notice);

    QVBoxLayout* layout_;
    std::vector<Row> rows_;
};

}  // namespace ks::ui
