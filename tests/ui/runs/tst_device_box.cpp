#include <QDialog>
#include <QListWidget>
#include <QTimer>
#include <QtTest>
#include <algorithm>

#include "ui/runs/device_box.h"
#include "ui/runs/device_titles.h"

namespace ks::ui {
namespace device_box_test {

DeviceInfo device(int index, const char* name, const char* type) {
    DeviceInfo info;
    info.index = index;
    info.name = name;
    info.type = type;
    info.backend = info.type == "host" ? "host" : "opencl";
    return info;
}

const std::vector<DeviceInfo> one{device(0, "Processor", "CPU"), device(-1, "Processor", "host")};
const std::vector<DeviceInfo> many{device(0, "Graphics", "GPU"), device(1, "Graphics", "GPU"),
                                   device(2, "Processor", "CPU"), device(-1, "Processor", "host")};

class DeviceBoxTest : public QObject {
    Q_OBJECT

  private slots:
    void withOneDeviceThereIsNothingToShare() {
        DeviceBox box;
        box.setDevices(one, {});
        QCOMPARE(box.count(), 2);
        QCOMPARE(box.requested(), std::string("0"));
        QCOMPARE(box.positions(), std::vector<std::size_t>{0});
    }

    void severalAreOfferedBeforeTheHost() {
        DeviceBox box;
        box.setDevices(many, {});
        QCOMPARE(box.itemText(3), QStringLiteral("All 2 GPUs"));
        QCOMPARE(box.itemText(4), QStringLiteral("All 3 devices"));
        QCOMPARE(box.itemData(box.count() - 1).toString(), QStringLiteral("host"));
        box.setCurrentIndex(3);
        QCOMPARE(box.requested(), std::string("gpu"));
        QCOMPARE(box.positions(), (std::vector<std::size_t>{0, 1}));
        box.setCurrentIndex(4);
        QCOMPARE(box.requested(), std::string("all"));
        QCOMPARE(box.positions(), (std::vector<std::size_t>{0, 1, 2}));
    }

    void devicesOfOneTitleAreToldApartAndComeBack() {
        DeviceBox box;
        box.setDevices(many, {});
        QCOMPARE(box.itemText(0), QStringLiteral("0: Graphics"));
        QCOMPARE(box.itemText(1), QStringLiteral("1: Graphics"));
        // The host may have the name of a device.
        QCOMPARE(box.itemText(2), QStringLiteral("2: Processor"));
        QVERIFY(box.choose(QStringLiteral("1: Graphics")));
        QCOMPARE(box.requested(), std::string("1"));
        DeviceBox later;
        later.setDevices(many, box.currentText());
        QCOMPARE(later.requested(), std::string("1"));
        // A title that was kept when the machine had one of them.
        later.setDevices(many, QStringLiteral("Graphics"));
        QCOMPARE(later.requested(), std::string("0"));
        QCOMPARE(box.addSeveral("0,1,2"), QStringLiteral("0 + 1 + 2: 2 \u00d7 Graphics, Processor"));
    }

    void allComeBackHoweverManyThereAreNow() {
        DeviceBox box;
        box.setDevices(many, QStringLiteral("All 8 GPUs"));
        QCOMPARE(box.requested(), std::string("gpu"));
        QCOMPARE(box.currentText(), QStringLiteral("All 2 GPUs"));
        box.setDevices(many, QStringLiteral("All 9 devices"));
        QCOMPARE(box.requested(), std::string("all"));
        // Where nothing can be shared the standard one is chosen.
        box.setDevices(one, QStringLiteral("All 8 GPUs"));
        QCOMPARE(box.requested(), std::string("0"));
    }

    void titlesOfListsFindTheirDevices() {
        QCOMPARE(deviceNames(many),
                 (QStringList{"0: Graphics", "1: Graphics", "2: Processor", "host: Processor"}));
        // What is there once needs no number.
        QCOMPARE(deviceTitles({many[0], many[2]}), (QStringList{"Graphics", "Processor"}));
        QCOMPARE(titleAmong(many, many[1]), QStringLiteral("1: Graphics"));
        QCOMPARE(titleAmong(one, many[1]), QStringLiteral("Graphics"));  // not in that list
        QCOMPARE(deviceOfTitle(many, QStringLiteral("1: Graphics")), std::optional<std::size_t>(1));
        QCOMPARE(deviceOfTitle(one, QStringLiteral("1: Graphics")), std::optional<std::size_t>());
    }

    void theDialogShowsTitlesWhole() {
        std::vector<DeviceInfo> devices = many;
        devices[2].name = std::string(60, 'n');
        DeviceBox box;
        box.setDevices(devices, {});
        int room = 0, needed = 0, rows = 0;
        QTimer::singleShot(0, &box, [&] {
            auto* dialog = box.findChild<QDialog*>();
            auto* list = dialog->findChild<QListWidget*>();
            room = list->viewport()->width();
            needed = list->fontMetrics().horizontalAdvance(list->item(2)->text());
            rows = list->viewport()->height() / std::max(1, list->visualItemRect(list->item(0)).height());
            dialog->reject();
        });
        box.setCurrentIndex(box.findData(QStringLiteral("?")));
        QVERIFY2(room > needed, qPrintable(QStringLiteral("%1 of %2").arg(room).arg(needed)));
        QVERIFY(rows >= 3);
    }

    void thoseThatWereTickedComeBackByTheirTitle() {
        QString title;
        {
            DeviceBox box;
            box.setDevices(many, {});
            title = box.addSeveral("0,2");
            QVERIFY(box.choose(title));
            QCOMPARE(box.requested(), std::string("0,2"));
        }
        DeviceBox later;
        later.setDevices(many, title);
        QCOMPARE(later.requested(), std::string("0,2"));
        QCOMPARE(later.currentText(), title);
        // On a machine that does not have them the default is chosen.
        DeviceBox elsewhere;
        elsewhere.setDevices(one, title);
        QCOMPARE(elsewhere.requested(), std::string("0"));
    }

    void tickingChoosesAndTheDialogMayBeLeft() {
        DeviceBox box;
        box.setDevices(many, {});
        const int several = box.findData(QStringLiteral("?"));
        const auto answer = [&box](const QList<int>& rows, bool accept) {
            QTimer::singleShot(0, &box, [&box, rows, accept] {
                auto* dialog = box.findChild<QDialog*>();
                auto* list = dialog->findChild<QListWidget*>();
                for (int i = 0; i < list->count(); ++i)
                    list->item(i)->setCheckState(rows.contains(i) ? Qt::Checked : Qt::Unchecked);
                accept ? dialog->accept() : dialog->reject();
            });
        };
        answer({1, 2}, true);
        box.setCurrentIndex(several);
        QCOMPARE(box.requested(), std::string("1,2"));
        answer({0}, false);
        box.setCurrentIndex(box.findData(QStringLiteral("?")));
        QCOMPARE(box.requested(), std::string("1,2"));
        answer({2}, true);
        box.setCurrentIndex(box.findData(QStringLiteral("?")));
        QCOMPARE(box.requested(), std::string("2"));
    }
};

}  // namespace device_box_test
}  // namespace ks::ui

using ks::ui::device_box_test::DeviceBoxTest;
QTEST_MAIN(DeviceBoxTest)
#include "tst_device_box.moc"
