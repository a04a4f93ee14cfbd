#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include "ui/shell/session/page_settings.h"

using namespace ks::ui;

/// What pages keep from one start to the next, in the file of the settings.
class PageSettingsTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString path(const char* leaf) const { return folder_.filePath(leaf); }
    static PageState like() {
        return {{{"on", false},
                 {"tab", 0},
                 {"opacity", 0.5},
                 {"search", ""},
                 {"plan", nlohmann::json::object()},
                 {"hand", nullptr},
                 {"colours/low", 0.0}},
                {}};
    }

  private slots:
    void valuesComeBackWithTheirTypes() {
        const PageState kept{{{"on", true},
                              {"tab", 3},
                              {"opacity", 0.25},
                              {"search", "64"},
                              {"plan", {{"sizes", {1, 2}}}},
                              {"hand", false},
                              {"colours/low", 2.0}},
                             {}};
        {
            QSettings settings(path("new.ini"), QSettings::IniFormat);
            settings.beginGroup("page");
            keepSettings(settings, kept);
        }
        QSettings settings(path("new.ini"), QSettings::IniFormat);
        settings.beginGroup("page");
        QVERIFY(pageSettings(settings, like()) == kept);
        // What is no longer set is not kept.
        keepSettings(settings, like());
        QVERIFY(!settings.contains("hand"));
    }

    void aFileOfAnOlderVersionIsRead() {
        QFile file(path("old.ini"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            "[page]\non=true\ntab=2\nsearch=local mem\n"
            "plan=\"@ByteArray({\\\"sizes\\\":[1,2]})\"\n"
            "hand=true\ncolours\\low=7\nforgotten=1\n");
        file.close();
        QSettings settings(file.fileName(), QSettings::IniFormat);
        settings.beginGroup("page");
        const nlohmann::json read = pageSettings(settings, like()).values;
        const nlohmann::json expected = {
            {"on", true},   {"tab", 2},          {"search", "local mem"}, {"plan", {{"sizes", {1, 2}}}},
            {"hand", true}, {"colours/low", 7.0}};
        QCOMPARE(QString::fromStdString(read.dump()), QString::fromStdString(expected.dump()));
    }

    void whatHasNoMeaningHarmsNothing() {
        QFile file(path("odd.ini"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[page]\non=@Rect(1 2 3 4)\ntab=x\nopacity=wide\nplan={{{\nhand=\n");
        file.close();
        QSettings settings(file.fileName(), QSettings::IniFormat);
        settings.beginGroup("page");
        const nlohmann::json read = pageSettings(settings, like()).values;
        QVERIFY(!read.contains("search"));
        QVERIFY(!read.at("plan").is_object());
    }
};

QTEST_MAIN(PageSettingsTest)
#include "tst_page_settings.moc"
