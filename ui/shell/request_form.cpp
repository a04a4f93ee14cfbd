#include "ui/shell/request_form.h"

#include <QAbstractItemView>
#include <QLabel>
#include <QSettings>
#include <QSignalBlocker>
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "core/devices/device_id.h"
#include "core/input/same_parameter.h"
#include "ui/base/palette.h"
#include "ui/base/parameter_form.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/analysis_page.h"
#include "ui/shell/settings/run_settings.h"
#include "ui/shell/trust/refused_code.h"

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

RequestForm::RequestForm(QSettings& settings, Desk& desk, QObject* parent)
    : QObject(parent),
      settings_(settings),
      desk_(desk),
      form_(new ParameterForm),
      variants_(new VariantPicker),
      devices_(new DeviceBox),
      device_(new QLabel) {
    devices_->setAccessibleName(tr("Device"));
    devices_->setToolTip(tr("Device that runs the kernels"));
    devices_->setMinimumContentsLength(10);
    devices_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    devices_->view()->setMinimumWidth(devices_->fontMetrics().averageCharWidth() * 48);
    devices_->addItem(tr("starting..."));
    devices_->setEnabled(false);
    device_->setAccessibleName(tr("Device"));
    device_->setWordWrap(true);
    connect(devices_, &QComboBox::currentIndexChanged, this, [this] {
        devices_->setToolTip(tr("Device that runs the kernels: %1").arg(devices_->currentText()));
    });
    connect(devices_, &QComboBox::currentIndexChanged, this, &RequestForm::showOffers);
    connect(variants_, &VariantPicker::variantChanged, this, &RequestForm::tellPage);
    connect(&desk_, &Desk::catalogueChanged, this, &RequestForm::takeCatalogue);
    connect(&desk_, &Desk::ceilingsChanged, this, &RequestForm::showCeilings);
}

void RequestForm::takeCatalogue() {
    keep();
    showDevices();
    // A restarted worker has the same parameters: a value that is being typed stays.
    if (!showsParameters()) return showChoices();
    showOffers();
    tellPage();
    emit changed();
}

bool RequestForm::showsParameters() const {
    const AnalysisInfo* info = analysis();
    return info && page_->analysis() == analysis_ &&
           std::ranges::equal(form_->specs(), info->parameters,
                              [](const ParameterSpec& one, const ParameterSpec& other) {
                                  return to_json(one) == to_json(other);
                              });
}

void RequestForm::setPage(AnalysisPage* page) {
    keep();
    page_ = page;
    showChoices();
}

void RequestForm::keep() {
    if (!analysis_.isEmpty()) choices_[analysis_] = choices(analysis_);
}

RequestForm::Choices RequestForm::choices(const QString& analysis) const {
    Choices chosen = choices_.value(analysis);
    if (analysis_ != analysis) return chosen;
    // Before the catalogue has arrived there is nothing to choose from.
    if (!form_->specs().empty()) chosen.parameters = form_->values();
    if (!variants_->offers().empty()) chosen.variant = variants_->wanted();
    return chosen;
}

void RequestForm::setChoices(const QString& analysis, const Choices& choices) {
    choices_[analysis] = choices;
    if (analysis_ == analysis) showChoices();
}

void RequestForm::wantDevice(const QString& title) {
    if (devices_->isEnabled())
        devices_->choose(title);
    else
        settings_.setValue(QStringLiteral("device"), title);
}

QString RequestForm::deviceTitle() const {
    return devices_->isEnabled() ? devices_->currentText()
                                 : settings_.value(QStringLiteral("device")).toString();
}

void RequestForm::showDevices() {
    devices_->setDevices(catalogue().devices, deviceTitle());
}

void RequestForm::showChoices() {
    analysis_ = page_ ? page_->analysis() : QString();
    const Choices choices = choices_.value(analysis_);
    const AnalysisInfo* info = analysis();
    // Other analyses may have parameters and variants of the same names: none of theirs may remain.
    variants_->setOffers({});
    {
        const QSignalBlocker notEdited(form_);
        form_->setSpecs({});
        if (info) {
            const QStringList own = page_->ownParameters().ids;
            form_->setSpecs(info->parameters, QSet<QString>(own.begin(), own.end()));
            form_->setValues(choices.parameters);
        }
        emit filled();
    }
    showOffers();
    variants_->setVariant(choices.variant);
    tellPage();
    emit changed();
}

void RequestForm::tellPage() {
    if (!page_) return;
    const std::vector<Offer>& offers = variants_->offers();
    const auto next = std::ranges::find_if(
        offers, [this](const Offer& one) { return one.variant.id == variants_->variant().toStdString(); });
    emit desk_.offered(page_->analysis(), offers, next == offers.end() ? nullptr : &next->variant);
}

