#include "ui/tune/tune_form.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardItemModel>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/tune/define_rule.h"
#include "ui/base/count_text.h"
#include "ui/base/form_parts.h"
#include "ui/base/input/input_rules.h"
#include "ui/base/json_read.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/runs/device_titles.h"
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

DefineValues::Values valuesFrom(const nlohmann::json& json) {
    DefineValues::Values values;
    if (!json.is_object()) return values;
    for (const auto& [name, list] : json.items())
        if (list.is_array())
            for (const nlohmann::json& one : list)
                if (one.is_string()) values[name].push_back(one.get<std::string>());
    return values;
}

}  // namespace

TuneForm::TuneForm(std::shared_ptr<const Registry> registry, Jobs& jobs)
    : ToolForm(std::move(registry), {tr("The analysis whose variant is tuned"),
                                     tr("Try the configurations from the beginning (F5)"),
                                     tr("Stop the tuning and keep the configurations tried so far (Esc)"),
                                     tr("a variant is being tuned")}),
      jobs_(jobs),
      variants_(choiceBox({}, tr("Variant"), tr("The variant whose definitions are tuned"))),
      devices_(choiceBox({}, tr("Device"), tr("The device to tune for"))),
      sizes_(new ParameterForm),
      values_(new DefineValues),
      rulesText_(named(new QLabel, tr("Rules"))),
      spaceText_(named(new QLabel, tr("Number of configurations"))),
      further_(
          named(new QLineEdit, tr("Further rules"),
                tr("Rules for the values, separated by semicolons, in addition to the variant's own rules. "
                   "They can "
                   "use the names of the definitions, and the device properties work_group, local_bytes and "
                   "compute_units"))),
      method_(choiceBox(
          {{"full", tr("all")}, {"random", tr("random sample")}, {"anneal", tr("annealing")}}, tr("Method"),
          tr("All configurations, a random sample, or simulated annealing starting from the default"))),
      check_(choiceBox({{"sample", tr("sample")}, {"full", tr("all values")}, {"none", tr("none")}},
                       tr("Check"),
                       tr("How much of each configuration's result is compared with the reference"))),
      budget_(countBox(1, 1'000'000, 1000, tr("Budget"), tr("Maximum number of configurations to try"))),
      seed_(countBox(0, 1'000'000'000, 1, tr("Search seed"),
                     tr("A different seed tries different configurations"))),
      repeats_(
          countBox(1, 10'000, 15, tr("Repeats"),
                   tr("Timed runs of the best configuration and of the default in the final comparison"))),
      resume_(new QPushButton(tr("Res&ume"))) {
    build();
    countSoon_.setSingleShot(true);
    countSoon_.setInterval(countAfterMs);
    follow();
    showAnalysis();
}

