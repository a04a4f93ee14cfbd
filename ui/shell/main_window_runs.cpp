#include <QClipboard>
#include <QComboBox>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QSignalBlocker>
#include <QStatusBar>
#include <QToolButton>
#include <algorithm>
#include <set>
#include <utility>

#include "core/base/progress.h"
#include "core/record/saved_run.h"
#include "ui/base/palette.h"
#include "ui/base/parameter_form.h"
#include "ui/runs/queue_panel.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/error_bar.h"
#include "ui/shell/main_window.h"
#include "ui/shell/settings/settings_dialog.h"

namespace ks::ui {
namespace {

QString ceilingLines(const Ceilings& ceilings) {
    QStringList lines;
    for (const Ceiling& one : ceilings.values) {
        const QString unit = one.unit == "1/s" ? QStringLiteral("/s") : QString::fromStdString(one.unit);
        lines << QObject::tr("%1: %2").arg(QString::fromStdString(one.label), formatSi(one.median(), unit));
    }
    return lines.join('\n');
}

}  // namespace

void MainWindow::onCatalogue(const wire::Catalogue& catalogue) {
    // A worker that was started anew tells its catalogue again.
    keepChoices();
    catalogue_ = catalogue;
    showDevices();
    showChoices();
    for (Page* one : pages_) one->setCeilings(catalogue_.ceilings);
}

void MainWindow::showDevices() {
    const QString before =
        devices_->isEnabled() ? devices_->currentText() : settings_->value("device").toString();
    const QSignalBlocker quiet(devices_);
    devices_->clear();
    for (const DeviceInfo& device : catalogue_.devices) {
        devices_->addItem(QString::fromStdString(device.title()));
        devices_->setItemData(devices_->count() - 1, devices_->itemText(devices_->count() - 1),
                              Qt::ToolTipRole);
    }
    devices_->setEnabled(devices_->count() > 0);
    int index = devices_->findText(before);
    if (index < 0 && !catalogue_.devices.empty()) {
        const DeviceInfo& standard = choose_device(catalogue_.devices, {});
        index = static_cast<int>(&standard - catalogue_.devices.data());
    }
    devices_->setCurrentIndex(index);
}

void MainWindow::showChoices() {
    const Choices choices = shown_ ? choices_.value(shown_->analysis()) : Choices{};
    const AnalysisInfo* info = analysisOfPage();
    // Other analyses may have parameters and variants of the same names: none of theirs may stay.
    variants_->setOffers({});
    {
        const QSignalBlocker notEdited(form_);
        form_->setSpecs({});
        if (info) {
            const QStringList own = shown_->ownParameters();
            form_->setSpecs(info->parameters, QSet<QString>(own.begin(), own.end()));
            form_->setValues(choices.parameters);
        }
        if (formSteps_) formSteps_->settle();
    }
    showOffers();
    variants_->setVariant(choices.variant);
    updateActions();
}

const AnalysisInfo* MainWindow::analysisOfPage() const {
    const Page* current = page();
    if (!current) return nullptr;
    const std::string id = current->analysis().toStdString();
    const auto& all = catalogue_.analyses;
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const AnalysisInfo& info) { return info.id == id; });
    return at == all.end() ? nullptr : &*at;
}

void MainWindow::showOffers() {
    const AnalysisInfo* info = analysisOfPage();
    const DeviceInfo* chosen = deviceOfBox();
    if (!info || !chosen) return;
    const DeviceInfo& device = *chosen;
    const auto offers = catalogue_.offers.find(info->id);
    if (offers != catalogue_.offers.end())
        variants_->setOffers(offers->second.at(static_cast<std::size_t>(devices_->currentIndex())),
                             device.fp64);
    showTraits();
    device_->setText(device.global_bytes > 0 ? tr("%1, %2").arg(QString::fromStdString(device.name),
                                                                formatBytes(device.global_bytes))
                                             : QString::fromStdString(device.name));
    showCeilings();
    settings_->setValue("device", devices_->currentText());
    updateActions();
}

// Variants that do not take what the parameters and the file say are not to be chosen.
void MainWindow::showTraits() {
    if (!shown_ || form_->specs().empty()) return;
    Traits traits = form_->values();
    shown_->fillOwn(traits);
    for (const auto& [name, value] : shown_->traits()) traits[name] = value;
    variants_->setTraits(traits);
}

