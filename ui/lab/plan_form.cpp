#include "ui/lab/plan_form.h"

#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTableView>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "ui/base/form_parts.h"
#include "ui/base/json_read.h"
#include "ui/base/layouts.h"
#include "ui/lab/problem_text.h"
#include "ui/lab/size_fields.h"
#include "ui/lab/variant_list.h"
#include "ui/runs/device_titles.h"
#include "ui/shell/general/choice_box.h"
#include "ui/shell/general/size_list.h"

namespace ks::ui::lab {
namespace {

QString fromText(const std::string& text) {
    return QString::fromStdString(text);
}

/// "TILE=32 WG=64". Throws ks::Error(input).
std::map<std::string, std::string> definesFrom(const QString& text) {
    std::map<std::string, std::string> defines;
    for (const QString& part : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const qsizetype equals = part.indexOf(QLatin1Char('='));
        if (equals < 1)
            throw Error(ErrorKind::input, "expected NAME=VALUE, found \"" + part.toStdString() + "\"",
                        "Defines");
        defines[part.left(equals).toStdString()] = part.mid(equals + 1).toStdString();
    }
    return defines;
}

/// Throws ks::Error(input) for a definition that none of the variants has, or a value that all variants with
/// it refuse: nothing would be timed with it.
void requireDefines(const std::map<std::string, std::string>& defines,
                    const std::vector<const Variant*>& variants) {
    for (const auto& [name, value] : defines) {
        std::optional<Error> why;
        QStringList known;
        bool taken = false;
        for (const Variant* variant : variants) try {
                for (const DefineSpec& define : variant->defines)
                    if (const QString one = fromText(define.name); !known.contains(one)) known << one;
                require_define(*variant, name, value);
                taken = true;
            } catch (const Error& error) {
                if (std::ranges::find(variant->defines, name, &DefineSpec::name) != variant->defines.end())
                    why = error;
            }
        if (taken) continue;
        if (why) throw Error(*why);
        throw Error(ErrorKind::input, "none of the ticked variants has a definition " + name, "Defines",
                    known.isEmpty() ? "the ticked variants have no definitions that can be set"
                                    : "available: " + known.join(QStringLiteral(", ")).toStdString());
    }
}

QStringList textsOf(const nlohmann::json& list) {
    QStringList texts;
    if (list.is_array())
        for (const nlohmann::json& one : list)
            if (one.is_string()) texts << fromText(one.get<std::string>());
    return texts;
}

nlohmann::json listOf(QStringList texts) {
    texts.sort();
    nlohmann::json list = nlohmann::json::array();
    for (const QString& one : texts) list.push_back(one.toStdString());
    return list;
}

}  // namespace

PlanForm::PlanForm(std::shared_ptr<const Registry> registry)
    : ToolForm(std::move(registry),
               {tr("The analysis whose variants are timed"), tr("Time the ticked variants (F5)"),
                tr("Stop the measurement (Esc); if an earlier measurement is complete, it is shown again"),
                tr("variants are being timed")}),
      problem_(named(new QComboBox, tr("Problem"), tr("Generated data, or the data open on a page"))),
      sizes_(new SizeFields),
      devices_(
          named(new QListWidget, tr("Devices"), tr("Devices to time the variants on, one after another"))),
      list_(new VariantList),
      repeats_(countBox(1, 1000, 20, tr("Repeats"),
                        tr("Timed runs of each variant. For a significant order of two variants, at least 8 "
                           "runs of each are needed; with six variants at least 12, with ten at least 14"))),
      warmups_(
          countBox(0, 1000, 1, tr("Warm-ups"),
                   tr("Untimed runs of each variant before the timed ones, in addition to its first run"))),
      check_(choiceBox({{"full", tr("all values")}, {"sample", tr("sample")}, {"none", tr("none")}},
                       tr("Check"), tr("How much of each result is compared with the reference"))),
      from_(choiceBox({{"device", tr("the device")}, {"memory", tr("host memory")}, {"file", tr("a file")}},
                      tr("Input from"),
                      tr("Where each run takes its input from: left on the device by the previous run, "
                         "uploaded from host memory, or read from a file"))),
      sweep_(choiceBox({{"product", tr("all combinations")}, {"one-by-one", tr("one size at a time")}},
                       tr("Multiple sizes"),
                       tr("Which combinations are timed if several sizes are given as lists"))),
      defines_(named(new QLineEdit, tr("Defines"),
                     tr("Values for the definitions of the kernels, separated by spaces"))) {
    build();
    follow();
    showAnalysis();
    showButtons();
}

void PlanForm::follow() {
    connect(problem_, &QComboBox::currentIndexChanged, this, [this] {
        if (!filling_) {
            wantedProblem_ = problem_->currentData().toString();
            wantsPageData_ = false;
        }
        sizes_->setVisible(chosenRequest() == nullptr && !sizes_->empty());
        emit changed();
    });
    connect(devices_, &QListWidget::itemChanged, this, [this] {
        if (filling_) return;
        wanted_.clear();
        const QStringList titles = deviceTitles(catalogue_.devices);
        for (const std::size_t at : tickedDevices()) wanted_ << titles[static_cast<qsizetype>(at)];
        showVariants();
        emit changed();
    });
    connect(sizes_, &SizeFields::typed, this, [this](const std::string& id, const QString& text) {
        choice().sizes[id] = text;
        choice().proposed.erase(id);
        showIdle();
        emit changed();
    });
    connect(sizes_, &SizeFields::entered, this, &PlanForm::runWanted);
    connect(&variants(), &VariantListModel::tickedChanged, this, [this] {
        if (filling_) return;
        choice().off = variants().off();
        choice().on = variants().on();
        emit changed();
    });
    connect(defines_, &QLineEdit::textEdited, this, [this](const QString& text) {
        choice().defines = text;
        emit changed();
    });
    connect(defines_, &QLineEdit::returnPressed, this, &PlanForm::runWanted);
}

void PlanForm::build() {
    keepNarrow(*problem_, 10);
    devices_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    devices_->setTextElideMode(Qt::ElideMiddle);
    defines_->setObjectName(QStringLiteral("defines"));
    defines_->setPlaceholderText(QStringLiteral("TILE=32 WG=64"));
    setLayout(inRows({inColumns({{run_, 1}, {cancel_, 1}}),
                      fieldRows({{tr("Analysis"), analyses_}, {tr("Problem"), problem_}}),
                      sizes_,
                      heading(tr("Devices"), devices_->toolTip()),
                      devices_,
                      heading(tr("Variants"), list_->table().whatsThis()),
                      {list_, 1},
                      fieldRows({{tr("Repeats"), repeats_},
                                 {tr("Warm-ups"), warmups_},
                                 {tr("Check"), check_},
                                 {tr("Input from"), from_},
                                 {tr("Multiple sizes"), sweep_},
                                 {tr("Defines"), defines_}})},
                     6, {8, 8, 8, 8}));
}

void PlanForm::showAnalysis() {
    const bool before = std::exchange(filling_, true);
    defines_->setText(choice().defines);
    analyses_->setToolTip(fromText(info().description));
    sizes_->show(info().benchmark, choice().sizes);
    showIdle();
    showProblems();
    variants().setOff(choice().off, choice().on);
    showVariants();
    filling_ = before;
}

void PlanForm::showIdle() {
    try {
        sizes_->setIdle(idleSizes(registry_->analysis(info().id), {}, sizes_->lists()));
    } catch (const Error&) {
        // A field that cannot be read is reported by the measurement.
    }
}

void PlanForm::showProblems() {
    const bool before = std::exchange(filling_, true);
    problem_->clear();
    problem_->addItem(tr("generated"), QString());
    for (const OpenRequest& one : open_)
        if (one.request.analysis == info().id) addProblem(one);
    problem_->setCurrentIndex(std::max(problem_->findData(wantedProblem_), 0));
    sizes_->setVisible(chosenRequest() == nullptr && !sizes_->empty());
    filling_ = before;
}

void PlanForm::addProblem(const OpenRequest& of) {
    if (!of.lacking.isEmpty()) {
        problem_->addItem(tr("as on the %1 page: %2").arg(of.page, of.lacking));
        const int row = problem_->count() - 1;
        problem_->setItemData(
            row, tr("The %1 page has the open file, but is not ready: %2").arg(of.page, of.lacking),
            Qt::ToolTipRole);
        dynamic_cast<QStandardItemModel&>(*problem_->model()).item(row)->setEnabled(false);
        return;
    }
    const QString file =
        QFileInfo(fromText(info().data_of(of.request)).section(QStringLiteral("::"), 0, 0)).fileName();
    problem_->addItem(file.isEmpty() ? tr("as on the %1 page").arg(of.page)
                                     : tr("%2, as on the %1 page").arg(of.page, file),
                      of.page);
    problem_->setItemData(problem_->count() - 1,
                          tr("The current data and parameters of the %1 page").arg(of.page), Qt::ToolTipRole);
    if (std::exchange(wantsPageData_, false)) wantedProblem_ = of.page;
}

bool PlanForm::propose(const Measurement& wanted) {
    const int at = analyses_->findData(wanted.analysis);
    if (at < 0) return false;
    analyses_->setCurrentIndex(at);
    Choice& chosen = choice();
    chosen.on = wanted.variants;
    chosen.off.clear();
    if (const auto known = catalogue_.offers.find(info().id); known != catalogue_.offers.end())
        for (const std::vector<Offer>& ofDevice : known->second)
            for (const Offer& offer : ofDevice)
                if (const QString id = fromText(offer.variant.id);
                    !wanted.variants.contains(id) && !chosen.off.contains(id))
                    chosen.off << id;
    wantsPageData_ = wanted.onPageData;
    if (!wanted.onPageData) {
        wantedProblem_.clear();
        for (const std::string& id : std::exchange(chosen.proposed, {})) chosen.sizes.erase(id);
        for (const ParameterSpec& spec : info().benchmark)
            if (const auto given = wanted.sizes.find(spec.id); given != wanted.sizes.end())
                if (chosen.sizes.try_emplace(spec.id, fromText(to_text(spec, given->second))).second)
                    chosen.proposed.insert(spec.id);
    }
    showAnalysis();
    // Scrolls to the first of them, wherever it is in the list.
    for (int row = 0; row < variants().rowCount(); ++row)
        if (const QModelIndex index = variants().index(row, VariantListModel::NameColumn);
            index.data().toString() == wanted.variants.value(0)) {
            list_->table().setCurrentIndex(index);
            list_->table().scrollTo(index);
        }
    emit changed();
    return true;
}

TimedSizes PlanForm::timedSizes(const std::string& analysis) const {
    TimedSizes timed;
    const auto chosen = choices_.find(analysis);
    if (chosen == choices_.end()) return timed;
    const Analysis& of = registry_->analysis(analysis);
    SizeLists lists;
    for (const ParameterSpec& spec : of.info().benchmark)
        if (const auto typed = chosen->second.sizes.find(spec.id); typed != chosen->second.sizes.end())
            lists[spec.id] = sizesFrom(spec, typed->second);
    for (const auto& [id, why] : idleSizes(of, {}, lists)) lists.erase(id);
    for (const auto& [id, values] : lists) {
        // The first of several words.
        timed.sizes[id] = *std::ranges::max_element(values, {}, [&id](const ParameterValue& value) {
            return size_number({{id, value}}, id).value_or(0);
        });
        timed.largest = timed.largest || values.size() > 1;
    }
    return timed;
}

bool PlanForm::takePageData(const QString& analysis) {
    const int at = analyses_->findData(analysis);
    if (at < 0) return false;
    wantsPageData_ = true;
    analyses_->setCurrentIndex(at);
    return true;
}

const OpenRequest* PlanForm::chosenRequest() const {
    const QString page = problem_->currentData().toString();
    if (page.isEmpty()) return nullptr;
    const auto found = std::ranges::find_if(
        open_, [&](const OpenRequest& one) { return one.page == page && one.request.analysis == info().id; });
    return found == open_.end() ? nullptr : &*found;
}

void PlanForm::setOpenRequests(std::vector<OpenRequest> open) {
    open_ = std::move(open);
    showProblems();
    emit changed();
}

void PlanForm::showCatalogue() {
    showDevices();
    showVariants();
}

void PlanForm::showDevices() {
    const bool before = std::exchange(filling_, true);
    const int current = devices_->currentRow();
    devices_->clear();
    for (const QString& title : deviceTitles(catalogue_.devices)) {
        auto* item = new QListWidgetItem(title, devices_);
        item->setToolTip(title);
        item->setSizeHint({0, devices_->fontMetrics().height() + 6});  // its tick is complete
        item->setFlags(Qt::ItemIsUserCheckable | Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        item->setCheckState(Qt::Unchecked);
    }
    for (const std::size_t at : wantedDevices())
        devices_->item(static_cast<int>(at))->setCheckState(Qt::Checked);
    devices_->setCurrentRow(std::min(current, devices_->count() - 1));
    const int shown = std::clamp(devices_->count(), 1, 5);
    devices_->setVerticalScrollBarPolicy(devices_->count() > shown ? Qt::ScrollBarAsNeeded
                                                                   : Qt::ScrollBarAlwaysOff);
    const int row = std::max(devices_->sizeHintForRow(0), devices_->fontMetrics().height());
    devices_->setFixedHeight(shown * row + 2 * devices_->frameWidth() + 4);
    filling_ = before;
}

std::vector<std::size_t> PlanForm::tickedDevices() const {
    std::vector<std::size_t> ticked;
    for (int i = 0; i < devices_->count(); ++i)
        if (devices_->item(i)->checkState() == Qt::Checked) ticked.push_back(static_cast<std::size_t>(i));
    return ticked;
}

void PlanForm::showVariants() {
    const bool before = std::exchange(filling_, true);
    std::vector<std::vector<Offer>> offers;
    if (const auto known = catalogue_.offers.find(info().id); known != catalogue_.offers.end()) {
        std::vector<std::size_t> devices = tickedDevices();
        if (devices.empty() && !known->second.empty()) devices.push_back(known->second.size() - 1);
        for (const std::size_t at : devices) {
            offers.push_back(known->second.at(at));
            if (traitsAnalysis_ == info().id) judge(offers.back(), traits_, catalogue_.devices.at(at).fp64);
        }
    }
    variants().setOffers(offers);
    filling_ = before;
}

void PlanForm::setTraits(const std::string& analysis, std::vector<Traits> problems) {
    if (analysis != info().id || (analysis == traitsAnalysis_ && problems == traits_)) return;
    traitsAnalysis_ = analysis;
    traits_ = std::move(problems);
    showVariants();
    emit changed();
}

std::optional<BenchPlan> PlanForm::problemPlan() const {
    try {
        return commonPlan();
    } catch (const Error&) {
        return std::nullopt;
    }
}

VariantListModel& PlanForm::variants() {
    return list_->model();
}

QString PlanForm::lacking() const {
    if (tickedDevices().empty()) return tr("tick a device");
    return list_->model().ticked().isEmpty() ? tr("tick a variant that can run") : QString();
}

BenchPlan PlanForm::commonPlan() const {
    BenchPlan plan;
    plan.analysis = info().id;
    plan.repeats = static_cast<std::size_t>(repeats_->value());
    plan.warmups = static_cast<std::size_t>(warmups_->value());
    plan.check = check_mode_from(chosenId(*check_));
    plan.from = bench_from_named(chosenId(*from_));
    plan.sweep = sweep_from(chosenId(*sweep_));
    plan.defines = definesFrom(defines_->text());
    if (const OpenRequest* open = chosenRequest()) {
        plan.request = open->request;
        plan.memory_limit = open->request.memory_limit;
        return plan;
    }
    plan.sizes = sizes_->lists();
    // Contradictions are reported before the worker is involved.
    bench_points(registry_->analysis(plan.analysis), plan);
    return plan;
}

std::vector<BenchPlan> PlanForm::plans() const {
    const BenchPlan common = commonPlan();
    const QStringList ticked = list_->model().ticked();
    std::vector<BenchPlan> plans;
    std::vector<const Variant*> variants;
    bool hostDone = false;
    for (const std::size_t at : tickedDevices()) {
        const DeviceInfo& device = catalogue_.devices[at];
        BenchPlan plan = common;
        plan.device = device.index < 0 ? "host" : std::to_string(device.index);
        bool host = false;
        for (const Offer& offer : catalogue_.offers.at(plan.analysis).at(at)) {
            const bool onHost = offer.variant.on_host();
            if (!ticked.contains(fromText(offer.variant.id)) || (onHost && hostDone)) continue;
            plan.variants.push_back(offer.variant.id);
            variants.push_back(&offer.variant);
            host = host || onHost;
        }
        hostDone = hostDone || host;
        if (!plan.variants.empty()) plans.push_back(std::move(plan));
    }
    if (!plans.empty()) requireDefines(common.defines, variants);
    return plans;
}

QString PlanForm::chosenVariant() const {
    const QModelIndex current = list_->table().currentIndex();
    if (!current.isValid()) return {};
    return fromText(list_->model().offers()[static_cast<std::size_t>(current.row())].variant.id);
}

void PlanForm::setSizes(const std::map<std::string, QString>& lists) {
    sizes_->set(lists);
}

nlohmann::json PlanForm::keep() const {
    nlohmann::json kept = nlohmann::json::object();
    kept["analysis"] = analysis().toStdString();
    kept["problem"] = wantedProblem_.toStdString();
    kept["devices"] = listOf(wanted_);
    kept["repeats"] = repeats_->value();
    kept["warmups"] = warmups_->value();
    kept["check"] = chosenId(*check_);
    kept["from"] = chosenId(*from_);
    kept["sweep"] = chosenId(*sweep_);
    for (const auto& [id, chosen] : choices_) {
        nlohmann::json one = nlohmann::json::object();
        for (const auto& [size, text] : chosen.sizes) one["sizes"][size] = text.toStdString();
        if (!chosen.off.isEmpty()) one["off"] = listOf(chosen.off);
        if (!chosen.on.isEmpty()) one["on"] = listOf(chosen.on);
        if (!chosen.defines.isEmpty()) one["defines"] = chosen.defines.toStdString();
        if (!one.empty()) kept["of"][id] = one;
    }
    return kept;
}

void PlanForm::bringBack(const nlohmann::json& kept) {
    if (!kept.is_object()) return;
    if (const nlohmann::json of = jsonPart(kept, "of"); of.is_object())
        for (const auto& [id, one] : of.items()) {
            Choice chosen;
            if (const nlohmann::json sizes = jsonPart(one, "sizes"); sizes.is_object())
                for (const auto& [size, text] : sizes.items())
                    if (text.is_string()) chosen.sizes[size] = fromText(text.get<std::string>());
            chosen.off = textsOf(jsonPart(one, "off"));
            chosen.on = textsOf(jsonPart(one, "on"));
            chosen.defines = jsonText(one, "defines");
            choices_[id] = std::move(chosen);
        }
    wantedProblem_ = jsonText(kept, "problem");
    wanted_ = textsOf(jsonPart(kept, "devices"));
    repeats_->setValue(jsonInteger(kept, "repeats", repeats_->value()));
    warmups_->setValue(jsonInteger(kept, "warmups", warmups_->value()));
    for (const auto& [box, key] :
         {std::pair(check_, "check"), std::pair(from_, "from"), std::pair(sweep_, "sweep")})
        chooseId(*box, jsonText(kept, key));
    const QString before = analysis();
    choose(jsonText(kept, "analysis"));
    showDevices();
    if (analysis() == before) showAnalysis();
    emit changed();
}

}  // namespace ks::ui::lab