void TuneForm::follow() {
    connect(&countSoon_, &QTimer::timeout, this, &TuneForm::countSpace);
    connect(devices_, &QComboBox::currentIndexChanged, this, [this] {
        if (filling_) return;
        wanted_ = {devices_->currentText()};
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
    holdForFields(*resume_);
    connect(resume_, &QPushButton::clicked, this, &TuneForm::resumeWanted);
}

void TuneForm::build() {
    for (QPushButton* button : {run_, resume_, cancel_}) button->setMinimumWidth(40);
    for (QLabel* label : {rulesText_, spaceText_}) label->setWordWrap(true);
    further_->setPlaceholderText(QStringLiteral("WG * ITEMS <= 1024"));
    setLayout(inRows(
        {inColumns({{run_, 1}, {resume_, 1}, {cancel_, 1}}),
         fieldRows({{tr("Analysis"), analyses_}, {tr("Device"), devices_}, {tr("Variant"), variants_}}),
         heading(tr("Values to try"), tr("The ticked values of each definition are tried")), values_,
         heading(tr("Rules"), tr("Rules that the values of a configuration must satisfy together")),
         rulesText_, fieldRows({{tr("Further"), further_}}), spaceText_, heading(tr("Search")),
         fieldRows({{tr("Method"), method_},
                    {tr("Budget"), budget_},
                    {tr("Search seed"), seed_},
                    {tr("Repeats"), repeats_},
                    {tr("Check"), check_}}),
         heading(tr("Problem"), tr("The generated problem that is timed")), sizes_, Cell::space()},
        6, {8, 8, 8, 8}));
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

void TuneForm::showCatalogue() {
    showDevices();
    showVariants();
}

void TuneForm::showAnalysis() {
    const bool before = std::exchange(filling_, true);
    analyses_->setToolTip(fromText(info().description));
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
    const std::vector<std::size_t> wanted = wantedDevices();
    const int at = wanted.empty() ? -1 : devices_->findData(static_cast<int>(wanted.front()));
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
    variants_->setToolTip(one ? fromText(one->description)
                              : tr("No variant of this analysis has definitions"));
    values_->setVariant(one ? *one : Variant(), choice().off, choice().typed);
    if (further_->text() != choice().rules) further_->setText(choice().rules);
    filling_ = before;
    showRules();
    edited();
}

void TuneForm::showRules() {
    QStringList texts;
    if (variant() && device())
        for (const std::string& rule : variant()->rules) texts << ruleText(rule, *device());
    rulesText_->setText(texts.isEmpty() ? tr("The variant has no rules") : texts.join(QLatin1Char('\n')));
}

void TuneForm::edited() {
    if (!filling_) {
        chosenSizes_[info().id] = sizes_->values();
        choice() = {values_->off(), values_->typed(), further_->text()};
    }
    counted_ = false;
    spaceWrong_.clear();  // of the values before; what is shown stays until these are counted
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
    if (space_->first == space_->second)
        return ui::counted(space_->first, tr("1 configuration"), tr("%1 configurations"));
    const QString all = ui::counted(space_->second, tr("1 combination"), tr("%1 combinations"));
    return space_->first == 1 ? tr("1 of %1 satisfies the rules").arg(all)
                              : tr("%1 of %2 satisfy the rules").arg(space_->first).arg(all);
}

void TuneForm::showSpace() {
    const bool dark = isDark(palette());
    const QColor red = dark ? QColor(0xff, 0x8a, 0x80) : QColor(0xb0, 0x10, 0x10);
    spaceText_->setStyleSheet(spaceWrong_.isEmpty() ? QString()
                                                    : QStringLiteral("color: %1").arg(red.name()));
    spaceText_->setText(spaceText());
    spaceText_->setVisible(!spaceText().isEmpty());
}

QString TuneForm::lacking() const {
    if (!device()) return tr("there is no OpenCL device, and only kernels have definitions");
    const Offer* const chosen = offer();
    if (!chosen) return tr("no variant of this analysis has definitions");
    if (!chosen->why_not.empty()) return fromText(chosen->why_not);
    if (const QString define = values_->without(); !define.isEmpty())
        return tr("tick a value of %1").arg(define);
    return spaceWrong_;
}

void TuneForm::setResumable(bool resumable, const QString& why) {
    resumable_ = resumable;
    whyNotResumable_ = why;
    showButtons();
}

void TuneForm::showButtons() {
    ToolForm::showButtons();
    const QString lacking = missing();
    resume_->setEnabled(lacking.isEmpty() && resumable_);
    resume_->setToolTip(!lacking.isEmpty() ? lacking
                        : resumable_
                            ? tr("Continue with the previous results; only new configurations are run")
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

void TuneForm::take(const TunePlan& plan, const DeviceInfo& of) {
    choose(fromText(plan.analysis));
    if (info().id != plan.analysis) return;
    ParameterSet sizes = defaults(info().benchmark);
    for (const auto& [id, value] : plan.sizes) sizes[id] = value;
    chosenSizes_[plan.analysis] = sizes;
    chosenVariants_[plan.analysis] = plan.variant;
    wanted_ = {titleAmong(catalogue_.devices, of)};
    chooseId(*method_, QString::fromLatin1(name_of(plan.method)));
    chooseId(*check_, QString::fromLatin1(name_of(plan.check)));
    budget_->setValue(static_cast<int>(std::min<std::size_t>(plan.budget, 1'000'000)));
    seed_->setValue(static_cast<int>(std::min<std::uint64_t>(plan.seed, 1'000'000'000)));
    repeats_->setValue(static_cast<int>(std::min<std::size_t>(plan.repeats, 10'000)));
    showDevices();
    showAnalysis();
    if (!variant() || variant()->id != plan.variant) return;
    Choice chosen;
    for (const DefineSpec& define : variant()->defines) {
        const auto given = plan.space.find(define.name);
        if (given == plan.space.end()) continue;
        if (define.allowed.empty()) chosen.typed[define.name] = given->second;
        for (const std::string& value : define.allowed)
            if (std::ranges::find(given->second, value) == given->second.end())
                chosen.off[define.name].push_back(value);
    }
    QStringList rules;
    for (const std::string& rule : plan.rules) rules << fromText(rule);
    chosen.rules = rules.join(QStringLiteral("; "));
    choice() = chosen;
    showVariant();
}

nlohmann::json TuneForm::keep() const {
    nlohmann::json kept = nlohmann::json::object();
    kept["analysis"] = chosenId(*analyses_);
    kept["device"] = wanted_.value(0).toStdString();
    kept["method"] = chosenId(*method_);
    kept["check"] = chosenId(*check_);
    kept["budget"] = budget_->value();
    kept["seed"] = seed_->value();
    kept["repeats"] = repeats_->value();
    for (const auto& [id, sizes] : chosenSizes_) kept["sizes"][id] = ks::to_json(sizes);
    for (const auto& [id, variant] : chosenVariants_) kept["variants"][id] = variant;
    for (const auto& [of, one] : choices_) {
        nlohmann::json values = nlohmann::json::object();
        if (!one.off.empty()) values["off"] = one.off;
        if (!one.typed.empty()) values["typed"] = one.typed;
        if (!one.rules.isEmpty()) values["rules"] = one.rules.toStdString();
        if (!values.empty()) kept["values"][of.first][of.second] = values;
    }
    return kept;
}

void TuneForm::bringBack(const nlohmann::json& kept) {
    if (!kept.is_object()) return;
    wanted_ = {jsonText(kept, "device")};
    wanted_.removeAll(QString());
    chooseId(*method_, jsonText(kept, "method"));
    chooseId(*check_, jsonText(kept, "check"));
    budget_->setValue(jsonInteger(kept, "budget", budget_->value()));
    seed_->setValue(jsonInteger(kept, "seed", seed_->value()));
    repeats_->setValue(jsonInteger(kept, "repeats", repeats_->value()));
    if (const nlohmann::json sizes = jsonPart(kept, "sizes"); sizes.is_object())
        for (const auto& [id, one] : sizes.items()) try {
                chosenSizes_[id] = parameter_set_from(one);
            } catch (const std::exception&) {
                // as at the first start
            }
    if (const nlohmann::json variants = jsonPart(kept, "variants"); variants.is_object())
        for (const auto& [id, one] : variants.items())
            if (one.is_string()) chosenVariants_[id] = one.get<std::string>();
    if (const nlohmann::json values = jsonPart(kept, "values"); values.is_object())
        for (const auto& [id, ofAnalysis] : values.items())
            for (const auto& [variant, one] : ofAnalysis.items())
                choices_[{id, variant}] = {valuesFrom(jsonPart(one, "off")),
                                           valuesFrom(jsonPart(one, "typed")), jsonText(one, "rules")};
    choose(jsonText(kept, "analysis"));
    showDevices();
    showAnalysis();
}

}  // namespace ks::ui::tune