QString MainWindow::missing() const {
    if (!shown_) return tr("there is no page");
    if (file_ && !shown_->accepts(*file_))
        return tr("the page %1 has no use for %2: open another file")
            .arg(shown_->title(), QFileInfo(file_->path).fileName());
    return shown_->missing();
}

Request MainWindow::makeRequest() const {
    const Page* current = page();
    const AnalysisInfo* info = analysisOfPage();
    if (!current || !info) throw Error(ErrorKind::run, "the worker is not ready yet");
    if (const QString lacking = missing(); !lacking.isEmpty())
        throw Error(ErrorKind::input, lacking.toStdString());
    Request request;
    request.analysis = info->id;
    request.variant = variants_->variant().toStdString();
    const DeviceInfo& device = catalogue_.devices.at(static_cast<std::size_t>(devices_->currentIndex()));
    request.device = device.index < 0 ? "host" : std::to_string(device.index);
    request.parameters = form_->values();
    request.memory_limit = memoryLimit(*settings_);
    current->fill(request);
    request.parameters = checked(info->parameters, request.parameters);
    return request;
}

void MainWindow::startRun() {
    try {
        const Request request = makeRequest();
        stopLive();
        errors_->dismiss();
        session_.run(request, true);
    } catch (const Error& error) {
        showError(error);
    }
    updateActions();
}

void MainWindow::previewWanted() {
    showTraits();
    if (action(QStringLiteral("live"))->isChecked() && worker_.ready())
        live_.changed();
    else
        withdrawPreview();
    updateActions();
    showOutdated();
}

void MainWindow::withdrawPreview() {
    if (shown_) shown_->setPreview(nullptr);
}

// What was asked for is not waited for: a preview of what was there before must not stand for it.
void MainWindow::stopLive() {
    if (live_.behind()) withdrawPreview();
    live_.stop();
}

void MainWindow::showOutdated() {
    const AnalysisInfo* info = analysisOfPage();
    if (!info || form_->specs().empty()) return;
    const std::vector<RunRow> ticked = runs_.ticked(shown_->analysis());
    const auto ofFile = [this](const RunRow& row) {
        return file_ && std::ranges::any_of(row.run->request.inputs, [this](const auto& input) {
                   return input.second.name == file_->name.toStdString();
               });
    };
    QStringList labels;
    if (const auto row = std::ranges::find_if(ticked, ofFile); row != ticked.end()) {
        Request now = row->run->request;
        const ParameterSet then = now.parameters, fields = form_->values();
        shown_->fillOwn(now.parameters);
        for (const ParameterSpec& spec : info->parameters)
            if (form_->field(QString::fromStdString(spec.id))) now.parameters[spec.id] = fields.at(spec.id);
        std::set<std::string> idle;
        for (const IdleParameter& one : registry_->analysis(info->id).idle(now)) idle.insert(one.id);
        for (const ParameterSpec& spec : info->parameters)
            if (then.contains(spec.id) && then.at(spec.id) != now.parameters.at(spec.id) &&
                !idle.contains(spec.id))
                labels << QString::fromStdString(spec.label);
    }
    shown_->setOutdated(labels);
}

void MainWindow::repeat(int number) {
    const RunRow* row = runs_.find(number);
    if (!row) return;
    session_.run(row->run->request, false, *row);
    updateActions();
}

const DeviceInfo* MainWindow::deviceOfBox() const {
    const int index = devices_ ? devices_->currentIndex() : -1;
    const auto& all = catalogue_.devices;
    return index < 0 || static_cast<std::size_t>(index) >= all.size() ? nullptr
                                                                      : &all[static_cast<std::size_t>(index)];
}

void MainWindow::measureCeilings(const DeviceInfo& device) {
    if (session_.running() || session_.measuring()) {
        statusBar()->showMessage(session_.running()
                                     ? tr("A run is under way: ceilings can be measured after it")
                                     : tr("Ceilings are being measured"),
                                 5000);
        return;
    }
    stopLive();
    session_.measureCeilings(device);
    updateActions();
}

void MainWindow::takeCeilings(const Ceilings& measured) {
    std::erase_if(catalogue_.ceilings, [&measured](const Ceilings& older) {
        return same_ceilings(older.device, measured.device);
    });
    catalogue_.ceilings.push_back(measured);
    showCeilings();
    for (Page* one : pages_) one->setCeilings(catalogue_.ceilings);
}

