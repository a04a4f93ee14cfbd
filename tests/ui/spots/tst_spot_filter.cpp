#include <QtTest>
#include <functional>

#include "core/base/error.h"
#include "tests/ui/spots/fake_spots.h"
#include "ui/spots/spot_table.h"

using ks::spots::Dropped;
using ks::spots::Spot;
using ks::tests::fake_spots;
using ks::ui::ColumnFilter;
using ks::ui::spots::SpotTableModel;

namespace {

ColumnFilter parse(const QString& text) {
    return ColumnFilter::parse(text, ks::ui::spots::spotFilterNames());
}

bool accepts(const ColumnFilter& filter, const SpotTableModel& model, int spot) {
    return filter.accepts([&](int column) { return model.range(spot, column); });
}

}  // namespace

class SpotFilterTest : public QObject {
    Q_OBJECT
    static std::string messageOf(const QString& text) {
        try {
            parse(text);
        } catch (const ks::Error& error) {
            return error.message();
        }
        return {};
    }

  private slots:
    void acceptsWhatTheConditionSaysInTheOpen() {
        struct Case {
            const char* text;
            std::function<bool(const Spot&)> holds;
        };
        const Case cases[] = {
            {"", [](const Spot&) { return true; }},
            {"sum > 500, d < 3", [](const Spot& s) { return s.sum > 500 && s.d < 3; }},
            {"SUM>=500;d<=3", [](const Spot& s) { return s.sum >= 500 && s.d <= 3; }},
            {"2 < d < 3 and pixels = 4", [](const Spot& s) { return s.d > 2 && s.d < 3 && s.n_signal == 4; }},
            {"500 <= sum", [](const Spot& s) { return s.sum >= 500; }},
            {"pixels 3..5", [](const Spot& s) { return s.n_signal >= 3 && s.n_signal <= 5; }},
            {"d 1.9..2.5,", [](const Spot& s) { return s.d >= 1.9 && s.d <= 2.5; }},
            {"pixels != 4", [](const Spot& s) { return s.n_signal != 4; }},
            {"var_x < 0.5, y > 1e3", [](const Spot& s) { return s.var_x < 0.5 && s.y > 1000; }},
            {"I/sigma > 5",
             [](const Spot& s) {
                 return (s.sum - double(s.n_signal) * s.background) / std::sqrt(s.sum) > 5;
             }},
            {"too small", [](const Spot& s) { return s.dropped == Dropped::too_small; }},
            {"Ice, sum > 100", [](const Spot& s) { return s.dropped == Dropped::ice && s.sum > 100; }},
            {"frame = 110", [](const Spot& s) { return s.z0 + 100 <= 110 && 110 < s.z1 + 100; }},
            {"frame 110..112", [](const Spot& s) { return s.z0 + 100 <= 112 && 110 < s.z1 + 100; }},
            {"frame > 120", [](const Spot& s) { return s.z1 - 1 + 100 > 120; }},
            {"x -5..100", [](const Spot& s) { return s.x <= 100; }}};
        SpotTableModel model;
        model.setSpots(fake_spots(2000), 100);
        for (const Case& one : cases) {
            const ColumnFilter filter = parse(QString::fromUtf8(one.text));
            int holds = 0;
            for (int spot = 0; spot < 2000; ++spot) {
                const bool expected = one.holds(model.spots()[static_cast<std::size_t>(spot)]);
                QVERIFY2(accepts(filter, model, spot) == expected, one.text);
                holds += expected;
            }
            QVERIFY2(holds > 0, one.text);
        }
    }

    void anUnknownValueMeetsNoCondition() {
        Spot spot;
        SpotTableModel model;
        model.setSpots({spot}, 0);
        for (const char* text : {"d < 3", "d > 3", "d != 3", "background >= 0"})
            QVERIFY2(!accepts(parse(text), model, 0), text);
    }

    void aWrongConditionIsNamed() {
        for (const char* part : {"sum >", "> 5", "sum", "sum > five", "1 < d < 2 < 3", "5 < 6", "sum 3..x",
                                 "..", "sum >> 4", "d < nan"})
            QVERIFY2(messageOf(QStringLiteral("pixels > 3, ") + part).find(part) != std::string::npos ||
                         messageOf(part).find("column") != std::string::npos,
                     part);
        QVERIFY(messageOf("sun > 5").find("\"sun\"") != std::string::npos);
        QVERIFY(messageOf("sun > 5").find("sum") != std::string::npos);
        QVERIFY(messageOf("d < 2,5").empty());  // either decimal mark
        QVERIFY(messageOf("sum > 5").empty());
    }
};

QTEST_APPLESS_MAIN(SpotFilterTest)
#include "tst_spot_filter.moc"
