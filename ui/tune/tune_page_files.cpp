#include <QFileDialog>
#include <QFileInfo>
#include <QTabWidget>
#include <algorithm>

#include "core/base/json_text.h"
#include "core/io/files/atomic_file.h"
#include "core/tune/tune_file.h"
#include "ui/base/json_read.h"
#include "ui/base/save_folders.h"
#include "ui/tune/kept_tuning.h"
#include "ui/tune/parallel_plot.h"
#include "ui/tune/ratio_map.h"
#include "ui/tune/tune_form.h"
#include "ui/tune/tune_page.h"

namespace ks::ui::tune {
namespace {

const QString tuningFolder = QStringLiteral("report");

}  // namespace

void TunePage::saveTuning(const QString& path, bool overwrite) const {
    if (!report_) throw Error(ErrorKind::input, "there are no results to save");
    io::write_text(path.toStdString(), tune_json(*report_), overwrite);
}

void TunePage::askSave() {
    if (!report_) return;
    const QString leaf = QStringLiteral("tune_%1_%2.json")
                             .arg(QString::fromStdString(report_->plan.analysis),
                                  QString::fromStdString(report_->plan.variant));
    const QString path =
        askSavePath(this, tr("Save tuning"), savePath(this, tuningFolder, leaf), tr("Tunings (*.json)"));
    if (path.isEmpty()) return;
    rememberSaved(this, tuningFolder, path);
    try {
        saveTuning(path, true);  // the dialog has asked
    } catch (const Error& error) {
        emit failed(error);
    }
}

void TunePage::askOpen() {
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open tuning"), QFileInfo(savePath(this, tuningFolder, QStringLiteral("x"))).path(),
        tr("Tunings (*.json)"));
    if (path.isEmpty()) return;
    rememberSaved(this, tuningFolder, path);
    openTuning(path);
}

void TunePage::openTuning(const QString& path) {
    jobs_.start(
        Jobs::Lane::files, this, QStringLiteral("tuning"),
        [path = path.toStdString()] {
            std::optional<TuneReport> read = read_tuning(path);
            if (!read) throw Error(ErrorKind::input, "there is no such file", path);
            return std::make_shared<const TuneReport>(std::move(*read));
        },
        [this, path](const std::shared_ptr<const TuneReport>& read) {
            if (running_)
                return emit failed(Error(ErrorKind::input, "a variant is being tuned", path.toStdString(),
                                         "open it when the tuning has ended"));
            report_ = read;
            keptTuning_->write(read);
            complete_ = read->best.has_value();
            form_->take(read->plan, read->device);
            refresh();
            emit opened(path);
        });
}

std::vector<NamedPlot> TunePage::plots() const {
    const QString of = report_ ? QString::fromStdString(report_->plan.analysis) : QStringLiteral("tune");
    return {{tr("Configurations"), lines_, of + QStringLiteral("_configurations")},
            {tr("Two definitions"), map_, of + QStringLiteral("_ratios")}};
}

std::vector<PicturePlace> TunePage::pictures() const {
    const QRectF all(tabs_->rect());
    return {placeIn(*this, *tabs_, {all, all})};
}

std::optional<PageState> TunePage::state(Scope scope) const {
    if (scope != Scope::settings && scope != Scope::session) return std::nullopt;
    PageState state;
    state.values["plan"] = form_->keep();
    if (scope == Scope::settings) state.values["tab"] = tabs_->currentIndex();
    return state;
}

void TunePage::setState(const PageState& state, Scope scope) {
    if (scope == Scope::settings) tabs_->setCurrentIndex(jsonInteger(state.values, "tab"));
    if (scope == Scope::settings || scope == Scope::session) form_->bringBack(jsonPart(state.values, "plan"));
}

}  // namespace ks::ui::tune
