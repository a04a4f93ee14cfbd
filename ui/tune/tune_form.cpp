#include "ui/tune/tune_form.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/tune/define_rule.h"
#include "ui/base/form_parts.h"
#include "ui/base/palette.h"
#include "ui/runs/device_titles.h"
#include "ui/shell/general/benchmarked.h"
#include "ui/shell/general/choice_box.h"

namespace ks::ui::tune {
namespace {

constexpr int countAfterMs = 120;

QString fromText(const std::string& text) {
    return QString::fromStdString(text);
}

bool hasDefines(const Offer& offer) {
    return !offer.variant.on_host() && !offer.variant.defines.empty();
}

/// A rule with the value of each device limit in it: "WG * ITEMS <= work_group (4096)".
QString ruleText(const std::string& rule, const DeviceInfo& device) {
    QStringList limits;
    for (const auto& [name, value] : limits_of(device))
        if (rule.find(name) != std::string::npos)
            limits << QStringLiteral("%1 = %2").arg(fromText(name), fromText(value));
    return limits.isEmpty()
               ? fromText(rule)
               : QStringLiteral("%1  (%2)").arg(fromText(rule), limits.join(QStringLiteral(", ")));
}

}  // namespace

TuneForm::TuneForm(std::shared_ptr<const Registry> registry, Jobs& jobs, QWidget* parent)
    : QWidget(parent),
      registry_(std::move(registry)),
      jobs_(jobs),
      analysis_(choiceBox({}, tr("Analysis"), tr("The analysis whose variant is tuned"))),
      variants_(choiceBox({}, tr("Variant"), tr("The variant whose definitions are tuned"))),
      devices_(choiceBox({}, tr("Device"), tr("The device to tune for"))),
      sizes_(new ParameterForm),
      values_(new DefineValues),
      rulesText_(new QLabel),
      spaceText_(new QLabel),
      further_(new QLineEdit),
      method_(choiceBox(
          {{"full", tr("all")}, {"random", tr("random sample")}, {"anneal", tr("annealing")}}, tr("Method"),
          tr("All configurations, a random sample, or simulated annealing starting at the default"))),
      check_(choiceBox({{"sample", tr("sample")}, {"full", tr("all values")}, {"none", tr("none")}},
                       tr("Check"),
                       tr("How much of each configuration's result is compared with the reference"))),
      budget_(countBox(1, 1'000'000, 1000, tr("Budget"), tr("Maximum number of configurations to try"))),
      seed_(countBox(0, 1'000'000'000, 1, tr("Search seed"),
                     tr("A different seed tries different configurations"))),
      repeats_(
          countBox(1, 10'000, 15, tr("Repeats"),
                   tr("Timed runs of the best configuration and of the default in the final comparison"))),
      run_(new QPushButton(tr("&Run"))),
      resume_(new QPushButton(tr("R&esume"))),
      cancel_(new QPushButton(tr("Cancel"))) {
    build();
    addAnalyses(*analysis_, *registry_);
    countSoon_.setSingleShot(true);
    countSoon_.setInterval(countAfterMs);
    follow();
    showAnalysis();
}

TuneForm::~TuneForm() {
    for (QObject* part : findChildren<QObject*>()) part->disconnect(this);
}

void TuneForm::follow() {
    connect(&countSoon_, &QTimer::timeout, this, &TuneForm::countSpace);
    connect(analysis_, &QComboBox::currentIndexChanged, this, &TuneForm::showAnalysis);
    connect(devices_, &QComboBox::currentIndexChanged, this, [this] {
        if (filling_) return;
        wantedDevice_ = devices_->currentText();
        showVariants();
    });
    connect(variants_, &QComboBox::currentIndexChanged, this, [this] {
        if (filling_) return;
        chosenVariants_[info().id] = chosenId(*variants_);
        showVariant();
    });
    connect(sizes_, &ParameterForm::changed, this, &TuneForm::edited);
    connect(values_, &DefineValues::changed, this, &TuneForm::edited);
    connect(further_, &QLineEdit::textChanged, this, &TuneForm::edited);
    connect(further_, &QLineEdit::returnPressed, this, &TuneForm::runWanted);
    connect(method_, &QComboBox::currentIndexChanged, this,
            [this] { seed_->setEnabled(chosenId(*method_) != "full"); });
    seed_->setEnabled(false);
    connect(run_, &QPushButton::clicked, this, &TuneForm::runWanted);
    connect(resume_, &QPushButton::clicked, this, &TuneForm::resumeWanted);
    connect(cancel_, &QPushButton::clicked, this, &TuneForm::cancelWanted);
    connect(this, &TuneForm::changed, this, &TuneForm::showButtons);
}

void TuneForm::build() {
    run_->setDefault(true);
    cancel_->setToolTip(tr("Stop the tuning and keep what was tried (Esc)"));
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {run_, resume_, cancel_}) {
        button->setMinimumWidth(40);
        buttons->addWidget(button, 1);
    }
    auto* top = new QFormLayout;
    top->setContentsMargins(0, 0, 0, 0);
    top->addRow(tr("Analysis"), analysis_);
    top->addRow(tr("Device"), devices_);
    top->addRow(tr("Variant"), variants_);
    rulesText_->setWordWrap(true);
    rulesText_->setAccessibleName(tr("Rules"));
    spaceText_->setWordWrap(true);
    spaceText_->setAccessibleName(tr("Number of configurations"));
    further_->setPlaceholderText(QStringLiteral("WG * ITEMS <= 1024"));
    further_->setAccessibleName(tr("Further rules"));
    further_->setToolTip(
        tr("Rules for the values in addition to the variant's own, separated by semicolons; names are those "
           "of the definitions, and work_group, local_bytes and compute_units of the device"));
    auto* rules = new QFormLayout;
    rules->setContentsMargins(0, 0, 0, 0);
    rules->addRow(tr("Further"), further_);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(8, 8, 8, 8);
    rows->setSpacing(6);
    rows->addLayout(buttons);
    rows->addLayout(top);
    rows->addWidget(heading(tr("Values to try"), tr("The ticked values of each definition are tried")));
    rows->addWidget(values_);
    rows->addWidget(
        heading(tr("Rules"), tr("Rules that the values of a configuration must fulfil together")));
    rows->addWidget(rulesText_);
    rows->addLayout(rules);
    rows->addWidget(spaceText_);
    rows->addWidget(heading(tr("Search")));
    rows->addWidget(makeSearch());
    rows->addWidget(heading(tr("Problem"), tr("The generated problem that is timed")));
    rows->addWidget(sizes_);
    rows->addStretch(1);
}

