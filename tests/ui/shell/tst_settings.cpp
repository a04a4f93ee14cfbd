#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>
#include <QtTest>
#include <filesystem>
#include <fstream>

#include "core/base/threads.h"
#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/appearance.h"
#include "ui/base/number_box.h"
#include "ui/base/palette.h"
#include "ui/shell/help/window_help.h"
#include "ui/shell/session/session_questions.h"
#include "ui/shell/settings/run_settings.h"
#include "ui/shell/settings/settings_dialog.h"

using namespace ks::ui;

/// What the dialog changes applies at once and is kept.
class SettingsTest : public ks::tests::WindowFixture {
    Q_OBJECT
    QString ini() const { return path("test.ini"); }

    static SettingsDialog& dialog(MainWindow& window) {
        window.action("settings")->trigger();
        return *window.help().settings();
    }

  private slots:
    void initTestCase() { ks::tests::generate_xpcs(folder_.filePath("frames.h5"), 20, 61, 71); }
    void init() { QFile::remove(ini()); }
    void cleanupTestCase() { applyAppearance(*qApp, Appearance::light); }

    void theThemeAppliesAtOnce() {
        const auto shown = window();
        SettingsDialog& settings = dialog(*shown);
        QVERIFY(settings.isVisible());
        const int dark = settings.theme().findData("dark");
        settings.theme().setCurrentIndex(dark);
        emit settings.theme().activated(dark);
        QTRY_VERIFY(isDark(shown->palette()));
        QVERIFY(shown->action("theme-dark")->isChecked());
        QCOMPARE(shown->settings().value("theme").toString(), QString("dark"));
        shown->action("theme-light")->trigger();
        QTRY_COMPARE(settings.theme().currentData().toString(), QString("light"));
    }

    void theDialogThatLocatesAFileHasFiltersAndAFolderThatExists() {
        const SessionQuestions questions = dialogQuestions(nullptr);
        QStringList filters;
        QString folder;
        QTimer::singleShot(0, this, [&] {
            auto* const shown = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (!shown) return;
            filters = shown->nameFilters();
            folder = shown->directory().path();
            shown->reject();
        });
        QVERIFY(questions.whereIs(path("gone/deeper/data.h5")).isEmpty());
        QCOMPARE(filters, (QStringList{"H5 files (*.h5)", "All files (*)"}));
        QCOMPARE(QDir(folder).canonicalPath(), QDir(path(QStringLiteral("x")).chopped(2)).canonicalPath());
    }

    void theStartAndTheTourAreKept() {
        {
            const auto shown = window();
            SettingsDialog& settings = dialog(*shown);
            QCOMPARE(settings.session().currentIndex(), static_cast<int>(SessionStart::restore));
            settings.session().setCurrentIndex(1);
            emit settings.session().activated(1);
            QCOMPARE(sessionStart(shown->settings()), SessionStart::ask);
            QVERIFY(settings.tour().isChecked());
            shown->help().offerTour();
            settings.close();
            dialog(*shown);
            QVERIFY(!settings.tour().isChecked());
            settings.tour().setChecked(true);
            QVERIFY(!shown->settings().value(tourSeenKey, true).toBool());
        }
        const auto again = window();
        QCOMPARE(dialog(*again).session().currentIndex(), static_cast<int>(SessionStart::ask));
    }

    void aMemoryLimitReachesTheRuns() {
        const auto shown = window();
        ks::tests::open_data(*shown, folder_.filePath("frames.h5"));
        SettingsDialog& settings = dialog(*shown);
        QCOMPARE(settings.memory().value(), 0.0);
        settings.memory().setValue(0.5);
        QCOMPARE(memoryLimit(shown->settings()).value_or(0), std::uint64_t{500'000'000});
        QSignalSpy added(&shown->queue(), &RunQueue::runAdded);
        shown->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
        QCOMPARE(shown->runs().find(1)->run->request.memory_limit.value_or(0), std::uint64_t{500'000'000});
        settings.close();
        dialog(*shown);
        QCOMPARE(settings.memory().value(), 0.5);
        settings.memory().setValue(0);
        QVERIFY(!memoryLimit(shown->settings()));
        QVERIFY(!shown->settings().contains("memoryLimit"));
    }

