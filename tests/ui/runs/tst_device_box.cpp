#include <QDialog>
#include <QListWidget>
#include <QTimer>
#include <QtTest>

#include "ui/runs/device_box.h"

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
