#include <QAbstractButton>
#include <QApplication>
#include <QDialogButtonBox>
#include <QGroupBox>
#include <QLabel>
#include <QMap>
#include <QTabBar>
#include <QTimer>
#include <QtTest>
#include <functional>

#include "tests/ui/window_fixture.h"
#include "ui/base/save_folders.h"
#include "ui/files/open_dialog.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/export_dialog.h"
#include "ui/runs/device_box.h"
#include "ui/shell/session/session_questions.h"
#include "ui/shell/settings/settings_dialog.h"
#include "ui/shell/trust/trust_questions.h"

using namespace ks::ui;

/// Alt and a letter mean one thing in a dialog.
class DialogKeysTest : public ks::tests::WindowFixture {
    Q_OBJECT

    static QStringList textsOf(const QWidget& one) {
        if (const auto* button = qobject_cast<const QAbstractButton*>(&one)) return {button->text()};
        if (const auto* box = qobject_cast<const QGroupBox*>(&one)) return {box->title()};
        if (const auto* label = qobject_cast<const QLabel*>(&one))
            return label->buddy() ? QStringList(label->text()) : QStringList();
        QStringList texts;
        if (const auto* tabs = qobject_cast<const QTabBar*>(&one))
            for (int i = 0; i < tabs->count(); ++i) texts << tabs->tabText(i);
        return texts;
    }
    /// "&Memory limit and The&me" for each key that two parts have, whether both are visible now or not.
    static QString sharedKeys(const QWidget& dialog) {
        QMap<QKeySequence, QStringList> texts;
        for (const QWidget* one : dialog.findChildren<QWidget*>()) {
            if (one->window() != &dialog) continue;
            for (const QString& text : textsOf(*one))
                if (const QKeySequence key = QKeySequence::mnemonic(text); !key.isEmpty()) texts[key] << text;
        }
        QStringList shared;
        for (const QStringList& of : texts)
            if (of.size() > 1) shared << of.join(" and ");
        // Some desktops give "Cancel" its first letter.
        for (const QDialogButtonBox* box : dialog.findChildren<QDialogButtonBox*>())
            for (QAbstractButton* button : box->buttons()) {
                if (box->standardButton(button) == QDialogButtonBox::NoButton) continue;
                const QString text = button->text();
                const QKeySequence key = QKeySequence::mnemonic(text.contains('&') ? text : '&' + text);
                if (texts.contains(key) && !texts[key].contains(text))
                    shared << texts[key].join(" and ") + " and " + text;
            }
        return shared.join("; ");
    }
    /// Asks, and looks at the dialog that then waits for an answer.
    static void verifyAsked(const char* name, const std::function<void()>& ask) {
        bool seen = false;
        QString shared;
        QTimer look;
        look.setInterval(20);
        connect(&look, &QTimer::timeout, &look, [&] {
            auto* const dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            seen = true;
            shared = sharedKeys(*dialog);
            dialog->reject();
        });
        look.start();
        ask();
        QVERIFY2(seen, name);
        QVERIFY2(shared.isEmpty(), qPrintable(QString("%1: %2").arg(name, shared)));
    }

  private slots:
    void initTestCase() { QApplication::setAttribute(Qt::AA_DontUseNativeDialogs); }

    void sharedKeysAreFound() {
        QDialog dialog;
        QGroupBox box("&One", &dialog);
        QLabel two("tw&o", &dialog), three("Al&so", &dialog);
        two.setBuddy(&box);
        QCOMPARE(sharedKeys(dialog), QString("&One and tw&o"));
    }

    void ofTheSettings() {
        window_ = firstWindow({1280, 800});
        const SettingsDialog settings(*window_);
        QVERIFY(settings.findChildren<QAbstractButton*>().size() > 3);
        QCOMPARE(sharedKeys(settings), QString());
    }

    void ofAnExport() {
        CurvePlot plot;
        plot.setSeries({{"1", 1, "run 7", {1, 10}, {1.4, 1.3}, {}}});
        const ExportDialog dialog({{&plot, {}}, {&plot, {}}}, 0, nullptr);
        QVERIFY(dialog.findChildren<QAbstractButton*>().size() > 3);
        QCOMPARE(sharedKeys(dialog), QString());
    }

    void ofSeveralDevices() {
        DeviceBox box;
        std::vector<ks::DeviceInfo> devices(2);
        devices[0].name = "One";
        devices[1].name = "Two";
        devices[0].type = devices[1].type = "GPU";
        devices[0].backend = devices[1].backend = "opencl";
        devices[0].index = 0;
        devices[1].index = 1;
        box.setDevices(devices, {});
        verifyAsked("devices", [&box] {
            const int several = box.findText("Several devices", Qt::MatchStartsWith);
            box.setCurrentIndex(several);
            emit box.activated(several);
        });
    }

    void ofFiles() {
        verifyAsked("open", [this] { OpenDialog::ask(nullptr, "Open", folder_.path(), {"All files (*)"}); });
        verifyAsked("save", [this] { askSavePath(nullptr, "Save", path("a.csv"), QString("CSV (*.csv)")); });
    }

    void ofQuestions() {
        const SessionQuestions session = dialogQuestions(nullptr);
        QStringList many;
        for (int i = 0; i < 100; ++i) many << QString::number(i);
        verifyAsked("last session", [&] { session.bringBack(); });
        verifyAsked("files outside", [&] { session.readOutside(many); });
        verifyAsked("where", [&] { session.whereIs(path("a.h5")); });
        verifyAsked("lose", [&] { session.lose({"a mask"}); });
        verifyAsked("lose for good", [&] { session.loseForGood({"a mask"}, "no reason"); });
        verifyAsked("save project", [&] { session.saveAs(path("a.ksproj")); });
        verifyAsked("stop", [&] { session.stop({"a run"}); });
        verifyAsked("replace", [&] { session.replaceChanged(path("a.ksproj")); });
        verifyAsked("lose kernels", [&] { session.loseKernels({"mine"}); });
        verifyAsked("save a kernel", [&] { session.saveKernelAs(path("mine.cl")); });
        const TrustQuestions trust = trustDialogs(nullptr);
        verifyAsked("code", [&] { trust.compile("a.h5", "seed.add", "kernel void f() {}"); });
        verifyAsked("elsewhere", [&] { trust.follow({{path("a.h5").toStdString(), "/data/b.h5"}}); });
    }
};

QTEST_MAIN(DialogKeysTest)
#include "tst_dialog_keys.moc"