QWidget* TuneForm::makeSearch() {
    auto* box = new QWidget;
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow(tr("Method"), method_);
    form->addRow(tr("Budget"), budget_);
    form->addRow(tr("Search seed"), seed_);
    form->addRow(tr("Repeats"), repeats_);
    form->addRow(tr("Check"), check_);
    return box;
}

const AnalysisInfo& TuneForm::info() const {
    return registry_->analysis(chosenId(*analysis_)).info();
}

const DeviceInfo* TuneForm::device() const {
    const int at = devices_->currentData().isValid() ? devices_->currentData().toInt() : -1;
    return at < 0 ? nullptr : &catalogue_.devices.at(static_cast<std::size_t>(at));
}

const std::vector<Offer>* TuneForm::offers() const {
    const auto known = catalogue_.offers.find(info().id);
    if (!device() || known == catalogue_.offers.end()) return nullptr;
    return &known->second.at(static_cast<std::size_t>(devices_->currentData().toInt()));
}

const Offer* TuneForm::offer() const {
    const std::vector<Offer>* const all = offers();
    if (!all) return nullptr;
    const auto found = std::ranges::find_if(
        *all, [&](const Offer& one) { return hasDefines(one) && one.variant.id == chosenId(*variants_); });
    return found == all->end() ? nullptr : &*found;
}

const Variant* TuneForm::variant() const {
    const Offer* const chosen = offer();
    return chosen ? &chosen->variant : nullptr;
}

TuneForm::Choice& TuneForm::choice() {
    return choices_[{info().id, variant() ? variant()->id : std::string()}];
}

