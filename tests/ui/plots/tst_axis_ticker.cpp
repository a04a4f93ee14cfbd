#include <cmath>

#include <qcustomplot.h>
#include <QTest>

#include "ui/plots/axis_ticker.h"

namespace ks::ui {
namespace axis_ticker_test {

QStringList numbersOf(const QCPRange& range, bool logarithmic, int count) {
    QCPAxisTicker* ticker = logarithmic ? new LogTicker : new LinearTicker;
    const QSharedPointer<QCPAxisTicker> owner(ticker);
    ticker->setTickCount(count);
    QVector<double> ticks, further;
    QVector<QString> labels;
    ticker->generate(range, QLocale::c(), QLatin1Char('g'), 6, ticks, &further, &labels);
    for (const double one : ticks)
        if (!range.contains(one)) return {};
    return QStringList(labels.begin(), labels.end());
}

qsizetype digits(const QString& number) {
    const qsizetype point = number.indexOf(QLatin1Char('.'));
    const qsizetype end =
        number.contains(QLatin1Char('e')) ? number.indexOf(QLatin1Char('e')) : number.size();
    return point < 0 ? 0 : end - point - 1;
}

class AxisTickerTest : public QObject {
    Q_OBJECT
  private slots:
    void numbersOfALinearAxisHaveTheSameDigits() {
        QCOMPARE(axisNumbers({1.025, 1.03, 1.035}, QLocale::c()),
                 (QVector<QString>{"1.025", "1.030", "1.035"}));
        QCOMPARE(axisNumbers({-0.5, 0, 0.5}, QLocale::c()), (QVector<QString>{"-0.5", "0.0", "0.5"}));
        QCOMPARE(axisNumbers({0, 0.1 + 0.2, 0.6}, QLocale::c()), (QVector<QString>{"0.0", "0.3", "0.6"}));
        QCOMPARE(axisNumbers({0, 5e5, 1e6, 1.5e6}, QLocale::c()),
                 (QVector<QString>{"0.0", "0.5e6", "1.0e6", "1.5e6"}));
        QCOMPARE(axisNumbers({0, 2e-5, 4e-5}, QLocale::c()), (QVector<QString>{"0", "2e-5", "4e-5"}));
        QCOMPARE(axisNumbers({1000001, 1000002, 1000003}, QLocale::c()),
                 (QVector<QString>{"1000001", "1000002", "1000003"}));
        QCOMPARE(axisNumbers({-1.03676222e36, -1.0367622e36, -1.03676218e36}, QLocale::c()),
                 (QVector<QString>{"-1.03676222e36", "-1.03676220e36", "-1.03676218e36"}));
    }

    void numbersOfALogarithmicAxisHaveOneForm() {
        const QStringList plain = numbersOf({0.5, 2e4}, true, 5), powers = numbersOf({50, 2e6}, true, 5);
        QVERIFY2(plain.contains("10") && plain.contains("1000"), qPrintable(plain.join(' ')));
        QVERIFY2(powers.contains("1e4") && powers.contains("1e6"), qPrintable(powers.join(' ')));
        for (const QString& one : plain) QVERIFY(!one.contains('e'));
        for (const QString& one : powers) QVERIFY(one.contains('e'));
    }

    /// Wherever the ends of an axis are.
    void anAxisHasAsManyNumbersAsItCanTake() {
        for (const double from : {0.0, 1.0, 1.013, -1.2, 0.97, 12345.6, -3e-5}) {
            for (double size = 1e-3; size < 3e4; size *= 1.37) {
                const QCPRange range(from, from + size);
                for (int count = 2; count <= 5; ++count) {
                    const QStringList numbers = numbersOf(range, false, count);
                    const QString told = QStringLiteral("%1 + %2, %3: %4")
                                             .arg(from)
                                             .arg(size)
                                             .arg(count)
                                             .arg(numbers.join(' '));
                    QVERIFY2(numbers.size() >= std::min(count, 3), qPrintable(told));
                    QVERIFY2(numbers.size() <= std::max(count, 3) + 4, qPrintable(told));
                    if (count <= 3) QVERIFY2(numbers.size() == count, qPrintable(told));
                    for (const QString& one : numbers)
                        QVERIFY2(digits(one) == digits(numbers.first()), qPrintable(told));
                    QCOMPARE(QSet<QString>(numbers.begin(), numbers.end()).size(), numbers.size());
                }
            }
        }
        for (const double from : {1e-7, 0.03, 1.0, 7.0, 900.0}) {
            for (double ratio = 1.2; ratio < 1e12; ratio *= 1.7) {
                for (int count = 2; count <= 5; ++count) {
                    const QStringList numbers = numbersOf({from, from * ratio}, true, count);
                    const QString told = QStringLiteral("%1 x %2, %3: %4")
                                             .arg(from)
                                             .arg(ratio)
                                             .arg(count)
                                             .arg(numbers.join(' '));
                    QVERIFY2(numbers.size() >= std::min(count, 3), qPrintable(told));
                    QVERIFY2(numbers.size() <= 9, qPrintable(told));
                }
            }
        }
    }

    /// 36 pixels are two lines and a half.
    void aLowAxisHasTwoNumbers() {
        for (const QCPRange& range : {QCPRange(1.013, 1.027), QCPRange(-1.2, 1.2), QCPRange(0.96, 1.33)}) {
            QCustomPlot plot;
            QFont font = plot.font();
            font.setPixelSize(10);
            plot.yAxis->setTickLabelFont(font);
            plot.axisRect()->setAutoMargins(QCP::msNone);
            plot.axisRect()->setMargins(QMargins(50, 5, 5, 5));
            plot.resize(300, 46);
            plot.setViewport(plot.rect());
            setLogarithmic(*plot.yAxis, false);
            keepTicksApart(plot);
            plot.yAxis->setRange(range);
            plot.toPixmap(300, 46);
            QVERIFY2(
                plot.yAxis->tickVectorLabels().size() >= 2,
                qPrintable(
                    QStringLiteral("%1: %2").arg(range.lower).arg(plot.yAxis->tickVectorLabels().size())));
        }
    }
};

}  // namespace axis_ticker_test
}  // namespace ks::ui

using ks::ui::axis_ticker_test::AxisTickerTest;
QTEST_MAIN(AxisTickerTest)
#include "tst_axis_ticker.moc"
