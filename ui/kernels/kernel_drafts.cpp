#include "ui/kernels/kernel_drafts.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/io/files/atomic_file.h"
#include "core/run/user/user_variant_folder.h"
#include "ui/base/json_read.h"

namespace ks::ui {
namespace {

const QString draftPattern = QStringLiteral("*.draft");

/// The folder of the user's kernels has one subfolder per analysis; drafts of earlier versions name none.
QString analysisByPlace(const QString& file) {
    const QDir kernels(QString::fromStdString(user_variants_folder().string()));
    return kernels.relativeFilePath(file).section(QLatin1Char('/'), 0, 0);
}

std::optional<KernelDrafts::Draft> readDraft(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
    try {
        const nlohmann::json kept = parse_json(file.readAll().toStdString());
        KernelDrafts::Draft draft{jsonText(kept, "analysis"), jsonText(kept, "file"), jsonText(kept, "text"),
                                  jsonText(kept, "before"), jsonText(kept, "of")};
        if (draft.analysis.isEmpty()) draft.analysis = analysisByPlace(draft.file);
        if (draft.file.isEmpty() || !jsonPart(kept, "text").is_string()) return std::nullopt;
        return draft;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace

QString KernelDrafts::nameOf(const QString& file) const {
    const QByteArray hash = QCryptographicHash::hash(file.toUtf8(), QCryptographicHash::Sha1).toHex();
    return QDir(folder_).filePath(QString::fromLatin1(hash.left(16)) + draftPattern.mid(1));
}

void KernelDrafts::keep(const Draft& draft) const {
    if (folder_.isEmpty()) return;
    if (!QDir().mkpath(folder_))
        throw Error(ErrorKind::input, "the folder for unsaved kernels cannot be created",
                    folder_.toStdString());
    const nlohmann::json kept{{"analysis", draft.analysis.toStdString()},
                              {"file", draft.file.toStdString()},
                              {"text", draft.text.toStdString()},
                              {"before", draft.before.toStdString()},
                              {"of", draft.of.toStdString()}};
    io::write_text(nameOf(draft.file).toStdString(), dump_json_replacing(kept), true);
}

void KernelDrafts::drop(const QString& file) const {
    if (!folder_.isEmpty()) QFile::remove(nameOf(file));
}

std::optional<KernelDrafts::Draft> KernelDrafts::find(const QString& file) const {
    if (folder_.isEmpty() || file.isEmpty()) return std::nullopt;
    std::optional<Draft> draft = readDraft(nameOf(file));
    return draft && draft->file == file ? draft : std::nullopt;
}

std::vector<KernelDrafts::Draft> KernelDrafts::all() const {
    std::vector<Draft> drafts;
    if (folder_.isEmpty()) return drafts;
    for (const QFileInfo& one : QDir(folder_).entryInfoList({draftPattern}, QDir::Files, QDir::Time))
        if (std::optional<Draft> draft = readDraft(one.filePath())) drafts.push_back(*std::move(draft));
    return drafts;
}

QString KernelDrafts::freeFile(const QString& file) const {
    const QFileInfo named(file);
    for (int number = 2;; ++number) {
        const QString free = named.dir().filePath(
            QStringLiteral("%1-%2.%3").arg(named.completeBaseName()).arg(number).arg(named.suffix()));
        if (!QFileInfo::exists(free) && !QFileInfo::exists(nameOf(free))) return free;
    }
}

void KernelDrafts::adopt(const QString& from) const {
    if (folder_.isEmpty() || !QDir().mkpath(folder_)) return;
    for (const QFileInfo& one : QDir(from).entryInfoList({draftPattern}, QDir::Files)) {
        const QString place = QDir(folder_).filePath(one.fileName());
        if (QFile::rename(one.filePath(), place)) continue;
        std::optional<Draft> other = readDraft(one.filePath());
        const std::optional<Draft> own = readDraft(place);
        if (!other) continue;
        try {
            if (!own || own->text != other->text) {
                if (own) {
                    other->of = other->file;
                    other->file = freeFile(other->file);
                }
                keep(*other);
            }
            QFile::remove(one.filePath());
        } catch (const Error&) {
            continue;  // it is taken over at a later start
        }
    }
}

}  // namespace ks::ui