const AnalysisInfo* RequestForm::analysis() const {
    if (!page_) return nullptr;
    const auto at =
        std::ranges::find(catalogue().analyses, page_->analysis().toStdString(), &AnalysisInfo::id);
    return at == catalogue().analyses.end() ? nullptr : &*at;
}

std::optional<std::size_t> RequestForm::devicePosition() const {
    const DeviceInfo* const chosen = device();
    return chosen ? std::optional(static_cast<std::size_t>(chosen - catalogue().devices.data()))
                  : std::nullopt;
}

const DeviceInfo* RequestForm::device() const {
    const std::vector<std::size_t> chosen = devices_->positions();
    return chosen.empty() ? nullptr : &catalogue().devices.at(chosen.front());
}

void RequestForm::showOffers() {
    const AnalysisInfo* info = analysis();
    const DeviceInfo* chosen = device();
    if (!info || !chosen) return;
    if (catalogue().offers.contains(info->id)) variants_->setOffers(offersOf(info->id), chosen->fp64);
    showTraits();
    showDevice();
    showCeilings();
    settings_.setValue(QStringLiteral("device"), devices_->currentText());
    emit changed();
}

std::vector<Offer> RequestForm::offersOf(const std::string& analysis) const {
    const auto& byDevice = catalogue().offers.at(analysis);
    const std::vector<std::size_t> chosen = devices_->positions();
    std::vector<Offer> offers = byDevice.at(chosen.front());
    for (std::size_t i = 1; i < chosen.size(); ++i)
        for (Offer& offer : offers) {
            if (!offer.why_not.empty()) continue;
            if (offer.variant.on_host()) offer.why_not = tr("it only runs on the host").toStdString();
            for (const Offer& other : byDevice.at(chosen[i]))
                if (other.variant.id == offer.variant.id && offer.why_not.empty())
                    offer.why_not = other.why_not;
        }
    return offers;
}

void RequestForm::showTraits() {
    if (!page_ || form_->specs().empty()) return;
    Traits traits = form_->values();
    page_->fillOwn(traits);
    const FileValues ofFile = page_->fileValues();
    for (const auto& [name, value] : ofFile.traits) traits[name] = value;
    variants_->setTraits(traits);
    const QHash<QString, QString>& said = ofFile.parameters;
    for (const ParameterSpec& spec : form_->specs()) {
        const QString id = QString::fromStdString(spec.id);
        const auto of = said.find(id);
        form_->setAbsentText(id, of == said.end() ? QString()
                                 : of->isEmpty()  ? tr("file: none")
                                                  : tr("file: %1").arg(*of));
    }
    tellPage();
}

void RequestForm::showIdle(const Request& next) {
    std::map<std::string, std::string> why;
    for (const IdleParameter& one : desk_.registry()->analysis(next.analysis).idle(next))
        why[one.id] = one.why;
    for (const ParameterSpec& spec : form_->specs()) {
        const auto idle = why.find(spec.id);
        const QString id = QString::fromStdString(spec.id);
        form_->setIdle(id, idle == why.end() ? QString() : QString::fromStdString(idle->second),
                       page_ ? page_->usedBy(id) : QString());
    }
}

QString RequestForm::refused(const std::string& analysis, const ParameterSet& parameters) const {
    return refusedProject(settings_, desk_.registry()->analysis(analysis), parameters);
}

void RequestForm::holdBack(const Request& request) {
    if (!request.from_file.empty())
        keepRefused(settings_, QString::fromStdString(request.from_file),
                    unknownTexts(desk_.registry()->analysis(request.analysis), request.parameters));
}

bool RequestForm::usesTuned() const {
    return usesTunedValues(settings_);
}

Request RequestForm::request(const Request& filled) const {
    const AnalysisInfo* info = analysis();
    const DeviceInfo* chosen = device();
    if (!info || !chosen) throw Error(ErrorKind::run, "the worker is not ready yet");
    Request request = filled;
    request.analysis = info->id;
    if (filled.variant.empty()) request.variant = variants_->variant().toStdString();
    request.device = devices_->requested();
    request.memory_limit = memoryLimit(settings_);
    request.user_tuned = usesTunedValues(settings_);
    request.parameters = form_->values();
    for (const auto& [id, value] : filled.parameters) request.parameters[id] = value;
    request.parameters = checked(info->parameters, request.parameters);
    if (page_) page_->dropUnused(request);
    return request;
}

Request RequestForm::request(const AnalysisPage& page) const {
    const auto info =
        std::ranges::find(catalogue().analyses, page.analysis().toStdString(), &AnalysisInfo::id);
    if (info == catalogue().analyses.end()) throw Error(ErrorKind::run, "the worker is not ready yet");
    Request request;
    request.analysis = info->id;
    request.memory_limit = memoryLimit(settings_);
    request.user_tuned = usesTunedValues(settings_);
    request.parameters = choices(page.analysis()).parameters;
    page.fill(request);
    request.parameters = checked(info->parameters, request.parameters);
    page.dropUnused(request);
    return request;
}