void TuneForm::setCatalogue(const wire::Catalogue& catalogue) {
    catalogue_ = catalogue;
    showDevices();
    showVariants();
}

void TuneForm::showAnalysis() {
    const bool before = std::exchange(filling_, true);
    analysis_->setToolTip(fromText(info().description));
    // Only the fields scroll: a problem may have many, and they matter less than the values.
    std::vector<ParameterSpec> specs = info().benchmark;
    for (ParameterSpec& spec : specs) spec.slider.reset();
    sizes_->setSpecs(std::move(specs));
    if (const auto own = chosenSizes_.find(info().id); own != chosenSizes_.end())
        sizes_->setValues(own->second);
    filling_ = before;
    showVariants();
}

void TuneForm::showDevices() {
    const bool before = std::exchange(filling_, true);
    const std::vector<DeviceInfo>& all = catalogue_.devices;
    const QStringList titles = deviceTitles(all);
    devices_->clear();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].index >= 0) devices_->addItem(titles[static_cast<qsizetype>(i)], static_cast<int>(i));
    std::optional<std::size_t> wanted = deviceOfTitle(all, wantedDevice_);
    if (wantedDevice_.isEmpty() && !all.empty())
        wanted = deviceOfTitle(all, titleAmong(all, choose_device(all, {})));
    const int at = wanted ? devices_->findData(static_cast<int>(*wanted)) : -1;
    devices_->setCurrentIndex(std::max(at, devices_->count() > 0 ? 0 : -1));
    devices_->setToolTip(devices_->currentText());
    filling_ = before;
}

void TuneForm::showVariants() {
    const bool before = std::exchange(filling_, true);
    const auto chosen = chosenVariants_.find(info().id);
    const Variant* best = nullptr;
    variants_->clear();
    if (const std::vector<Offer>* const all = offers())
        for (const Offer& one : *all) {
            if (!hasDefines(one)) continue;
            variants_->addItem(fromText(one.variant.id), fromText(one.variant.id));
            const int at = variants_->count() - 1;
            const bool usable = one.why_not.empty();
            variants_->setItemData(at, fromText(usable ? one.variant.title : one.why_not), Qt::ToolTipRole);
            auto* item = qobject_cast<QStandardItemModel*>(variants_->model())->item(at);
            item->setEnabled(usable);
            if (usable && !best) best = &one.variant;  // offers begin with the best
        }
    if (chosen != chosenVariants_.end())
        chooseId(*variants_, fromText(chosen->second));
    else if (best)
        chooseId(*variants_, fromText(best->id));
    filling_ = before;
    showVariant();
}

void TuneForm::showVariant() {
    const bool before = std::exchange(filling_, true);
    const Variant* const one = variant();
    variants_->setToolTip(one ? fromText(one->description) : tr("No variant here has definitions"));
    values_->setVariant(one ? *one : Variant(), choice().off, choice().typed);
    further_->setText(choice().rules);
    filling_ = before;
    showRules();
    edited();
}

void TuneForm::showRules() {
    QStringList texts;
    if (variant() && device())
        for (const std::string& rule : variant()->rules) texts << ruleText(rule, *device());
    rulesText_->setText(texts.isEmpty() ? tr("The variant has none of its own")
                                        : texts.join(QLatin1Char('\n')));
}

void TuneForm::edited() {
    if (!filling_) {
        chosenSizes_[info().id] = sizes_->values();
        choice() = {values_->off(), values_->typed(), further_->text()};
    }
    counted_ = false;
    countSoon_.start();
    emit changed();
}

std::vector<std::string> TuneForm::furtherRules() const {
    std::vector<std::string> rules;
    for (const QString& one : further_->text().split(QLatin1Char(';'), Qt::SkipEmptyParts))
        if (const QString rule = one.trimmed(); !rule.isEmpty()) rules.push_back(rule.toStdString());
    return rules;
}

