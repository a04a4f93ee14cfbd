#include "ui/shell/general/sweep_panel.h"

#include <QAction>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QToolButton>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "ui/base/elided_label.h"
#include "ui/base/form_parts.h"
#include "ui/base/json_read.h"
#include "ui/base/layouts.h"
#include "ui/base/number_box.h"
#include "ui/base/wrapping_row.h"
#include "ui/plots/curve_plot.h"
#include "ui/shell/general/size_list.h"
#include "ui/shell/general/size_plots.h"

namespace ks::ui {
namespace {

constexpr const char* tipProperty = "tip";  ///< of a field that has an effect
constexpr const char* isOwn = "isOwn";      ///< property of an action of the menu: the kernel is the user's

/// Lets a menu stay open while its actions are clicked.
class StaysOpen : public QObject {
  public:
    explicit StaysOpen(QMenu* menu) : QObject(menu), menu_(menu) { menu->installEventFilter(this); }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        QAction* action = nullptr;
        const auto under = [&] {
            return menu_->actionAt(static_cast<QMouseEvent*>(event)->position().toPoint());
        };
        if (event->type() == QEvent::Show) pressed_ = nullptr;
        if (event->type() == QEvent::MouseButtonPress) pressed_ = under();
        if (event->type() == QEvent::MouseButtonRelease) {
            // A long menu lies over its button: the click that opens it ends over one of the actions.
            if (const QAction* const released = under(); released && released != pressed_) return true;
            action = std::exchange(pressed_, nullptr);
        } else if (event->type() == QEvent::KeyPress &&
                   static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space)
            action = menu_->activeAction();
        if (!action || !action->isEnabled() || action->isSeparator())
            return QObject::eventFilter(watched, event);
        action->trigger();
        return true;
    }

  private:
    QMenu* menu_;
    QAction* pressed_ = nullptr;
};

/// Makes room for the whole of a text, unless it is long.
void widen(QLineEdit& field, const QString& text) {
    constexpr int least = 60, most = 250;
    const int wanted = std::clamp(field.fontMetrics().horizontalAdvance(text) + 20, least, most);
    field.setFixedWidth(std::max(field.minimumWidth(), wanted));
}

QStringList idsFrom(const nlohmann::json& kept) {
    QStringList ids;
    if (kept.is_array())
        for (const nlohmann::json& id : kept)
            if (id.is_string()) ids << QString::fromStdString(id.get<std::string>());
    return ids;
}

/// A measurement that was stopped before it was complete.
struct Stopped {
    std::vector<BenchPoint> points;
    std::string device;  ///< title
};
KS_FIELDS(Stopped, points, device)

}  // namespace

SweepPanel::SweepPanel(QWidget* parent)
    : MeasuringPanel(tr("Measure"), parent),
      rows_(new WrappingRow({}, 8)),
      variants_(new QMenu(this)),
      choose_(new QToolButton),
      repeats_(new WholeBox),
      plots_(new SizePlots) {
    choose_->setText(tr("Variants"));
    choose_->setToolTip(tr("Variants that are measured"));
    choose_->setPopupMode(QToolButton::InstantPopup);
    choose_->setMenu(variants_);
    new StaysOpen(variants_);
    repeats_->setRange(1, 1000);
    repeats_->setValue(5);
    repeats_->setPrefix(tr("\u00d7 "));
    repeats_->setAccessibleName(tr("Repeats"));
    repeats_->setToolTip(tr("Timed runs of each variant at each size"));
    auto* line = inColumns({choose_, repeats_, measure_, Cell::space()}, 8);
    head_ = new QBoxLayout(QBoxLayout::LeftToRight);
    head_->setContentsMargins(8, 4, 8, 4);
    head_->setSpacing(8);
    head_->addLayout(rows_);
    head_->addLayout(line, 1);
    // In a low drawer, the lines of fields and the diagrams have too little height together.
    setLayout(inRows({scrolled(boxed(inRows({head_, makeLine(), {plots_, 1}}, 0)), tr("Sizes"))}, 0));
    setWhatsThis(tr(
        "Time and rate of the variants against the size of the problem. Enter sizes separated by commas; "
        "each variant is timed several times at each size. All other values are taken from the Set-up tab."));
    showButton();
    draw();
}

SweepPanel::~SweepPanel() = default;

