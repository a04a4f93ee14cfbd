#include "ui/xpcs/fit/fit_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "ui/base/count_text.h"
#include "ui/base/form_parts.h"
#include "ui/base/layouts.h"
#include "ui/base/palette.h"
#include "ui/base/restyled.h"
#include "ui/xpcs/fit/optional_number.h"

namespace ks::ui::xpcs {
namespace {

QString sentence(const Error& error) {
    return capitalised(QString::fromStdString(error.message()));
}

}  // namespace

FitForm::FitForm(QWidget* parent)
    : QWidget(parent),
      model_(new QComboBox),
      formula_(new QLineEdit),
      equation_(new QLabel),
      wrong_(new QLabel),
      leftOut_(new QLabel),
      errors_(new QLabel),
      parameters_(new QWidget),
      delays_(new QWidget),
      from_(new OptionalNumber(tr("first"))),
      to_(new OptionalNumber(tr("last"))),
      all_(new QToolButton),
      withRuns_(new QCheckBox(tr("Errors from the &pixels, with the next run"))),
      byContrast_(new QCheckBox(tr("&Draw (g\u2082 \u2212 1)/\u03b2"))) {
    build();
    showChoice();
    new Restyled(this, Restyled::By::palette, [this] { showColours(); });
}

void FitForm::build() {
    named(model_, tr("Model of the fit"), tr("Function that is fitted to g\u2082 of every bin"));
    model_->setObjectName(QStringLiteral("fitModel"));
    model_->addItem(tr("no fit"), QString::fromLatin1(FitChoice::none));
    const std::map<std::string, QString> titles{{"single", tr("single exponential")},
                                                {"stretched", tr("stretched exponential")},
                                                {"double", tr("double exponential")},
                                                {"cumulant", tr("second cumulant")}};
    for (const fit::Model& one : fit::g2_models()) {
        const auto title = titles.find(one.name);
        model_->addItem(title == titles.end() ? QString::fromStdString(one.name) : title->second,
                        QString::fromStdString(one.name));
    }
    model_->addItem(tr("own formula"), QString::fromLatin1(FitChoice::ownFormula));
    named(formula_, tr("Formula of the fit"),
          tr("A formula of t: numbers, + - * / ^, parentheses, exp, log, sqrt, pow, abs, sin and cos. Every "
             "other name is a parameter; gamma is taken as 1/\u03c4 where it multiplies t."));
    formula_->setObjectName(QStringLiteral("fitFormula"));
    formula_->setPlaceholderText(QStringLiteral("1 + beta*exp(-2*gamma*t)"));
    named(wrong_, tr("Error in the fit"));
    wrong_->setObjectName(QStringLiteral("fitProblem"));
    named(errors_, tr("Where the errors of the fit come from"));
    errors_->setObjectName(QStringLiteral("fitErrors"));
    for (QLabel* one : {equation_, wrong_, errors_}) {
        one->setWordWrap(true);
        one->setTextFormat(Qt::PlainText);
    }
    equation_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    named(from_, tr("First delay of the fit"), tr("Smaller delays are not fitted"));
    from_->setObjectName(QStringLiteral("fitFrom"));
    named(to_, tr("Last delay of the fit"), tr("Larger delays are not fitted"));
    to_->setObjectName(QStringLiteral("fitTo"));
    all_->setText(tr("Use all"));
    all_->setObjectName(QStringLiteral("fitUseAll"));
    named(all_, tr("Fit all delays again"), tr("Fits all delays and all points again"));
    named(withRuns_, tr("Errors from the pixels, with the next run"),
          tr("The next run (F5) also correlates groups of pixels. Their spread gives the errors of every "
             "model, "
             "including correlations between delays. This takes about as long as a run of host.gram."));
    withRuns_->setObjectName(QStringLiteral("fitWithRuns"));
    named(byContrast_, tr("Draw (g\u2082 \u2212 1)/\u03b2"),
          tr("The plot of g\u2082 shows (g\u2082 \u2212 1)/\u03b2, with the \u03b2 of each fit; bins without "
             "a fit are not drawn"));
    byContrast_->setObjectName(QStringLiteral("fitByContrast"));
    connect(byContrast_, &QCheckBox::toggled, this, [this] {
        if (!showing_) emit byContrastChanged();
    });
    leftOut_->setWordWrap(true);
    leftOut_->setObjectName(QStringLiteral("fitLeftOut"));
    delays_->setLayout(
        inRows({inColumns({new QLabel(tr("Delays")), {from_, 1}, new QLabel(tr("to")), {to_, 1}, all_}, 6),
                leftOut_},
               4));
    setLayout(inRows({inColumns({new QLabel(tr("Model")), {model_, 1}}, 8), formula_, equation_, wrong_,
                      errors_, parameters_, delays_, withRuns_, byContrast_, Cell::space()},
                     6, {6, 6, 6, 6}));
    connect(model_, &QComboBox::currentIndexChanged, this, &FitForm::take);
    connect(formula_, &QLineEdit::textChanged, this, &FitForm::take);
    for (OptionalNumber* one : {from_, to_})
        connect(one, &QDoubleSpinBox::valueChanged, this, &FitForm::take);
    connect(withRuns_, &QCheckBox::toggled, this, &FitForm::take);
    connect(all_, &QToolButton::clicked, this, [this] {
        choice_.from.reset();
        choice_.to.reset();
        std::erase_if(choice_.leftOut, [this](const auto& one) { return choice_.isOf(one, data_, unit_); });
        edited();
    });
}

std::vector<std::string> FitForm::namesOf(const fit::Model& model) {
    std::vector<std::string> names;
    for (const fit::Parameter& one : model.parameters) names.push_back(one.name);
    return names;
}

fit::Model FitForm::plainModel() const {
    if (choice_.model == FitChoice::none) return {};
    try {
        return fit::g2_model(choice_.model == FitChoice::ownFormula ? choice_.formula : choice_.model);
    } catch (const Error&) {
        return {};
    }
}

QString FitForm::formulaProblem() const {
    if (choice_.model != FitChoice::ownFormula) return {};
    try {
        fit::g2_model(choice_.formula);
        return {};
    } catch (const Error& error) {
        return choice_.formula.empty() ? tr("Type a formula of t") : sentence(error);
    }
}

QString FitForm::problemText() const {
    return choice_.any() ? wrong_->text() : QString();
}

QString FitForm::errorText() const {
    return errors_->text();
}

void FitForm::take() {
    if (showing_) return;
    choice_.model = model_->currentData().toString().toStdString();
    choice_.formula = formula_->text().trimmed().toStdString();
    choice_.withRuns = withRuns_->isChecked();
    const fit::Model shown = plainModel();
    if (names_ == namesOf(shown))
        for (std::size_t k = 0; k < rows_.size(); ++k) takeRow(rows_[k], shown, k);
    if (choice_.unit != unit_) {
        choice_.setUnit(unit_);
        std::erase_if(choice_.leftOut, [](const auto& one) { return one.unit.empty(); });
    }
    choice_.from = from_->number();
    choice_.to = to_->number();
    edited();
}

void FitForm::takeRow(const Row& row, const fit::Model& model, std::size_t index) {
    const std::optional<double> value = row.value->number();
    ParameterChoice one{value, value && row.fixed->isChecked(), row.lower->number(), row.upper->number(), {}};
    row.fixed->setEnabled(value.has_value());
    if (one == choice_.chosenFor(model, index, unit_)) return;  // also what is kept for the other unit
    if (one == ParameterChoice()) {
        choice_.parameters.erase(row.name);
        return;
    }
    if (model.powers_of_time[index] != 0) one.unit = unit_;
    choice_.parameters[row.name] = one;
}

void FitForm::setChoice(const FitChoice& choice) {
    if (choice == choice_) return;
    choice_ = choice;
    showChoice();
    if (steps_) steps_->settle();
}

bool FitForm::hasContrast() const {
    return std::ranges::find(names_, contrastName) != names_.end();
}

bool FitForm::byContrast() const {
    return byContrast_->isChecked() && hasContrast();
}

void FitForm::setByContrast(bool on) {
    const QScopedValueRollback showing(showing_, true);
    byContrast_->setChecked(on);
}

void FitForm::keepSteps(History& history) {
    steps_ = std::make_unique<Undoable<FitChoice>>(
        history, this, [this] { return choice_; },
        [this](const FitChoice& choice) {
            setChoice(choice);
            emit changed();
        },
        &fitChange);
}

void FitForm::edited() {
    showChoice();
    if (steps_) steps_->edited(true);
    emit changed();
}

void FitForm::setUnit(const std::string& unit) {
    if (unit == unit_) return;
    unit_ = unit;
    showChoice();
}

void FitForm::setData(const std::string& data) {
    if (std::exchange(data_, data) != data) showLeftOut();
}

void FitForm::toggle(const LeftOutPoint& point) {
    if (!choice_.any()) return;
    if (choice_.unit != unit_ && point.unit.empty()) {
        choice_.setUnit(unit_);
        choice_.from.reset();
        choice_.to.reset();
        std::erase_if(choice_.leftOut, [](const auto& one) { return one.unit.empty(); });
    }
    choice_.toggle(point);
    edited();
}

void FitForm::makeRows() {
    const fit::Model model = plainModel();
    const std::vector<std::string> names = namesOf(model);
    if (names == names_ && parameters_->layout()) return;
    names_ = names;
    rows_.clear();
    qDeleteAll(parameters_->findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    delete parameters_->layout();
    auto* grid = new QGridLayout(parameters_);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(4);
    if (names.empty()) return;
    const QString titles[] = {tr("Parameter"), tr("Value"), tr("Fixed"), tr("Minimum"), tr("Maximum")};
    for (int column = 0; column < 5; ++column) grid->addWidget(new QLabel(titles[column]), 0, column);
    for (const int column : {1, 3, 4}) grid->setColumnStretch(column, 1);
    for (std::size_t k = 0; k < names.size(); ++k) {
        const QString name = QString::fromStdString(names[k]);
        const fit::Parameter& of = model.parameters[k];
        const auto bound = [](const std::optional<double>& of_model) {
            return of_model ? formatNumber(*of_model, 4) : tr("none");
        };
        Row row{names[k],
                new QLabel(name),
                new OptionalNumber(tr("auto")),
                new QCheckBox,
                new OptionalNumber(bound(of.lower)),
                new OptionalNumber(bound(of.upper))};
        named(row.value, tr("Value of %1").arg(name),
              tr("Start value of %1, or its value if it is fixed; auto: from the data").arg(name));
        named(row.fixed, tr("Fixed %1").arg(name), tr("%1 keeps this value").arg(name));
        named(row.lower, tr("Minimum of %1").arg(name), tr("Smallest value that the fit allows"));
        named(row.upper, tr("Maximum of %1").arg(name), tr("Largest value that the fit allows"));
        const QString key = QStringLiteral("fit_") + name;
        row.value->setObjectName(key + QStringLiteral("_value"));
        row.fixed->setObjectName(key + QStringLiteral("_fixed"));
        row.lower->setObjectName(key + QStringLiteral("_lower"));
        row.upper->setObjectName(key + QStringLiteral("_upper"));
        row.lower->setSuggested(of.lower.value_or(0));
        row.upper->setSuggested(of.upper.value_or(1));
        row.label->setObjectName(key + QStringLiteral("_label"));
        row.label->setBuddy(row.value);
        const int line = static_cast<int>(k) + 1;
        grid->addWidget(row.label, line, 0);
        grid->addWidget(row.value, line, 1);
        grid->addWidget(row.fixed, line, 2, Qt::AlignCenter);
        grid->addWidget(row.lower, line, 3);
        grid->addWidget(row.upper, line, 4);
        for (OptionalNumber* one : {row.value, row.lower, row.upper})
            connect(one, &QDoubleSpinBox::valueChanged, this, &FitForm::take);
        connect(row.fixed, &QCheckBox::toggled, this, &FitForm::take);
        rows_.push_back(row);
    }
}

void FitForm::showChoice() {
    const QScopedValueRollback showing(showing_, true);
    const bool own = choice_.model == FitChoice::ownFormula, any = choice_.any();
    model_->setCurrentIndex(std::max(model_->findData(QString::fromStdString(choice_.model)), 0));
    if (formula_->text().trimmed().toStdString() != choice_.formula)
        formula_->setText(QString::fromStdString(choice_.formula));
    formula_->setVisible(own);
    makeRows();
    const fit::Model model = plainModel();
    const bool otherGamma =
        own && model.rate.empty() &&
        std::ranges::find(model.parameters, fit::rate_name, &fit::Parameter::name) != model.parameters.end();
    equation_->setText(
        !any         ? tr("Choose a model: every bin is fitted at once, and the fit follows its curves.")
        : otherGamma ? tr("gamma is no rate in this formula, so no \u03c4 is derived from it.")
        : own        ? QString()
                     : QStringLiteral("g\u2082(t) = ") + QString::fromStdString(model.formula));
    equation_->setVisible(!own || otherGamma);
    equation_->setWhatsThis(tr("The formula of the chosen model"));
    for (std::size_t k = 0; k < rows_.size(); ++k) {
        const Row& row = rows_[k];
        const ParameterChoice one = choice_.chosenFor(model, k, unit_);
        const std::string unit = ks::xpcs::unit_of_parameter(model, k, unit_ == "s");
        row.label->setText(QString::fromStdString(unit.empty() ? row.name : row.name + " (" + unit + ")"));
        row.value->setNumber(one.value);
        row.fixed->setChecked(one.fixed);
        row.fixed->setEnabled(one.value.has_value());
        row.lower->setNumber(one.lower);
        row.upper->setNumber(one.upper);
    }
    const bool ofUnit = choice_.unit == unit_;
    for (OptionalNumber* one : {from_, to_}) one->setUnit(unit_);
    from_->setNumber(ofUnit ? choice_.from : std::nullopt);
    to_->setNumber(ofUnit ? choice_.to : std::nullopt);
    withRuns_->setChecked(choice_.withRuns);
    for (QWidget* one : std::initializer_list<QWidget*>{parameters_, delays_, withRuns_})
        one->setVisible(any);
    byContrast_->setVisible(hasContrast());
    if (!any) errors_->hide();
    const QString problem = formulaProblem();
    wrong_->setText(problem);
    wrong_->setVisible(!problem.isEmpty());
    showLeftOut();
    showColours();
}

void FitForm::showLeftOut() {
    const auto count = [this](const auto& isMeant) {
        return static_cast<std::size_t>(std::ranges::count_if(choice_.leftOut, isMeant));
    };
    const std::size_t n = count([this](const LeftOutPoint& one) { return choice_.isOf(one, data_, unit_); });
    // They come back with the unit.
    const bool others = count([](const LeftOutPoint&one) { return one.unit.empty(); }) > 0,
               otherLimits = choice_.unit != unit_ && (choice_.from || choice_.to || others);
    QStringList names;
    for (const std::string& name : choice_.ofOtherUnit(plainModel(), unit_))
        names << QString::fromStdString(name);
    const QString values = tr("the values and bounds of %1").arg(names.join(QStringLiteral(", ")));
    const QString unused = names.isEmpty() ? tr("the limits and points")
                           : otherLimits   ? tr("the limits and points, and %1,").arg(values)
                                           : values;
    leftOut_->setText(
        otherLimits || !names.isEmpty()
            ? tr("Not used: %1 that were chosen for delays in %2.")
                  .arg(unused, unit_ == "s" ? QStringLiteral("frames") : QStringLiteral("s"))
        : n == 0
            ? tr("Click a point of g\u2082 to leave it out, with Shift to leave its delay out of all bins.")
            : tr("%1 left out, drawn hollow; click again to use it.")
                  .arg(counted(n, tr("1 point or delay is"), tr("%1 points or delays are"))));
    all_->setEnabled(n > 0 || choice_.from || choice_.to);
}

void FitForm::showFits(const std::vector<FittedRun>& fits, const QString& problem) {
    if (!choice_.any()) return;
    const QString ofFormula = formulaProblem();
    wrong_->setText(ofFormula.isEmpty() && !problem.isEmpty() ? capitalised(problem) : ofFormula);
    wrong_->setVisible(!wrong_->text().isEmpty());
    const ErrorsText errors = errorsText(fits, BinsMeant::converged, tr(" (italic)"));
    QString text = errors.text;
    const bool canRun = !std::ranges::all_of(fits, &FittedRun::elsewhere);
    if (errors.weights > 0 && errors.pixels == 0 && canRun)
        text += QLatin1Char(' ') +
                (choice_.withRuns
                     ? tr("Press Run (F5) for errors from the pixels.")
                     : tr("Tick \u201cErrors from the pixels\u201d and press Run (F5) for better ones."));
    errors_->setText(text);
    errors_->setVisible(!text.isEmpty());
    // A step from "auto" begins at a fitted value.
    for (const Row& row : rows_)
        for (const FittedRun& run : fits)
            for (std::size_t bin = run.table.bins.size(); bin-- > 0;)
                if (const double value = run.table.of(row.name, bin).first; std::isfinite(value))
                    row.value->setSuggested(value);
}

void FitForm::showColours() {
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, QColor(isDark(palette()) ? 0xff8a80 : 0xb71c1c));
    wrong_->setPalette(colours);
}

}  // namespace ks::ui::xpcs