void MainWindow::showCeilings() {
    const DeviceInfo* device = deviceOfBox();
    if (!device) return;
    const Ceilings* ceilings = find_ceilings(catalogue_.ceilings, *device);
    device_->setToolTip(QString::fromStdString(device->title()) +
                        (ceilings ? QStringLiteral("\n") + ceilingLines(*ceilings) : QString()));
}

void MainWindow::cancel() {
    stopLive();
    session_.cancel();
    if (shown_) shown_->cancel();
    updateActions();
}

void MainWindow::makeQueue() {
    queue_ = new QueuePanel(session_.queue(), this);
    waiting_ = new QToolButton;
    waiting_->setAutoRaise(true);
    waiting_->setAccessibleName(tr("Queue of runs"));
    waiting_->setToolTip(tr("Runs that wait for their turn: shows them, and cancels one"));
    statusBar()->addPermanentWidget(waiting_);
    waiting_->hide();
    connect(waiting_, &QToolButton::clicked, this, [this] {
        const QPoint corner = waiting_->mapToGlobal(QPoint(waiting_->width(), 0));
        queue_->move(corner - QPoint(queue_->width(), queue_->height()));
        queue_->show();
    });
    connect(queue_, &QueuePanel::cancelRequested, &session_, &RunSession::cancelRun);
    connect(queue_, &QueuePanel::cancelAllRequested, this, &MainWindow::cancelAll);
    connect(&session_.queue(), &RunQueue::changed, this, &MainWindow::showQueue);
    connect(&session_, &RunSession::repeatReady, this, &MainWindow::tellWhetherSame);
}

void MainWindow::showQueue() {
    const int count = session_.queue().waiting();
    waiting_->setText(tr("%1 waiting").arg(count));
    waiting_->setVisible(count > 0);
    updateActions();
}

void MainWindow::cancelAll() {
    stopLive();
    session_.cancelAll();
    updateActions();
}

void MainWindow::onRunAdded(const std::shared_ptr<const Run>& run) {
    if (run->device.global_bytes > 0)
        device_->setText(
            tr("device memory %1 of %2")
                .arg(formatBytes(run->device_bytes_peak), formatBytes(run->device.global_bytes)));
    const std::vector<std::string>& warnings = run->result.warnings;
    if (!warnings.empty()) {
        QStringList lines;
        for (const std::string& warning : warnings) lines << QString::fromStdString(warning);
        const QString first = lines.takeFirst();
        errors_->showWarning(lines.isEmpty() ? first : tr("%1 (and %2 more)").arg(first).arg(lines.size()),
                             lines.join('\n'));
    }
    updateActions();
}

void MainWindow::tellWhetherSame(const RunRow& before, const std::shared_ptr<const Run>& now) {
    jobs_.start(
        Jobs::Lane::general, QStringLiteral("compare with the run before"),
        [registry = registry_, before = before.run, now] {
            Progress progress;
            return difference_of_repeat(registry->analysis(now->request.analysis), *before, *now, progress);
        },
        [this, number = before.number](const std::optional<std::string>& difference) {
            if (difference)
                errors_->showWarning(tr("The run is not the same as run %1: %2")
                                         .arg(number)
                                         .arg(QString::fromStdString(*difference)));
            else
                statusBar()->showMessage(tr("The same bytes as run %1").arg(number), 15000);
            emit repeated(!difference.has_value());
        });
}

void MainWindow::showRuns() {
    for (Page* one : pages_) {
        one->setPreview(nullptr);
        one->setRuns(runs_.ticked(one->analysis()));
    }
    updateActions();
    showOutdated();
}

void MainWindow::copyRuns() {
    QStringList lines;
    const auto line = [&](const auto& cell) {
        QStringList cells;
        for (int column = 0; column < runs_.columnCount(); ++column) cells << cell(column);
        lines << cells.join('\t');
    };
    line([&](int column) { return runs_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(); });
    for (int row = 0; row < runs_.rowCount(); ++row)
        line([&](int column) { return runs_.index(row, column).data().toString(); });
    QGuiApplication::clipboard()->setText(lines.join('\n'));
}

}  // namespace ks::ui
