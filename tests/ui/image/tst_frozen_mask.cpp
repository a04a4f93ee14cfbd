#include <QtTest>
#include <random>

#include "ui/image/mask/mask_state.h"

using ks::ui::FrozenMask;
using ks::ui::runsOf;

class FrozenMaskTest : public QObject {
    Q_OBJECT
  private slots:
    void runsGiveTheMaskBack() {
        std::mt19937 random(11);
        for (const double share : {0.0, 0.001, 0.1, 0.5, 0.99, 1.0}) {
            std::vector<std::uint8_t> mask(5003);
            for (auto& one : mask)
                one = std::bernoulli_distribution(share)(random) ? std::uint8_t(1 + random() % 255) : 0;
            const ks::Array runs = runsOf(mask);
            QCOMPARE(runs.rank(), std::size_t{2});
            QCOMPARE(runs.shape()[1], std::size_t{2});
            std::vector<std::uint8_t> back(mask.size());
            const auto values = runs.as<std::uint32_t>();
            for (std::size_t i = 0; i < values.size(); i += 2) {
                QVERIFY(values[i + 1] > 0);
                // Runs that touch would be one.
                if (i > 0) QVERIFY(values[i] > values[i - 2] + values[i - 1]);
                for (std::uint32_t k = 0; k < values[i + 1]; ++k) back.at(values[i] + k) = 1;
            }
            for (std::size_t i = 0; i < mask.size(); ++i) QCOMPARE(back[i] != 0, mask[i] != 0);
        }
    }

    void anEditIsSeenOnlyOnceToldAndOldCopiesStay() {
        std::vector<std::uint8_t> mask(100);
        FrozenMask frozen;
        QCOMPARE(frozen.runs(mask).size(), std::size_t{0});
        QVERIFY(!frozen.copy(mask));
        mask[4] = 1;
        frozen.changed();
        const auto before = frozen.copy(mask);
        QVERIFY(before && (*before)[4] == 1);
        mask[5] = 1;
        QCOMPARE(frozen.copy(mask), before);  // nothing is read while nobody edits
        frozen.changed();
        QCOMPARE(frozen.runs(mask).as<std::uint32_t>()[1], std::uint32_t{2});
        QVERIFY(frozen.copy(mask) != before);
        QCOMPARE((*before)[5], std::uint8_t{0});
    }
};

QTEST_GUILESS_MAIN(FrozenMaskTest)
#include "tst_frozen_mask.moc"