void SweepPanel::begin() {
    const BenchPlan asked = plan();
    measuring_ = asked.analysis;
    measuringTitle_ = QString::fromStdString(info_.title);
    emit wanted({asked});
}

void SweepPanel::setAnalysis(const Analysis& analysis) {
    if (analysis.info().id == info_.id) return;
    refusal_.review();
    analysis_ = &analysis;
    info_ = analysis.info();
    now_.values.clear();
    now_.texts.clear();
    makeFields();
    showButton();
    showMessage();
    draw();
}

void SweepPanel::makeFields() {
    while (const QLayoutItem* item = rows_->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();  // immediately: deletion by the event loop may take a while
            item->widget()->deleteLater();
        }
        delete item;
    }
    fields_.clear();
    swept_.clear();
    for (const ParameterSpec& spec : info_.benchmark) {
        // Only counted quantities get an axis, and a seed counts nothing.
        if (spec.type != ParameterType::integer || spec.id == "seed") continue;
        auto* label = new QLabel(QString::fromStdString(spec.label));
        const auto& typed = choice().sizes;
        const auto own = typed.find(spec.id);
        if (fields_.empty()) swept_ = spec.id;
        auto* field = new QLineEdit(own != typed.end()  ? own->second
                                    : spec.id == swept_ ? proposedSizes(spec)
                                                        : QString());
        field->setCursorPosition(0);
        field->setAccessibleName(label->text());
        const QString help = spec.help.empty() ? QString() : QString::fromStdString(spec.help) + '.';
        field->setToolTip(spec.id == swept_ ? tr("%1 One value, or several separated by commas.").arg(help)
                                            : tr("%1 One value, or several separated by commas. If the field "
                                                 "is empty, the value of the Set-up tab is used.")
                                                  .arg(help));
        label->setBuddy(field);
        field->setProperty(tipProperty, field->toolTip());
        connect(field, &QLineEdit::textChanged, this, [this, id = spec.id](const QString& text) {
            choice().sizes[id] = text;
            refusal_.review();
            showIdle();
            showMade();
        });
        rows_->addWidget(boxed(inColumns({label, field}, 8)));
        widen(*field, field->text());  // in the font of the panel
        fields_[spec.id] = field;
    }
    showSetUp();
    showIdle();
    // A few go next to the buttons, more of them above.
    constexpr std::size_t few = 2;
    head_->setDirection(fields_.size() <= few ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void SweepPanel::showNext() {
    showSetUp();
    showIdle();
    showMessage();
    showMade();
}

void SweepPanel::setFiles(const QString& names) {
    if (names == unmeasured_) return;
    unmeasured_ = names;
    showMessage();
}

void SweepPanel::showSetUp() {
    for (const ParameterSpec& spec : info_.benchmark)
        if (const auto field = fields_.find(spec.id); field != fields_.end() && spec.id != swept_) {
            const auto set = now_.values.find(spec.id);
            field->second->setPlaceholderText(
                valueText(spec, set == now_.values.end() ? spec.default_value : set->second));
            widen(*field->second, field->second->placeholderText());
        }
}

std::vector<ParameterValue> SweepPanel::valuesOf(const ParameterSpec& spec) const {
    const auto field = fields_.find(spec.id);
    const bool typed =
        field != fields_.end() && (spec.id == swept_ || !field->second->text().trimmed().isEmpty());
    return typed ? sizesFrom(spec, field->second->text()) : std::vector<ParameterValue>();
}

void SweepPanel::showIdle() {
    if (!analysis_) return;
    std::map<std::string, std::vector<ParameterValue>> lists;
    for (const ParameterSpec& spec : info_.benchmark) try {
            lists[spec.id] = valuesOf(spec);
        } catch (const Error&) {
            // The measurement reports it.
        }
    idle_ = idleSizes(*analysis_, now_.values, lists);
    for (const auto& [id, field] : fields_) {
        const auto why = idle_.find(id);
        const QString tip =
            idleTip(field->property(tipProperty).toString(), why == idle_.end() ? QString() : why->second);
        field->parentWidget()->setEnabled(why == idle_.end());
        field->setToolTip(tip);
        field->parentWidget()->setToolTip(why == idle_.end() ? QString() : tip);
    }
}

void SweepPanel::setOffers(const std::vector<Offer>& offers) {
    QStringList ids, titles;
    std::vector<bool> own;
    for (const Offer& offer : offers) {
        if (!offer.why_not.empty() || offer.variant.by_name_only) continue;
        ids << QString::fromStdString(offer.variant.id);
        titles << QString::fromStdString(offer.variant.title);
        own.push_back(offer.variant.from_user());
    }
    QStringList listed;
    for (const QAction* one : ticks()) listed << one->data().toString();
    if (ids == listed) return;
    variants_->clear();
    for (const bool on : {true, false})
        connect(variants_->addAction(on ? tr("All") : tr("None")), &QAction::triggered, this, [this, on] {
            for (QAction* one : ticks())
                if (one->isChecked() != on) one->trigger();
        });
    variants_->addSeparator();
    for (qsizetype i = 0; i < ids.size(); ++i) {
        QAction* const action = variants_->addAction(ids[i]);
        action->setData(ids[i]);
        action->setCheckable(true);
        action->setToolTip(titles[i]);
        const bool isInitial = !own[static_cast<std::size_t>(i)];
        action->setProperty(isOwn, !isInitial);
        connect(action, &QAction::triggered, this, [this, id = ids[i], isInitial](bool on) {
            refusal_.review();
            QStringList& changed = isInitial ? choice().off : choice().on;
            changed.removeAll(id);
            if (on != isInitial) changed << id;
        });
    }
    variants_->setToolTipsVisible(true);
    tickVariants();
}

QList<QAction*> SweepPanel::ticks() const {
    QList<QAction*> all = variants_->actions();
    all.removeIf([](const QAction* one) { return !one->isCheckable(); });
    return all;
}

void SweepPanel::tickVariants() {
    const Choice& chosen = choice();
    for (QAction* one : ticks()) {
        const QString id = one->data().toString();
        one->setChecked(one->property(isOwn).toBool() ? chosen.on.contains(id) : !chosen.off.contains(id));
    }
}

nlohmann::json SweepPanel::keep() const {
    nlohmann::json all = nlohmann::json::object();
    for (const auto& [analysis, chosen] : choices_) {
        nlohmann::json one = nlohmann::json::object();
        for (const auto& [id, text] : chosen.sizes) one["sizes"][id] = text.toStdString();
        for (const QString& id : chosen.off) one["off"].push_back(id.toStdString());
        for (const QString& id : chosen.on) one["on"].push_back(id.toStdString());
        if (const auto made = measured_.find(analysis); made != measured_.end()) {
            const Measured& last = made->second.ended();
            if (last.report)
                one["measured"] = *last.report;
            else if (!last.empty())
                one["stopped"] = to_json(Stopped{last.points, last.device});
        }
        if (!one.empty()) all[analysis] = one;
    }
    return all;
}

void SweepPanel::bringBack(const nlohmann::json& kept) {
    if (!kept.is_object()) return;
    for (const auto& [analysis, one] : kept.items()) {
        Choice chosen;
        if (const nlohmann::json sizes = jsonPart(one, "sizes"); sizes.is_object())
            for (const auto& [id, text] : sizes.items())
                if (text.is_string()) chosen.sizes[id] = QString::fromStdString(text.get<std::string>());
        chosen.off = idsFrom(jsonPart(one, "off"));
        chosen.on = idsFrom(jsonPart(one, "on"));
        choices_[analysis] = std::move(chosen);
        if (const nlohmann::json made = jsonPart(one, "stopped"); made.is_object()) try {
                auto stopped = from_json<Stopped>(made, "a stopped measurement");
                measured_[analysis].setLast({std::move(stopped.points), std::move(stopped.device), {}});
            } catch (const std::exception&) {
                // Of another version: it can be measured again.
            }
        if (const nlohmann::json made = jsonPart(one, "measured"); made.is_object()) try {
                const auto report = from_json<BenchReport>(made, "a measurement");
                choices_[report.plan.analysis];  // keep() uses it
                measured_[report.plan.analysis].setLast(measuredFrom(report));
            } catch (const std::exception&) {
                // Of another version: it can be measured again.
            }
    }
    makeFields();
    tickVariants();
    showMessage();
    draw();
}

BenchPlan SweepPanel::plan() const {
    BenchPlan plan;
    plan.analysis = info_.id;
    plan.repeats = static_cast<std::size_t>(repeats_->value());
    plan.check = CheckMode::sample;
    for (const ParameterSpec& spec : info_.benchmark) {
        std::vector<ParameterValue>& values = plan.sizes[spec.id];
        if (!idle_.contains(spec.id)) values = valuesOf(spec);
    }
    for (const QAction* one : ticks())
        if (one->isChecked()) plan.variants.push_back(one->data().toString().toStdString());
    if (plan.variants.empty() && !variants_->isEmpty())
        throw Error(ErrorKind::input, "no variant is ticked", "Variants");
    return plan;
}

void SweepPanel::setSizes(const std::map<std::string, QString>& lists) {
    for (const auto& [id, list] : lists)
        if (const auto field = fields_.find(id); field != fields_.end()) field->second->setText(list);
}

bool SweepPanel::Measured::empty() const {
    return !report && !hasTimes(points);
}

void SweepPanel::setRunning(bool running) {
    Newest<Measured>& measured = measured_[measuring_];
    if (running && !running_) {
        measured.begin({{}, now_.device, {}});
        choices_[measuring_];  // keep() uses it
    } else if (!running) {
        measured.end();
    }
    running_ = running;
    showButton();
    showMessage();
    draw();
}

void SweepPanel::showButton() {
    if (!running_) return MeasuringPanel::showButton(tr("Time the variants at these sizes"));
    const QString stop = measuring_ == info_.id ? tr("Stop the measurement")
                                                : tr("Stop the measurement of %1").arg(measuringTitle_);
    MeasuringPanel::showButton(
        measured_[measuring_].last().replaces()
            ? tr("%1; the complete results of the earlier measurement are shown again").arg(stop)
            : tr("%1 and keep its results so far").arg(stop));
}

void SweepPanel::addRow(std::size_t point, const ParameterSet& sizes, const BenchRow& row) {
    Newest<Measured>& measured = measured_[measuring_];
    if (!measured.isArriving()) return;
    putRow(measured.arriving().points, point, sizes, row);
    draw();
}

void SweepPanel::setReport(const BenchReport& report) {
    Newest<Measured>& measured = measured_[report.plan.analysis];
    if (!measured.isArriving()) return;
    measured.arriving() = measuredFrom(report);
    showMessage();
    draw();
}

SweepPanel::Measured SweepPanel::measuredFrom(const BenchReport& report) {
    return {report.points, report.device.title(), std::make_shared<const nlohmann::json>(to_json(report))};
}

const SweepPanel::Measured& SweepPanel::measured() const {
    static const Measured none;
    const auto made = measured_.find(info_.id);
    return made == measured_.end() ? none : made->second.shown();
}

QString SweepPanel::troubles() const {
    if (!measured().report) return {};
    return troublesText(measured().points, now_.texts);
}

void SweepPanel::showMessage() {
    QString text = troubles();
    if (running_ && measuring_ != info_.id)
        text = tr("Measuring %1").arg(measuringTitle_);
    else if (fields_.empty() && text.isEmpty())
        text = tr("%1 has no size to vary: its variants are timed with the values of the Set-up tab")
                   .arg(QString::fromStdString(info_.title));
    if (!unmeasured_.isEmpty()) {
        const QString what = tr("Measurements use generated data of these sizes, not %1").arg(unmeasured_);
        text = text.isEmpty() ? what : what + QStringLiteral("; ") + text;
    }
    say(*message_, text);
}

CurvePlot& SweepPanel::times() {
    return plots_->times();
}

CurvePlot& SweepPanel::rates() {
    return plots_->rates();
}

CurveKeys& SweepPanel::keys() {
    return plots_->keys();
}

void SweepPanel::showMade() {
    // Sizes with several values, or typed here, are not values of the Set-up.
    std::set<std::string> own{swept_};
    for (const auto& [id, field] : fields_)
        if (!field->text().trimmed().isEmpty() && !idle_.contains(id)) own.insert(id);
    const MeasuredWith made = measuredWith(measured().points, measured().device, info_.benchmark, now_, own);
    say(*made_, made.text);
    plots_->setNote(made.mark);
}

void SweepPanel::draw() {
    showMade();
    plots_->setPoints(measured().points, info_.benchmark);
}

}  // namespace ks::ui
