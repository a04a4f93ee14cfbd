#include "ui/xpcs/fit/fit_table_model.h"

#include <QColor>
#include <QFont>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/base/palette.h"

namespace ks::ui::xpcs {
namespace {

constexpr double unknownNumber = std::numeric_limits<double>::quiet_NaN();

QString nameOf(ErrorSource source, const FittedRun& run) {
    if (source == ErrorSource::pixels) return FitTableModel::tr("pixels");
    if (run.elsewhere) return FitTableModel::tr("file");
    const QString method = QString::fromStdString(run.errorsOfG2);
    return run.errorsOfG2 == "published" ? method : FitTableModel::tr("g2_err by %1").arg(method);
}

/// Greek letters and indices for the parameters of the built-in models.
QString symbolOf(const std::string& name) {
    if (name == "gamma") return QStringLiteral("\u03b3");
    if (name == "gamma2") return QStringLiteral("\u03b3\u2082");
    if (name == "beta") return QStringLiteral("\u03b2");
    if (name == "mu2") return QStringLiteral("\u03bc\u2082");
    return QString::fromStdString(name);
}

QString withPowers(const std::string& unit) {
    return QString::fromStdString(unit).replace(QStringLiteral("^2"), QStringLiteral("\u00b2"));
}

}  // namespace

FitTableModel::FitTableModel(const std::vector<FittedRun>& fits, QObject* parent)
    : OrderedTableModel({}, parent), shape_(shapeOf(fits)) {
    const QString ofError = tr("Standard error of %1");
    const auto parameter = [&](const std::string& name, const std::string& unit, const QString& about) {
        add({Kind::value, name}, symbolOf(name), unit, about, name);
        add({Kind::error, name}, tr("error of %1").arg(symbolOf(name)), unit, ofError.arg(symbolOf(name)),
            name + "_err");
    };
    const auto unitOf = [this](const std::string& name) {
        const auto found = std::ranges::find(shape_.names, name);
        return found == shape_.names.end()
                   ? std::string()
                   : shape_.units[static_cast<std::size_t>(found - shape_.names.begin())];
    };
    // First, since the others need not fit beside each other.
    if (shape_.severalRuns) add({Kind::run}, tr("Run"), "", tr("The run that was fitted"), "run", true);
    add({Kind::bin}, tr("Bin"), "", tr("Label of the bin"), "bin");
    add({Kind::q}, QStringLiteral("q"), "1/\u00c5", tr("Scattering vector of the bin"), "q");
    parameter("gamma", unitOf("gamma"),
              shape_.rate ? tr("Decay rate") : tr("Parameter of the formula, in which it is no rate"));
    add({Kind::tau}, QStringLiteral("\u03c4"), shape_.time, tr("Relaxation time, 1/\u03b3"), "tau");
    add({Kind::tauError}, tr("error of \u03c4"), shape_.time, ofError.arg(QStringLiteral("\u03c4")),
        "tau_err");
    parameter("beta", "", tr("Contrast: g\u2082 minus the baseline at delay 0"));
    parameter("baseline", "", tr("g\u2082 at large delays"));
    add({Kind::chi2}, tr("\u03c7\u00b2 red."), "",
        tr("\u03c7\u00b2 per degree of freedom; above 1 if the model is wrong or the errors of g\u2082 are "
           "too small"),
        "chi2_red");
    add({Kind::status}, tr("Status"), "", tr("Whether the fit determines its parameters"), "status", true);
    for (std::size_t k = 0; k < shape_.names.size(); ++k) {
        const std::string& name = shape_.names[k];
        if (name != "gamma" && name != "beta" && name != "baseline")
            parameter(name, shape_.units[k], tr("Parameter of the model"));
    }
    add({Kind::aic}, QStringLiteral("AIC"), "",
        tr("Akaike's criterion: of two models of the same points, the one with the lower value is preferred"),
        "aic");
    add({Kind::source}, tr("Errors from"), "",
        tr("pixels: from the spread between groups of pixels. published or g2_err: from the error "
           "of g\u2082; these are several times too small"),
        "errors_from", true);
    setColumns(texts_);
    setFits(fits);
}

const char* FitTableModel::kept(const std::string& text) {
    return strings_.emplace_back(text).c_str();
}

void FitTableModel::add(Column column, const QString& name, const std::string& unit, const QString& about,
                        const std::string& key, bool words) {
    columns_.push_back(std::move(column));
    texts_.push_back({kept(key), kept(name.toStdString()), kept(withPowers(unit).toStdString()),
                      kept(about.toStdString()), words});
}

FitTableModel::Shape FitTableModel::shapeOf(const std::vector<FittedRun>& fits) {
    Shape shape;
    if (fits.empty()) return shape;
    for (const ks::xpcs::FitTable::Parameter& one : fits.front().table.parameters) {
        shape.names.push_back(one.name);
        shape.units.push_back(one.unit);
    }
    shape.time = fits.front().table.unit_of_t;
    shape.rate = fits.front().table.has_rate;
    shape.severalRuns = fits.size() > 1;
    return shape;
}

bool FitTableModel::suits(const std::vector<FittedRun>& fits) const {
    return shapeOf(fits) == shape_;
}

void FitTableModel::setFits(const std::vector<FittedRun>& fits) {
    beginResetModel();
    fits_ = fits;
    rows_.clear();
    for (std::size_t run = 0; run < fits_.size(); ++run)
        for (std::size_t bin = 0; bin < fits_[run].table.bins.size(); ++bin)
            if (fits_[run].shown.empty() || fits_[run].shown[bin]) rows_.push_back({run, bin});
    resetItems(rows_.size());
    endResetModel();
}

const ks::xpcs::BinFit& FitTableModel::fit(int item) const {
    const Row& row = rows_[static_cast<std::size_t>(item)];
    return fits_[row.run].table.bins[row.bin];
}

int FitTableModel::bin(int item) const {
    return static_cast<int>(rows_[static_cast<std::size_t>(item)].bin) + 1;
}

int FitTableModel::run(int item) const {
    return fits_[rows_[static_cast<std::size_t>(item)].run].number;
}

std::vector<std::string> FitTableModel::csvKeys(int column) const {
    const ColumnText& text = columnText(column);
    // In letters that every program reads.
    const QString unit = QString::fromUtf8(text.unit)
                             .replace(QStringLiteral("\u00b2"), QStringLiteral("^2"))
                             .replace(QStringLiteral("\u00c5"), QStringLiteral("angstrom"));
    return {unit.isEmpty() ? std::string(text.key) : std::string(text.key) + " (" + unit.toStdString() + ')'};
}

bool FitTableModel::isShown(int column) const {
    const Column& one = columns_[static_cast<std::size_t>(column)];
    if (one.kind == Kind::error || one.kind == Kind::tauError) return false;
    if (one.kind == Kind::tau) return shape_.rate;
    return one.kind != Kind::value || std::ranges::find(shape_.names, one.parameter) != shape_.names.end();
}

double FitTableModel::number(int item, int column) const {
    const Column& of = columns_[static_cast<std::size_t>(column)];
    const Row& row = rows_[static_cast<std::size_t>(item)];
    const FittedRun& run = fits_[row.run];
    const ks::xpcs::BinFit& one = run.table.bins[row.bin];
    switch (of.kind) {
        case Kind::run:
            return run.number;
        case Kind::bin:
            return static_cast<double>(row.bin) + 1;
        case Kind::q:
            return run.q[row.bin];
        case Kind::value:
            return run.table.of(of.parameter, row.bin).first;
        case Kind::error:
            return run.table.of(of.parameter, row.bin).second;
        case Kind::tau:
            return one.tau;
        case Kind::tauError:
            return one.tau_error;
        case Kind::chi2:
            return one.chi2_reduced;
        case Kind::aic:
            return one.aic;
        case Kind::source:
            return one.converged ? static_cast<double>(sourceOf(one)) : unknownNumber;
        case Kind::status:
            return one.converged ? 0 : 1;
    }
    return unknownNumber;
}

QString FitTableModel::text(int item, int column) const {
    const Column& of = columns_[static_cast<std::size_t>(column)];
    const Row& row = rows_[static_cast<std::size_t>(item)];
    const FittedRun& run = fits_[row.run];
    const ks::xpcs::BinFit& one = run.table.bins[row.bin];
    const double value = number(item, column);
    const QString dash = QStringLiteral("\u2013");
    switch (of.kind) {
        case Kind::run:
            return run.label;
        case Kind::status:
            return QString::fromStdString(one.status);
        case Kind::source:
            return one.converged ? nameOf(sourceOf(one), run) : QString();
        case Kind::value:
            return std::isnan(value) ? dash
                                     : formatWithError(value, run.table.of(of.parameter, row.bin).second);
        case Kind::tau:
            return std::isnan(value) ? dash : formatWithError(value, one.tau_error);
        case Kind::error:
        case Kind::tauError:
            return std::isnan(value) ? dash : formatNumber(value, 2);
        case Kind::chi2:
            return std::isnan(value) ? dash : formatNumber(value, 3);
        case Kind::q:
        case Kind::aic:
            return std::isnan(value) ? dash : formatNumber(value, 4);
        case Kind::bin:
            return QString::number(row.bin + 1);
    }
    return {};
}

QVariant FitTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const int item = itemAt(index.row());
    const ks::xpcs::BinFit& one = fit(item);
    const Kind kind = columns_[static_cast<std::size_t>(index.column())].kind;
    const bool hasError = kind == Kind::value || kind == Kind::error || kind == Kind::tau ||
                          kind == Kind::tauError || kind == Kind::source;
    // One cannot be taken for the other.
    const bool ofWeights = one.converged && hasError && sourceOf(one) == ErrorSource::weights;
    if (role == Qt::FontRole && ofWeights) {
        QFont italic;
        italic.setItalic(true);
        return italic;
    }
    if (role == Qt::ForegroundRole && !one.converged) return QColor(0x80, 0x80, 0x80);
    if (role == Qt::ToolTipRole) {
        if (!one.converged) return QString::fromStdString(one.status);
        if (ofWeights)
            return tr("error from %1, which is several times too small")
                .arg(weightsText(fits_[rows_[static_cast<std::size_t>(item)].run]));
        if (hasError) return tr("error from the spread between %1 groups of pixels").arg(one.groups);
    }
    return OrderedTableModel::data(index, role);
}

}  // namespace ks::ui::xpcs
