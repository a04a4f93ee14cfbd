#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

#include "ui/shell/session/session_store.h"

namespace ks::ui {

struct Workbench;

/// Sessions that were not restored: those of other windows that have ended, and previous ones. A notice names
/// those for which nothing has been decided.
class OtherSessions : public QObject {
    Q_OBJECT
  public:
    /// @param bench outlives it
    OtherSessions(Workbench& bench, QObject* parent);

    /// Of the window; null: there is none.
    void setStore(std::shared_ptr<SessionStore> store) { store_ = std::move(store); }
    /// Names those with work in a notice, once they have been found.
    /// @param before file of the session put aside by a start with an empty window; empty: none
    void begin(const QString& before);
    /// Newest first, as of the last search.
    const std::vector<OtherSession>& all() const { return all_; }
    /// Searches for them in a job; changed() follows.
    void look();
    void discard(const QString& file);
    /// Names this session, which another one has just replaced in the window, in the notice.
    void tellOf(const QString& file);
    /// It is being opened: nothing needs to be decided any more.
    void leave(const QString& file);
    /// All that exist now were seen by the user.
    void setSeen();

  signals:
    void changed();
    void openWanted(const QString& file);

  private:
    void tell();
    void tellReplaced();
    void show();
    /// The session stays where it is, without further notices.
    void keep(const QString& file);
    void askToDelete(const OtherSession& session);

    Workbench& bench_;
    std::shared_ptr<SessionStore> store_;
    QString before_;
    QString replaced_;  ///< file of a session to be told of once it is found; empty: none
    std::vector<OtherSession> all_;
    std::vector<OtherSession> told_;  ///< of them, in the notice
};

}  // namespace ks::ui
