#include "ui/tools/tool_form.h"

#include <QComboBox>
#include <QFormLayout>
#include <QPushButton>
#include <utility>

#include "core/devices/device_info.h"
#include "ui/base/input/input_rules.h"
#include "ui/base/layouts.h"
#include "ui/runs/device_titles.h"
#include "ui/shell/general/choice_box.h"

namespace ks::ui {
namespace {

/// Analyses that generate their own problems, as entries "Basics: Scan" with their ids.
void addAnalyses(QComboBox& box, const Registry& registry) {
    for (const Analysis& one : registry.analyses()) {
        if (!one.has_benchmark()) continue;
        const AnalysisInfo& info = one.info();
        const std::string text = info.group.empty() ? info.title : info.group + ": " + info.title;
        box.addItem(QString::fromStdString(text), QString::fromStdString(info.id));
    }
}

}  // namespace

ToolForm::ToolForm(std::shared_ptr<const Registry> registry, Texts texts)
    : registry_(std::move(registry)),
      analyses_(named(new QComboBox, tr("Analysis"), texts.analysis)),
      texts_(std::move(texts)) {
    keepNarrow(*analyses_, 10);
    addAnalyses(*analyses_, *registry_);
    if (!texts_.run.isEmpty()) {
        run_ = new QPushButton(tr("R&un"));
        run_->setDefault(true);
        holdForFields(*run_);
        connect(run_, &QPushButton::clicked, this, &ToolForm::runWanted);
    }
    if (!texts_.cancel.isEmpty()) {
        cancel_ = new QPushButton(tr("Cancel"));
        cancel_->setToolTip(texts_.cancel);
        connect(cancel_, &QPushButton::clicked, this, &ToolForm::cancelWanted);
    }
    connect(analyses_, &QComboBox::currentIndexChanged, this, [this] {
        showAnalysis();
        emit analysisChanged();
        emit changed();
    });
    connect(this, &ToolForm::changed, this, &ToolForm::showButtons);
}

ToolForm::~ToolForm() {
    for (QObject* part : findChildren<QObject*>()) part->disconnect(this);
}

void ToolForm::setCatalogue(const wire::Catalogue& catalogue) {
    catalogue_ = catalogue;
    showCatalogue();
    emit changed();
}

void ToolForm::setRunning(bool running) {
    running_ = running;
    emit changed();
}

QString ToolForm::missing() const {
    if (catalogue_.devices.empty()) return tr("waiting for the list of devices");
    return running_ ? texts_.running : lacking();
}

QString ToolForm::analysis() const {
    return analyses_->currentData().toString();
}

const AnalysisInfo& ToolForm::info() const {
    return registry_->analysis(chosenId(*analyses_)).info();
}

void ToolForm::choose(const QString& analysis) {
    chooseId(*analyses_, analysis);
}

void ToolForm::showButtons() {
    const QString lacking = missing();
    if (cancel_) cancel_->setEnabled(running_);
    if (!run_) return;
    run_->setEnabled(lacking.isEmpty());
    run_->setToolTip(lacking.isEmpty() ? texts_.run : lacking);
}

QFormLayout* ToolForm::fieldRows(std::initializer_list<std::pair<QString, QWidget*>> fields) {
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    for (const auto& [label, field] : fields) form->addRow(label, field);
    return form;
}

std::vector<std::size_t> ToolForm::wantedDevices() const {
    const std::vector<DeviceInfo>& all = catalogue_.devices;
    QStringList titles = wanted_;
    if (titles.isEmpty() && !all.empty()) titles << titleAmong(all, choose_device(all, {}));
    std::vector<std::size_t> wanted;
    for (const QString& title : titles)
        if (const auto at = deviceOfTitle(all, title)) wanted.push_back(*at);
    return wanted;
}

}  // namespace ks::ui