bool RequestForm::kernelChanged(const Run& run) const {
    const auto offers = catalogue().offers.find(run.request.analysis);
    if (!run.variant.from_user() || run.request.kernel_source.empty() || offers == catalogue().offers.end())
        return false;
    for (const std::vector<Offer>& onDevice : offers->second)
        for (const Offer& offer : onDevice)
            if (offer.variant.id == run.variant.id)
                return catalogue().text_of(offer.variant) != run.request.kernel_source;
    return false;
}

QStringList RequestForm::differing(const Run& run) const {
    const AnalysisInfo* info = analysis();
    if (!info || form_->specs().empty()) return {};
    Request now = run.request;
    ParameterSet then = now.parameters;
    const ParameterSet fields = form_->values();
    page_->fillOwn(now.parameters);
    for (const ParameterSpec& spec : info->parameters)
        if (form_->field(QString::fromStdString(spec.id))) now.parameters[spec.id] = fields.at(spec.id);
    std::set<std::string> idle;
    for (const IdleParameter& one : desk_.registry()->analysis(info->id).idle(now)) idle.insert(one.id);
    if (const auto resolve = page_->fileValues().resolve)
        for (ParameterSet* const set : {&then, &now.parameters}) resolve(*set);
    QStringList labels;
    for (const ParameterSpec& spec : info->parameters)
        if (then.contains(spec.id) &&
            !io::same_parameter(spec, then.at(spec.id), now.parameters.at(spec.id)) &&
            !idle.contains(spec.id))
            labels << QString::fromStdString(spec.label);
    return labels;
}

QStringList RequestForm::otherKernel(const Run& run) const {
    QStringList labels;
    // Of a variant that comes with the program, the next run takes that text.
    const bool otherSource = !run.variant.from_user() && !run.request.kernel_source.empty();
    if (otherSource || kernelChanged(run)) labels << tr("Kernel text");
    // Only the command line and the Lab give definitions.
    if (!run.request.defines.empty()) labels << tr("Definitions");
    return labels;
}

QStringList RequestForm::otherChoices(const Run& run, bool othersDiffer) const {
    QStringList labels;
    const std::vector<std::size_t> chosen = devices_->positions();
    if (!analysis() || chosen.empty()) return labels;
    const QString next = variants_->variant();
    const bool byParameters =
        othersDiffer && variants_->wanted() != next &&
        variants_->parametersChose(next, QString::fromStdString(run.variant.id), run.request.parameters);
    if (!next.isEmpty() && next != QString::fromStdString(run.variant.id) && !byParameters)
        labels << tr("Variant");
    // A host variant runs there whatever device is chosen.
    if (!run.variant.on_host() && !ranOnChosen(run)) labels << tr("Device");
    return labels;
}

std::multiset<std::string> RequestForm::chosenTitles() const {
    std::multiset<std::string> titles;
    for (const std::size_t position : devices_->positions())
        titles.insert(catalogue().devices.at(position).title());
    return titles;
}

std::multiset<std::string> RequestForm::titlesOf(const Run& run) {
    std::multiset<std::string> titles;
    for (const DeviceShare& share : run.devices) titles.insert(share.device.title());
    if (titles.empty()) titles.insert(run.device.title());
    return titles;
}

bool RequestForm::ranOnChosen(const Run& run) const {
    return chosenTitles() == titlesOf(run);
}

void RequestForm::showDevice() {
    const DeviceInfo* chosen = device();
    if (!chosen) return;
    if (const auto used = used_.find(chosenTitles()); used != used_.end())
        return device_->setText(used->second);
    const bool several = devices_->positions().size() > 1;
    const QString name = several ? devices_->currentText() : QString::fromStdString(chosen->name);
    device_->setText(chosen->global_bytes > 0 && !several
                         ? tr("%1, %2").arg(name, formatBytes(chosen->global_bytes))
                         : name);
}

void RequestForm::showCeilings() {
    const DeviceInfo* chosen = device();
    if (!chosen) return;
    const Ceilings* ceilings = find_ceilings(catalogue().ceilings, *chosen);
    device_->setToolTip(QString::fromStdString(chosen->title()) +
                        (ceilings ? QStringLiteral("\n") + ceilingLines(*ceilings) : QString()));
}

void RequestForm::showMemory(const Run& run) {
    // Runs elsewhere, such as those of host variants, say nothing about the memory of this device.
    if (DeviceId(run.device).is_host() || run.device.global_bytes == 0) return;
    const QString peak = formatBytes(run.device_bytes_peak);
    const std::multiset<std::string> titles = titlesOf(run);
    used_[titles] = titles.size() > 1
                        ? tr("last run on these devices: at most %1 of memory per device").arg(peak)
                        : tr("last run on this device: %1 of %2 device memory")
                              .arg(peak, formatBytes(run.device.global_bytes));
    showDevice();
}

}  // namespace ks::ui