// A million combinations take longer than one frame of the window.
void TuneForm::countSpace() {
    const QString subject = QStringLiteral("tuning space");
    jobs_.drop(this, subject);
    space_.reset();
    spaceWrong_.clear();
    const auto done = [this] {
        counted_ = true;
        showSpace();
        emit changed();
    };
    if (!variant() || !device() || !values_->without().isEmpty()) return done();
    jobs_.start(
        Jobs::Lane::general, this, subject,
        [variant = *variant(), space = values_->space(), rules = furtherRules(), device = *device()] {
            const TuningSpace made = space_of(variant, space, rules, device);
            return std::pair(made.size(), made.combinations());
        },
        [this, done](std::pair<std::size_t, std::size_t> found) {
            space_ = found;
            done();
        },
        [this, done](const Error& error) {
            spaceWrong_ = fromText(error.message());
            if (const QString where = fromText(error.where()); where.startsWith(QLatin1String("rule")))
                spaceWrong_ = where + QStringLiteral(": ") + spaceWrong_;
            done();
        });
}

QString TuneForm::spaceText() const {
    if (!spaceWrong_.isEmpty()) return spaceWrong_.at(0).toUpper() + spaceWrong_.mid(1);
    if (!space_) return {};
    return space_->first == space_->second
               ? tr("%1 configurations").arg(space_->first)
               : tr("%1 of %2 combinations fulfil the rules").arg(space_->first).arg(space_->second);
}

void TuneForm::showSpace() {
    const bool dark = isDark(palette());
    const QColor red = dark ? QColor(0xff, 0x8a, 0x80) : QColor(0xb0, 0x10, 0x10);
    spaceText_->setStyleSheet(spaceWrong_.isEmpty() ? QString()
                                                    : QStringLiteral("color: %1").arg(red.name()));
    spaceText_->setText(spaceText());
    spaceText_->setVisible(!spaceText().isEmpty());
}

QString TuneForm::missing() const {
    if (catalogue_.devices.empty()) return tr("waiting for the list of devices");
    if (running_) return tr("a variant is being tuned");
    if (!device()) return tr("there is no OpenCL device: only kernels have definitions");
    const Offer* const chosen = offer();
    if (!chosen) return tr("no variant of this analysis has definitions");
    if (!chosen->why_not.empty()) return fromText(chosen->why_not);
    if (const QString define = values_->without(); !define.isEmpty())
        return tr("tick a value of %1").arg(define);
    return spaceWrong_;
}

void TuneForm::setRunning(bool running) {
    running_ = running;
    emit changed();
}

void TuneForm::setResumable(bool resumable, const QString& why) {
    resumable_ = resumable;
    whyNotResumable_ = why;
    showButtons();
}

void TuneForm::showButtons() {
    const QString lacking = missing();
    cancel_->setEnabled(running_);
    run_->setEnabled(lacking.isEmpty());
    run_->setToolTip(lacking.isEmpty() ? tr("Try the configurations from the beginning (F5)") : lacking);
    resume_->setEnabled(lacking.isEmpty() && resumable_);
    resume_->setToolTip(!lacking.isEmpty() ? lacking
                        : resumable_
                            ? tr("Continue with the previous results: only new configurations are run")
                            : whyNotResumable_);
}

TunePlan TuneForm::plan() const {
    if (const QString lacking = missing(); !lacking.isEmpty())
        throw Error(ErrorKind::input, lacking.toStdString());
    const Analysis& analysis = registry_->analysis(info().id);
    TunePlan plan;
    plan.analysis = info().id;
    plan.variant = variant()->id;
    plan.device = std::to_string(device()->index);
    ParameterSet given;
    for (const ParameterSpec& spec : info().benchmark)
        if (const ParameterValue& value = sizes_->values().at(spec.id);
            to_text(spec, value) != to_text(spec, spec.default_value))
            given[spec.id] = value;
    plan.sizes = analysis.benchmark_sizes(given);
    plan.space = values_->space();
    plan.rules = furtherRules();
    plan.method = tune_method_from(chosenId(*method_));
    plan.budget = static_cast<std::size_t>(budget_->value());
    plan.seed = static_cast<std::uint64_t>(seed_->value());
    plan.repeats = static_cast<std::size_t>(repeats_->value());
    plan.check = check_mode_from(chosenId(*check_));
    return plan;
}

}  // namespace ks::ui::tune
