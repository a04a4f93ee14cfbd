#include <QtTest>
#include <cmath>
#include <limits>
#include <random>

#include "core/data/missing_value.h"
#include "ui/base/csv_field.h"

using namespace ks::ui;

/// Fields of CSV files.
class CsvFieldTest : public QObject {
    Q_OBJECT
  private slots:
    void numbersHaveTheShortestTextThatIsRight() {
        QCOMPARE(csvNumber(0.1), std::string("0.1"));
        QCOMPARE(csvNumber(100000), std::string("100000"));
        QCOMPARE(csvNumber(-2), std::string("-2"));
        QCOMPARE(csvNumber(1e-5), std::string("1e-05"));
        QCOMPARE(csvNumber(1.0 / 3), std::string("0.3333333333333333"));
        QCOMPARE(csvNumber(std::nan("")), std::string("nan"));
        QCOMPARE(csvNumber(std::numeric_limits<double>::infinity()), std::string("inf"));
        QCOMPARE(csvNumber(ks::missing_value), std::string());
    }

    void delaysAreMultiplesOfTheFrameTime() {
        // 9 * 0.001 is 0.009000000000000001.
        for (int k = 1; k < 2000; ++k) {
            const std::string text = csvNumber(k * 0.001);
            QVERIFY2(text.size() <= 5, text.c_str());
            QCOMPARE(std::llround(std::stod(text) * 1000), static_cast<long long>(k));
        }
        QCOMPARE(csvNumber(3 * 0.1), std::string("0.3"));
        QCOMPARE(csvNumber(7 * 1.7e-5), std::string("0.000119"));
    }

    void otherNumbersAreReadBackAsTheyAre() {
        std::mt19937_64 random(7);
        std::uniform_real_distribution<double> size(-300, 300), sign(-1, 1);
        int same = 0;
        for (int i = 0; i < 20000; ++i) {
            const double value = sign(random) * std::pow(10.0, size(random)),
                         read = std::stod(csvNumber(value));
            QVERIFY2(std::abs(read - value) <= 4.5e-16 * std::abs(value), csvNumber(value).c_str());
            same += read == value ? 1 : 0;
        }
        QVERIFY2(same >= 19990, qPrintable(QString::number(same)));
    }
};

QTEST_APPLESS_MAIN(CsvFieldTest)
#include "tst_csv_field.moc"
