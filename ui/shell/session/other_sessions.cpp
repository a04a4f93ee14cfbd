#include "ui/shell/session/other_sessions.h"

#include <algorithm>
#include <utility>

#include "ui/shell/workbench.h"

namespace ks::ui {
namespace {

const QString otherNotice = QStringLiteral("other sessions");
/// Time up to which the user has seen which sessions were not restored: ms since 1970.
const QString seenKey = QStringLiteral("otherSessionsSeen");
/// The same for individual sessions written since then.
const QString keptKey = QStringLiteral("otherSessionsKept");

/// The time identifies a session: its file is renamed when the session is put aside.
QString idOf(const OtherSession& session) {
    return QString::number(session.written.toMSecsSinceEpoch());
}

}  // namespace

OtherSessions::OtherSessions(Workbench& bench, QObject* parent) : QObject(parent), bench_(bench) {}

void OtherSessions::begin(const QString& before) {
    before_ = before;
    connect(this, &OtherSessions::changed, this, &OtherSessions::tell,
            static_cast<Qt::ConnectionType>(Qt::AutoConnection | Qt::SingleShotConnection));
    look();
}

void OtherSessions::tellOf(const QString& file) {
    replaced_ = file;
    look();
}

void OtherSessions::tellReplaced() {
    const auto found = std::ranges::find(all_, replaced_, &OtherSession::file);
    if (replaced_.isEmpty() || found == all_.end()) return;
    before_ = std::exchange(replaced_, {});
    told_.insert(told_.begin(), *found);
    show();
}

void OtherSessions::leave(const QString& file) {
    std::erase_if(told_, [&file](const OtherSession& one) { return one.file == file; });
    show();
}

void OtherSessions::setSeen() {
    bench_.settings->setValue(seenKey, QDateTime::currentMSecsSinceEpoch());
}

void OtherSessions::look() {
    if (!store_) return;
    bench_.jobs.start(
        Jobs::Lane::general, this, QStringLiteral("look for other sessions"),
        [store = store_] { return store->others(); },
        [this](std::vector<OtherSession> found) {
            all_ = std::move(found);
            emit changed();
            tellReplaced();
        });
}

void OtherSessions::discard(const QString& file) {
    if (!store_) return;
    store_->discard(file);
    leave(file);
    look();
}

// Sessions with work for which nothing has been decided.
void OtherSessions::tell() {
    const auto seen = bench_.settings->value(seenKey).toLongLong();
    const QStringList kept = bench_.settings->value(keptKey).toStringList();
    told_.clear();
    for (const OtherSession& one : all_)
        if (one.holdsWork && one.written.toMSecsSinceEpoch() > seen && !kept.contains(idOf(one)))
            told_.push_back(one);
    show();
}

void OtherSessions::show() {
    if (told_.empty()) return emit bench_.messages.noticeEnded(otherNotice);
    const auto keepAll = [this] {
        bench_.settings->setValue(seenKey, told_.front().written.toMSecsSinceEpoch());
        told_.clear();
        show();
    };
    const auto actionsOf = [this](const OtherSession& one) {
        std::vector<Notice::Action> actions;
        const QString file = one.file;
        if (one.damaged.isEmpty()) actions.push_back({tr("Open"), [this, file] { emit openWanted(file); }});
        actions.push_back({tr("Keep"), [this, file] { keep(file); }});
        actions.push_back({tr("Delete..."), [this, one] { askToDelete(one); }});
        return actions;
    };
    if (told_.size() == 1) {
        const OtherSession& one = told_.front();
        const QString text = one.file == before_ ? tr("The previous session is kept: %1")
                                                 : tr("A session was not restored: %1");
        return emit bench_.messages.noticed({otherNotice, text.arg(one.text()), actionsOf(one), keepAll});
    }
    Notice::Action list{tr("Sessions"), {}, {}};
    for (const OtherSession& one : told_) list.menu.push_back({one.text(), {}, actionsOf(one)});
    emit bench_.messages.noticed(
        {otherNotice, tr("%1 sessions were not restored").arg(told_.size()), {list}, keepAll});
}

void OtherSessions::keep(const QString& file) {
    const auto session = std::ranges::find(told_, file, &OtherSession::file);
    if (session == told_.end()) return;
    // Sessions that no longer exist need not be remembered.
    QStringList known, kept = bench_.settings->value(keptKey).toStringList();
    for (const OtherSession& one : all_) known << idOf(one);
    kept.removeIf([&known](const QString& id) { return !known.contains(id); });
    bench_.settings->setValue(keptKey, kept << idOf(*session));
    told_.erase(session);
    show();
}

// Nothing restores a deleted session: deletion takes a second click, at another place.
void OtherSessions::askToDelete(const OtherSession& session) {
    const QString file = session.file;
    emit bench_.messages.noticed(
        {otherNotice,
         tr("Delete the session %1 with its masks and runs?").arg(session.text()),
         {{tr("Keep"), [this, file] { keep(file); }}, {tr("Delete"), [this, file] { discard(file); }}},
         [this] { show(); }});
}

}  // namespace ks::ui