    void theLimitOfAKernelIsKeptAndNoneIsAWord() {
        const auto shown = window();
        SettingsDialog& settings = dialog(*shown);
        QCOMPARE(settings.kernelLimit().value(), 10);
        QCOMPARE(kernelLimit(shown->settings()).value(), std::chrono::milliseconds(10'000));
        settings.kernelLimit().setValue(0);
        QCOMPARE(settings.kernelLimit().text(), QString("none"));
        QVERIFY(!kernelLimit(shown->settings()));
        settings.kernelLimit().setValue(90);
        settings.close();
        dialog(*shown);
        QCOMPARE(settings.kernelLimit().value(), 90);
        QCOMPARE(kernelLimit(shown->settings()).value(), std::chrono::milliseconds(90'000));
        for (const char* bad : {"", "long", "-5", "99999"}) {
            shown->settings().setValue("kernelLimit", bad);
            QCOMPARE(kernelLimit(shown->settings()).value(), std::chrono::milliseconds(10'000));
        }
    }

    void tunedValuesAreUsedUnlessTheSettingSaysNo() {
        const auto shown = window();
        ks::tests::open_data(*shown, folder_.filePath("frames.h5"));
        SettingsDialog& settings = dialog(*shown);
        QVERIFY(settings.tuned().isChecked());
        QSignalSpy added(&shown->queue(), &RunQueue::runAdded);
        shown->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 1, 60000);
        QVERIFY(shown->runs().find(1)->run->request.user_tuned);
        settings.tuned().click();
        shown->startRun();
        QTRY_COMPARE_WITH_TIMEOUT(added.count(), 2, 60000);
        QVERIFY(!shown->runs().find(2)->run->request.user_tuned);
        settings.close();
        dialog(*shown);
        QVERIFY(!settings.tuned().isChecked());
    }

    void aDamagedMemoryLimitIsNone() {
        QSettings settings(ini(), QSettings::IniFormat);
        for (const char* bad : {"", "many", "-5", "0"}) {
            settings.setValue("memoryLimit", bad);
            QVERIFY2(!memoryLimit(settings), bad);
        }
    }

    void theDeviceIsThatOfTheWindow() {
        const auto shown = window();
        SettingsDialog& settings = dialog(*shown);
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready() && settings.device().isEnabled(), 60000);
        QCOMPARE(settings.device().count(), shown->devices().count());
        const int last = settings.device().count() - 1;
        settings.device().setCurrentIndex(last);
        emit settings.device().activated(last);
        QCOMPARE(shown->devices().currentIndex(), last);
        QCOMPARE(shown->settings().value("device").toString(), settings.device().itemText(last));
        shown->devices().setCurrentIndex(0);
        QCOMPARE(settings.device().currentIndex(), 0);
    }

    void theKernelCacheIsMeasuredAndCleared() {
        const QByteArray before = qgetenv("KERNELSCOPE_CACHE");
        const std::filesystem::path cache = folder_.filePath("cache").toStdString();
        qputenv("KERNELSCOPE_CACHE", folder_.filePath("cache").toUtf8());
        std::filesystem::create_directories(cache / "programs" / "one");
        std::ofstream(cache / "programs" / "one" / "kernel") << std::string(2000, 'k');
        std::ofstream(cache / "kept") << "not a kernel";
        {
            const auto shown = window();
            SettingsDialog& settings = dialog(*shown);
            QSignalSpy measured(&settings, &SettingsDialog::cacheMeasured);
            QTRY_COMPARE(measured.count(), 1);
            QCOMPARE(settings.cacheSize().text(), QString("2.00 kB"));
            settings.clearCache().click();
            QTRY_COMPARE(measured.count(), 2);
            QCOMPARE(settings.cacheSize().text(), QString("empty"));
            QVERIFY(!settings.clearCache().isEnabled());
        }
        QVERIFY(std::filesystem::exists(cache / "kept"));
        QVERIFY(!std::filesystem::exists(cache / "programs" / "one"));
        if (before.isEmpty())
            qunsetenv("KERNELSCOPE_CACHE");
        else
            qputenv("KERNELSCOPE_CACHE", before);
    }
};

QTEST_MAIN(SettingsTest)
#include "tst_settings.moc"
