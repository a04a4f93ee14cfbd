#include "ui/base/palette.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <qcustomplot.h>
#include <QApplication>
#include <QLocale>
#include <QStringList>

namespace ks::ui {
namespace {

/// Okabe and Ito's colours, ordered by contrast on white, each in a version for light and for dark
/// backgrounds. Yellow is darker on white and blue lighter on black; hue and order stay.
struct Pair {
    QRgb light, dark;
};
constexpr std::array<Pair, 7> okabeIto{{{0xff0072b2, 0xff3d9fe0},
                                        {0xffd55e00, 0xfff0762a},
                                        {0xff009e73, 0xff1fbf92},
                                        {0xffcc79a7, 0xffdc8fba},
                                        {0xffe69f00, 0xfff2b134},
                                        {0xff56b4e9, 0xff7cc8f2},
                                        {0xffc2ad00, 0xfff0e442}}};

/// Björn Ottosson's Oklab (2020) in polar form: equal L means equal perceived lightness.
QColor fromOklch(double lightness, double chroma, double degrees) {
    const double a = chroma * std::cos(degrees * M_PI / 180), b = chroma * std::sin(degrees * M_PI / 180);
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    const auto encode = [](double x) {
        x = std::clamp(x, 0.0, 1.0);
        return static_cast<float>(x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055);
    };
    return QColor::fromRgbF(encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                            encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                            encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s));
}

double luminance(const QColor& colour) {
    return 0.2126 * colour.redF() + 0.7152 * colour.greenF() + 0.0722 * colour.blueF();
}

}  // namespace

QColor binColour(int label, bool dark) {
    if (label <= 0) return dark ? QColor(0x9a, 0x9a, 0x9a) : QColor(0x70, 0x70, 0x70);
    const int n = label - 1, first = static_cast<int>(okabeIto.size());
    if (n < first) {
        const Pair& pair = okabeIto[static_cast<std::size_t>(n)];
        return QColor::fromRgb(dark ? pair.dark : pair.light);
    }
    // 9 hues in steps of 4, so that consecutive ones differ strongly; then other lightnesses. The first is
    // darker (on a dark background: duller) than Okabe and Ito's colours, whose hues recur. Thus 16 colours
    // are easily distinguished; further ones only together with their numbers.
    constexpr std::array<double, 3> light{0.45, 0.70, 0.57}, dim{0.58, 0.86, 0.70};
    const int k = n - first, round = (k / 9) % 3;
    return fromOklch((dark ? dim : light)[static_cast<std::size_t>(round)], 0.13,
                     15 + 40 * ((k * 4) % 9) + 13 * round);
}

QColor runColour(qsizetype run, bool dark) {
    // Yellow is not among them: on white it has to be so dark that it resembles orange.
    constexpr std::size_t okabeItos = 6;
    static constexpr std::array<Pair, 2> others{{{0xff000000, 0xffcaf89a}, {0xff5e2903, 0xff4d7744}}};
    const std::size_t at = static_cast<std::size_t>(run) % (okabeItos + others.size());
    const Pair& pair = at < okabeItos ? okabeIto[at] : others[at - okabeItos];
    return QColor::fromRgb(dark ? pair.dark : pair.light);
}

bool isDark(const QPalette& palette) {
    return luminance(palette.color(QPalette::Active, QPalette::Base)) < 0.5;
}

QPalette printPalette() {
    QPalette palette(QColor(0xf0, 0xf0, 0xf0), Qt::white);
    palette.setColor(QPalette::Base, Qt::white);
    palette.setColor(QPalette::Text, Qt::black);
    palette.setColor(QPalette::WindowText, Qt::black);
    return palette;
}

QColor textOn(const QColor& background) {
    return luminance(background) > 0.5 ? QColor(0x10, 0x10, 0x10) : QColor(0xff, 0xff, 0xff);
}

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto mix = [share](int x, int y) {
        return static_cast<int>(std::lround(share * x + (1 - share) * y));
    };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

