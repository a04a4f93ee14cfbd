#include "ui/particles/field.h"

#include <QObject>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/error.h"
#include "core/particles/parameters.h"
#include "ui/base/palette.h"

namespace ks::ui::particles {
namespace {

const std::array<std::string, 3> planeEndings{"_xy", "_xz", "_yz"};

/// "Re f(x, y)" -> "f"
QString shortTitle(const std::string& title) {
    QString text = QString::fromStdString(title);
    for (const char* part : {"Re ", "Im "})
        if (text.startsWith(QLatin1String(part))) text = text.mid(3);
    const qsizetype arguments = text.lastIndexOf(QLatin1Char('('));
    if (arguments > 0 && text.endsWith(QLatin1Char(')'))) text = text.left(arguments);
    return text.trimmed();
}

const Dataset* image(const Result& result, const std::string& name) {
    const Dataset* found = result.find(name);
    return found && found->kind == DataKind::image && found->values.rank() == 2 ? found : nullptr;
}

/// "potential_2", "gradient_2_x" -> 1
std::size_t vectorOf(const std::string& stem) {
    const std::size_t number = stem.find('_');
    std::size_t vector = 1;
    if (number != std::string::npos)
        std::from_chars(stem.data() + number + 1, stem.data() + stem.size(), vector);
    return vector - 1;
}

}  // namespace

QString nameOf(Plane plane) {
    return plane == Plane::xy   ? QStringLiteral("xy")
           : plane == Plane::xz ? QStringLiteral("xz")
                                : QStringLiteral("yz");
}

QString axisName(int axis) {
    return QString(QChar('x' + axis));
}

QString positionText(double at, double extent) {
    constexpr int fewDigits = 9, leastDigits = 4;
    if (QString::number(at, 'g', fewDigits).toDouble() == at) return formatNumber(at, fewDigits);
    const double unit = extent * 1e-4;
    const int places = unit > 0 ? std::max(0, static_cast<int>(-std::floor(std::log10(unit)))) : 0,
              whole = static_cast<int>(std::floor(std::log10(std::abs(at)))) + 1;
    return formatNumber(at, std::max(leastDigits, places + whole));
}

std::vector<FieldInfo> fieldsOf(const Result& result) {
    std::vector<FieldInfo> fields;
    for (const Dataset& one : result.datasets) {
        for (const bool isComplex : {false, true}) {
            const std::string ending = planeEndings[0] + (isComplex ? "_re" : "");
            if (!one.name.ends_with(ending)) continue;
            const std::string stem = one.name.substr(0, one.name.size() - ending.size());
            const bool whole = std::ranges::all_of(planeEndings, [&](const std::string& plane) {
                return isComplex ? image(result, stem + plane + "_re") && image(result, stem + plane + "_im")
                                 : image(result, stem + plane) != nullptr;
            });
            if (!whole || stem.empty()) continue;
            QString title = shortTitle(one.title);
            const auto same = [&title](const FieldInfo& other) { return other.title == title; };
            if (title.isEmpty() || std::ranges::any_of(fields, same)) title = QString::fromStdString(stem);
            fields.push_back({stem, title, QString::fromStdString(one.unit), isComplex, vectorOf(stem)});
        }
    }
    return fields;
}

QString partTitle(const FieldInfo& info, Part part) {
    const QString unit = part == Part::phase ? QStringLiteral("rad") : info.unit;
    QString text = info.title;
    if (part == Part::magnitude) text = QStringLiteral("|%1|").arg(text);
    if (part == Part::phase) text = QStringLiteral("arg %1").arg(text);
    if (part == Part::real) text = QStringLiteral("Re %1").arg(text);
    if (part == Part::imaginary) text = QStringLiteral("Im %1").arg(text);
    return unit.isEmpty() ? text : QStringLiteral("%1 (%2)").arg(text, unit);
}

double Field::offset(Plane plane) const {
    return plane == Plane::xy ? grid.z_of_xy : plane == Plane::xz ? grid.y_of_xz : grid.x_of_yz;
}

std::shared_ptr<const Field> fieldOf(const Run& run, const std::string& stem) {
    return fieldOf(run.result, run.request.parameters, stem);
}

std::shared_ptr<const Field> fieldOf(const Result& result, const ParameterSet& parameters,
                                     const std::string& stem) {
    const std::vector<FieldInfo> fields = fieldsOf(result);
    const auto info = std::ranges::find(fields, stem, &FieldInfo::stem);
    if (info == fields.end()) return nullptr;
    auto field = std::make_shared<Field>();
    field->info = *info;
    field->grid = ks::particles::planes_from(parameters);
    for (std::size_t plane = 0; plane < planeEndings.size(); ++plane) {
        const auto take = [&](const std::string& part) {
            const Dataset& found = result.at(stem + planeEndings[plane] + part);
            const auto& shape = found.values.shape();
            if (plane == 0 && part != "_im") field->grid.side = shape[0];
            if (shape[0] != field->grid.side || shape[1] != field->grid.side || shape[0] == 0)
                throw Error(ErrorKind::run,
                            "expected " + std::to_string(field->grid.side) + " x " +
                                std::to_string(field->grid.side) + " values, found " +
                                std::to_string(shape[0]) + " x " + std::to_string(shape[1]),
                            found.name);
            return found.values.to_doubles();
        };
        field->re[plane] = take(info->isComplex ? "_re" : "");
        if (info->isComplex) field->im[plane] = take("_im");
    }
    return field;
}

bool comparable(const Field& a, const Field& b) {
    return a.grid == b.grid && a.info.isComplex == b.info.isComplex;
}

void requireComparable(const Field& a, const Field& b) {
    if (a.info.isComplex != b.info.isComplex)
        throw Error(ErrorKind::run, "a real and a complex result cannot be compared",
                    a.info.title.toStdString());
    if (!(a.grid == b.grid))
        throw Error(ErrorKind::run, "the two results are on different planes, so they cannot be compared",
                    a.info.title.toStdString(), "choose runs with the same planes");
}

std::shared_ptr<const Field> difference(const Field& a, const Field& b) {
    requireComparable(a, b);
    auto left = std::make_shared<Field>(a);
    for (std::size_t plane = 0; plane < left->re.size(); ++plane) {
        for (std::size_t i = 0; i < left->re[plane].size(); ++i) left->re[plane][i] -= b.re[plane][i];
        for (std::size_t i = 0; i < left->im[plane].size(); ++i) left->im[plane][i] -= b.im[plane][i];
    }
    left->info.title = QStringLiteral("\u0394%1").arg(a.info.title);
    return left;
}

PlaneValues valuesOf(const Field& field, Part part) {
    PlaneValues all;
    for (std::size_t plane = 0; plane < all.size(); ++plane) {
        const auto &re = field.re[plane], &im = field.im[plane];
        std::vector<float>& out = all[plane];
        out.resize(re.size());
        const auto fill = [&](auto&& value) {
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = static_cast<float>(value(re[i], im.empty() ? 0.0 : im[i]));
        };
        switch (part) {
            case Part::value:
            case Part::real:
                fill([](double a, double) { return a; });
                break;
            case Part::imaginary:
                fill([](double, double b) { return b; });
                break;
            case Part::magnitude:
                fill([](double a, double b) { return std::sqrt(a * a + b * b); });
                break;
            case Part::phase:
                fill([](double a, double b) { return std::atan2(b, a); });
                break;
        }
    }
    return all;
}

}  // namespace ks::ui::particles