void applyPalette(QCustomPlot& plot, const QPalette& palette) {
    const QColor base = palette.color(QPalette::Base), text = palette.color(QPalette::Text);
    const QFont font = plot.font();
    plot.setBackground(QBrush(base));
    const QPen line(mixed(text, base, 0.55), 1);
    const QPen grid(mixed(text, base, 0.14), 1), fine(mixed(text, base, 0.07), 1);
    for (QCPAxisRect* rect : plot.axisRects()) {
        for (QCPAxis* axis : rect->axes()) {
            axis->setBasePen(line);
            axis->setTickPen(line);
            axis->setSubTickPen(line);
            axis->setLabelColor(text);
            axis->setTickLabelColor(text);
            axis->setLabelFont(font);
            axis->setTickLabelFont(font);
            axis->setSelectedLabelColor(text);
            axis->setSelectedTickLabelColor(text);
            axis->grid()->setPen(grid);
            axis->grid()->setSubGridPen(fine);
            axis->grid()->setZeroLinePen(QPen(mixed(text, base, 0.35), 1));
        }
    }
    if (plot.legend) {
        plot.legend->setFont(font);
        plot.legend->setTextColor(text);
        QColor behind = base;
        behind.setAlpha(220);
        plot.legend->setBrush(behind);
        plot.legend->setBorderPen(QPen(mixed(text, base, 0.2), 1));
    }
}

void applyPalette(QCustomPlot& plot) {
    applyPalette(plot, plot.palette());
}

QString formatNumber(double value, int digits) {
    if (std::isnan(value)) return QStringLiteral("-");
    if (std::isinf(value)) return value > 0 ? QStringLiteral("inf") : QStringLiteral("-inf");
    if (value == 0) return QStringLiteral("0");
    const double size = std::abs(value);
    if (size < 1e-4 || size >= 1e6) {
        // Integers are never shortened: a count of 4294967295 is a marker that users recognise by its digits.
        if (size < 1e15 && value == std::floor(value) && size >= 1e6) return QString::number(value, 'f', 0);
        return QString::number(value, 'g', digits);
    }
    const int places = std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(size))));
    QString text = QString::number(value, 'f', places);
    if (text.contains('.')) {
        while (text.endsWith('0')) text.chop(1);
        if (text.endsWith('.')) text.chop(1);
    }
    return text;
}

QString formatSi(double value, const QString& unit, int digits) {
    if (std::isnan(value)) return QStringLiteral("-");
    static const QStringList prefixes{"p", "n", "\u00b5", "m", "", "k", "M", "G", "T", "P"};
    const QString space = unit.isEmpty() ? QString() : QStringLiteral(" ");
    if (value == 0 || std::isinf(value)) return formatNumber(value) + space + unit;
    int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)) / 3));
    // 999.7 to three digits is 1.00 k, not 1000
    const double rounding = 0.5 * std::pow(10.0, -digits + 3);
    if (std::abs(value) / std::pow(1000.0, exponent) >= 1000 - rounding) ++exponent;
    exponent = std::clamp(exponent, -4, 5);
    const double scaled = value / std::pow(1000.0, exponent);
    const int before =
        static_cast<int>(std::floor(std::log10(std::max(std::abs(scaled), 1e-12)) + 1e-12)) + 1;
    // Beyond the prefixes no more than the digits are shown.
    const QString number = before > digits + 3
                               ? QString::number(scaled, 'g', digits)
                               : QString::number(scaled, 'f', std::clamp(digits - std::max(before, 1), 0, 9));
    const QString prefix = prefixes[exponent + 4];
    return number + (prefix.isEmpty() ? space : QStringLiteral(" ")) + prefix + unit;
}

QString formatDuration(double nanoseconds) {
    const double seconds = nanoseconds * 1e-9;
    constexpr double mostSeconds = 1e9;
    if (!(seconds >= 99.95 && seconds < mostSeconds)) return formatSi(seconds, QStringLiteral("s"));
    const auto whole = static_cast<qint64>(std::llround(seconds));
    if (whole < 3600) return QStringLiteral("%1 min %2 s").arg(whole / 60).arg(whole % 60);
    return QStringLiteral("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

QString formatBytes(std::uint64_t bytes) {
    if (bytes < 1000) return QStringLiteral("%1 B").arg(bytes);
    return formatSi(static_cast<double>(bytes), QStringLiteral("B"));
}

QString formatWithError(double value, double error) {
    if (std::isnan(value)) return QStringLiteral("-");
    error = std::abs(error);
    if (!std::isfinite(error) || error == 0 || !std::isfinite(value)) return formatNumber(value);
    int decade = static_cast<int>(std::floor(std::log10(error)));
    if (std::lround(error / std::pow(10.0, decade)) == 10) ++decade;
    const double unit = std::pow(10.0, decade);
    const auto digit = static_cast<qint64>(std::llround(error / unit));
    if (decade < 0) return QStringLiteral("%1(%2)").arg(value, 0, 'f', -decade).arg(digit);
    return QStringLiteral("%1(%2)")
        .arg(std::round(value / unit) * unit, 0, 'f', 0)
        .arg(static_cast<double>(digit) * unit, 0, 'f', 0);
}

}  // namespace ks::ui
