#include <qcustomplot.h>

#include <QAbstractButton>
#include <QComboBox>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QScopeGuard>
#include <QTabWidget>
#include <algorithm>
#include <functional>
#include <utility>

#include "core/record/project_file.h"
#include "tests/full_disk/file_size_limit.h"
#include "tests/ui/child.h"
#include "tests/ui/shell/session_window.h"
#include "ui/base/tables/filtered_table.h"
#include "ui/kernels/kernel_drafts.h"
#include "ui/kernels/kernel_editor.h"
#include "ui/kernels/kernel_panel.h"
#include "ui/kernels/user_kernels.h"
#include "ui/particles/map_form.h"
#include "ui/plots/curve_figure.h"
#include "ui/plots/curve_plot.h"
#include "ui/plots/plot_view.h"
#include "ui/runs/variant_picker.h"
#include "ui/shell/bars/notice_bar.h"
#include "ui/shell/general/sweep_panel.h"
#include "ui/shell/kernel_window.h"
#include "ui/shell/session/session_document.h"
#include "ui/xpcs/fit/fit_form.h"
#include "ui/xpcs/fit/tau_panel.h"

using ks::ui::MainWindow;
using ks::ui::SessionDocument;
using ks::ui::WindowSession;

namespace ks::tests {
namespace {

// Fields of a session as texts that can be compared and shown.

QString shown(const std::string& text) {
    return QString::fromStdString(text);
}
QString shown(bool value) {
    return value ? "true" : "false";
}
QString shown(int value) {
    return QString::number(value);
}
QString shown(const QStringList& list) {
    return list.join(',');
}
QString shown(const ParameterSet& set) {
    return shown(to_json(set).dump());
}
QString shown(const std::map<std::string, std::string>& texts) {
    QString all;
    for (const auto& [name, text] : texts) all += shown(name) + '=' + shown(text) + ';';
    return all;
}
QString shown(const std::map<std::string, ui::PlotRanges>& views) {
    QString all;
    for (const auto& [plot, at] : views)
        all += QString("%1 %2 %3 %4 %5;")
                   .arg(shown(plot))
                   .arg(at.xLower)
                   .arg(at.xUpper)
                   .arg(at.yLower)
                   .arg(at.yUpper);
    return all;
}
QString shown(const ui::PageState& state) {
    QString all = shown(state.values.dump());
    for (const auto& [role, name] : state.files) all += ' ' + shown(role) + '=' + shown(name);
    return all;
}
QString shown(const ui::Masks& masks) {
    QString all;
    for (const auto& [place, mask] : masks) {
        all += QString("%1 %2x%3 %4 %5:")
                   .arg(shown(ui::dataOf(place)))
                   .arg(mask.height)
                   .arg(mask.width)
                   .arg(mask.binCount)
                   .arg(mask.ofFile);
        for (const Array* runs : {&mask.mask, &mask.bins})
            for (const std::uint32_t one : runs->as<std::uint32_t>()) all += QString(" %1").arg(one);
    }
    return all;
}
/// Filters, order and columns of tables.
QString shown(const nlohmann::json& tables) {
    return QString::fromStdString(tables.dump());
}
QString shown(const std::map<std::string, nlohmann::json>& geometries) {
    QString all;
    for (const auto& [name, kept] : geometries) all += shown(name) + shown(kept.dump());
    return all;
}
/// Not their files, which may have other names in another folder.
QString shown(const std::vector<ui::KeptRun>& runs) {
    QString all;
    for (const ui::KeptRun& run : runs) all += QString("%1%2 ").arg(run.number).arg(run.ticked ? "+" : "-");
    return all;
}
QString shown(const std::optional<FileRecord>& file) {
    return file ? QString("%1 %2").arg(shown(file->file), shown(file->hash)) : QString();
}
QString shown(const ui::LeftFiles& left) {
    QStringList all;
    for (const auto& one : left.all())
        all << shown(one.page) + ' ' + shown(one.file) + ' ' + shown(one.state);
    all.sort();
    return all.join('\n');
}

QString shown(const ui::RefusedFiles& refused) {
    QString all;
    for (const std::string& file : refused.files) all += shown(file) + ' ';
    if (!refused.whole) return all;
    const SessionDocument& whole = refused.whole->document;
    return all + shown(whole.dataName()) + shown(whole.geometries) + shown(whole.masks) + shown(whole.work) +
           shown(whole.pages.at("xpcs").state);
}

/// By field; of the page of photon correlation its fields stand beside those of the document.
QMap<QString, QString> fieldsOf(const SessionDocument& document) {
    QMap<QString, QString> all;
    ui::eachField(document, [&all]<class T>(const char* name, const T& field) {
        if constexpr (!std::is_same_v<T, std::map<std::string, ui::KeptPage>>) all[name] = shown(field);
    });
    ui::eachField(document.pages.at("xpcs"), [&all](const char* name, const auto& field) {
        all[QStringLiteral("page.") + QLatin1String(name)] = shown(field);
    });
    return all;
}

void copyFolder(const QString& from, const QString& to) {
    QVERIFY(QDir().mkpath(to));
    for (const QFileInfo& one : QDir(from).entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QString target = QDir(to).filePath(one.fileName());
        if (one.isDir())
            copyFolder(one.filePath(), target);
        else if (one.fileName() != "lock")
            QVERIFY(QFile::copy(one.filePath(), target));
    }
}

}  // namespace

/// Whatever is done on whatever file comes back, however the window ended, or is asked about.
class NothingLostTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;
    int count_ = 0;

    QString path(const QString& leaf) const { return folder_->filePath(leaf); }
    std::unique_ptr<MainWindow> window() {
        return session_window(path(QStringLiteral("%1.ini").arg(++count_)));
    }
    static void bringBack(MainWindow& window, const QString& sessions) {
        QSignalSpy back(&window.kept(), &WindowSession::broughtBack);
        window.kept().begin(sessions, WindowSession::Begin::bySetting);
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(window.worker().ready(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(window.jobs().running() == 0, 30000);
    }
    static void kept(MainWindow& window) {
        QTRY_VERIFY_WITH_TIMEOUT(window.jobs().running() == 0, 30000);
        QSignalSpy written(&window.kept(), &WindowSession::written);
        window.parameters().setValue(QStringLiteral("max_delay"), std::int64_t{8});
        QTRY_VERIFY_WITH_TIMEOUT(written.count() > 0, 20000);
    }
    static void draw(MainWindow& window, std::size_t rows) {
        ui::RegionEditor& editor = xpcs_page(window).imagePanel().editor();
        QTRY_VERIFY_WITH_TIMEOUT(editor.frame(), 30000);
        editor.apply(
            rectangle_region(editor.height(), editor.width(), {2, 3}, {9, 3 + static_cast<double>(rows)}),
            true, "Box");
    }
    static std::size_t masked(MainWindow& window) {
        return xpcs_page(window).imagePanel().editor().pixels(0);
    }

    /// A project with data outside of its folder, and work on them.
    void makeProjectOfDataOutside(bool work) {
        QVERIFY(QDir().mkpath(path("apart")));
        QVERIFY(QFile::copy(path("a.h5"), path("c.h5")));
        const auto shown = window();
        open_data(*shown, path("c.h5"));
        if (work) work_in(*shown);
        QSignalSpy saved(&shown->kept().project(), &ui::WindowProject::saved);
        shown->kept().project().save(path("apart/c.ksproj"), true);
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000);
    }
    void openWithoutDataOutside(MainWindow& window) {
        window.kept().questions().readOutside = [](const QStringList&) { return false; };
        QSignalSpy back(&window.kept(), &WindowSession::broughtBack);
        window.open(path("apart/c.ksproj"));
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
    }

    /// The field "Sizes" of the visible page; null: there is none.
    static QLineEdit* sizesIn(MainWindow& window) {
        auto& panel = child<ui::SweepPanel>(*window.page());
        for (auto* field : panel.findChildren<QLineEdit*>())
            // Others are about to be deleted, or parts of a spin box.
            if (field->isVisibleTo(&panel) && !field->accessibleName().isEmpty()) return field;
        return nullptr;
    }

    /// Does all that a session keeps, one kind after another; each must be seen in the document.
    void doAll(MainWindow& window, bool diskIsFull) {
        const QMap<QString, QString> plain = fieldsOf(window.kept().document());
        const QString object =
            QString::fromStdString(ui::openFile(path("a.h5")).frames->name()).section("::", 1);
        ui::xpcs::XpcsPage* page = nullptr;
        const std::vector<std::pair<QStringList, std::function<void()>>> kinds{
            {{"refused"}, [&] { openWithoutDataOutside(window); }},
            {{"left"},
             [&] {
                 open_data(window, path("b.h5"));
                 page = &xpcs_page(window);
                 draw(window, 11);
                 work_in(window);
                 open_data(window, path("a.h5") + "::" + object);
             }},
            {{"file", "given", "object"}, [] {}},
            {{"geometries", "masks", "page.state", "page.parameters", "work"}, [&] { work_in(window); }},
            {{"page.state"},
             [&] {
                 auto& model = *page->fitForm().findChild<QComboBox*>("fitModel");
                 model.setCurrentIndex(model.findData("stretched"));
                 page->fitForm().toggle({3, 2});
                 page->tau().setShown(ui::xpcs::TauPanel::GammaOfSquare);
             }},
            {{"page.variant"}, [&] { window.variants().setVariant("host.reference"); }},
            {{"runs", "lastRun"}, [&] { run_in(window); }},
            {{"tables"},
             [&] {
                 for (ui::FilteredTable* table : window.findChildren<ui::FilteredTable*>())
                     if (table->leaf() == "spots") table->setFilterText("sum > 5");
             }},
            {{"page.views"},
             [&] {
                 QCustomPlot& plot = *page->curves().findChild<QCustomPlot*>();
                 plot.xAxis->setRange(2, 5);
                 plot.yAxis->setRange(0.5, 1.75);
             }},
            {{"page.raised"},
             [&] {
                 for (auto* tabs : page->drawer().findChildren<QTabWidget*>())
                     for (int tab = 0; tab < tabs->count(); ++tab)
                         if (tabs->tabText(tab) == "Two-time") tabs->setCurrentIndex(tab);
             }},
            {{"device"}, [&] { window.devices().setCurrentIndex(window.devices().count() - 1); }},
            {{"page.drawerOpen"}, [&] { page->setDrawerOpen(false); }},
            {{"page"}, [&] { QVERIFY(window.setPage("spots")); }},
            {{"project"},
             [&] {
                 if (diskIsFull) return;
                 QTRY_VERIFY_WITH_TIMEOUT(window.jobs().running() == 0 && !window.queue().busy(), 60000);
                 QSignalSpy saved(&window.kept().project(), &ui::WindowProject::saved);
                 window.kept().project().save(path("p.ksproj"), true);
                 QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000);
             }},
        };
        QStringList rows;
        for (const auto& [fields, act] : kinds) {
            act();
            rows += fields;
        }
        QTRY_VERIFY_WITH_TIMEOUT(window.jobs().running() == 0 && !window.queue().busy(), 60000);
        // A run is in the document once it is in a file.
        if (!diskIsFull) QTRY_VERIFY_WITH_TIMEOUT(!window.kept().document().runs.empty(), 20000);
        const QMap<QString, QString> now = fieldsOf(window.kept().document());
        for (auto one = now.begin(); one != now.end(); ++one) {
            QVERIFY2(rows.contains(one.key()), qPrintable("no row does anything to the field " + one.key()));
            // One device there may be.
            if (one.key() != "device" && !(diskIsFull && (one.key() == "runs" || one.key() == "project")))
                QVERIFY2(plain.value(one.key()) != *one,
                         qPrintable(one.key() + " is as at the start: " + *one));
        }
    }
    static void compare(const QMap<QString, QString>& now, const QMap<QString, QString>& before) {
        for (auto one = before.begin(); one != before.end(); ++one)
            QVERIFY2(now.value(one.key()) == *one,
                     qPrintable(one.key() + "\n  before: " + *one + "\n  now:    " + now.value(one.key())));
    }

  private slots:
    void initTestCase() { qputenv("KERNELSCOPE_CLI", KERNELSCOPE_CLI); }
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        generate_xpcs(path("a.h5"), 20, 61, 71);
        generate_xpcs(path("b.h5"), 20, 61, 71);
    }

    void allKindsOfWorkComeBack_data() {
        QTest::addColumn<QString>("end");
        for (const char* end : {"quit", "killed", "second window", "disk was full"})
            QTest::newRow(end) << QString(end);
    }
    void allKindsOfWorkComeBack() {
        QFETCH(QString, end);
        const QString sessions = path("sessions"), left = path("left");
        QMap<QString, QString> before;
        makeProjectOfDataOutside(true);
        if (QTest::currentTestFailed()) return;
        {
            const auto first = window();
            if (end == "second window") first->kept().begin(sessions, WindowSession::Begin::bySetting);
            const auto shown = window();
            shown->kept().begin(sessions, WindowSession::Begin::bySetting);
            QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
            {
                std::optional<FileSizeLimit> full;
                if (end == "disk was full") full.emplace(64);
                doAll(*shown, full.has_value());
                if (QTest::currentTestFailed()) return;
                if (full) {
                    QTRY_VERIFY_WITH_TIMEOUT(shown->notices().ids().contains("keeping"), 20000);
                    QVERIFY(shown->notices().text("keeping").contains("could not be written"));
                    QStringList asked;
                    shown->kept().questions().lose = [&](const QStringList& work) {
                        return asked = work, ui::WorkAnswer::stay;
                    };
                    QVERIFY(!shown->close());
                    const QString all = asked.join(' ');
                    for (const char* part : {"mask of a.h5", "mask of b.h5", "geometry of a.h5", "bins",
                                             "1 run", "1 other file"})
                        QVERIFY2(all.contains(part), qPrintable(all));
                }
            }
            if (end == "disk was full")  // it has room again
                QTRY_VERIFY_WITH_TIMEOUT(!shown->notices().ids().contains("keeping"), 30000);
            before = fieldsOf(shown->kept().document());
            if (end == "killed") {
                // What stands in the files of a window that lives is what a kill leaves.
                QTest::qWait(2 * WindowSession::keepEveryMs + 500);
                before = fieldsOf(shown->kept().document());
                copyFolder(sessions, left);
            }
            QVERIFY(shown->close());
            if (end == "second window") QVERIFY(first->close());
        }
        const auto shown = window();
        if (end == "second window") {
            bringBack(*shown, sessions);  // that of the first window, which is empty
            QTRY_COMPARE_WITH_TIMEOUT(shown->notices().ids().size(), 1, 20000);
            QSignalSpy back(&shown->kept(), &WindowSession::broughtBack);
            QVERIFY(shown->notices().act(shown->notices().ids().front(), "Open"));
            QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
            QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready() && shown->jobs().running() == 0, 60000);
        } else {
            bringBack(*shown, end == "killed" ? left : sessions);
        }
        if (QTest::currentTestFailed()) return;
        compare(fieldsOf(shown->kept().document()), before);
        // What was done on the other file is there with it.
        QVERIFY(shown->setPage("xpcs"));
        open_data(*shown, path("b.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(masked(*shown), std::size_t{7 * 11 + 17 * 5 - 6 * 5}, 30000);
        QVERIFY(!xpcs_page(*shown).bins().labelsOff().empty());
        QCOMPARE(xpcs_page(*shown).imagePanel().geometry().beam_x, 30.25);
    }

    // One kind of state after another, each alone in a window.
    void whatDiffersFromAnEmptyWindowIsWork_data() {
        using Act = std::function<void(MainWindow&)>;
        QTest::addColumn<Act>("act");
        QTest::addColumn<bool>("isWork");
        QStringList fields;
        const auto row = [&fields](const QString& covered, bool isWork, Act act) {
            fields += covered.section(':', 0, 0).split(' ');
            QTest::newRow(qPrintable(covered)) << std::move(act) << isWork;
        };
        const auto onData = [this](Act act) {
            return [this, act = std::move(act)](MainWindow& window) {
                open_data(window, path("a.h5"));
                act(window);
            };
        };
        const auto type = [](QWidget* field, const char* text) {
            QVERIFY(field);
            QTest::mouseClick(field, Qt::LeftButton);
            QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
            QTest::keyClicks(field, text);
            QTest::keyClick(field, Qt::Key_Return);
        };
        const auto sizes = [type](MainWindow& window) {
            QVERIFY(window.setPage("vector_add"));
            type(sizesIn(window), "1000, 2000");
        };
        // What is only looked at.
        row("device lastRun: nothing", false, [](MainWindow&) {});
        row("file given object", false, onData([](MainWindow&) {}));
        row("page", false, [](MainWindow& window) { QVERIFY(window.setPage("matmul")); });
        row("project", false, [this](MainWindow& window) {
            QSignalSpy saved(&window.kept().project(), &ui::WindowProject::saved);
            window.kept().project().save(path("p.ksproj"), true);
            QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 60000);
        });
        row("refused", false, [this](MainWindow& window) {
            makeProjectOfDataOutside(false);
            openWithoutDataOutside(window);
        });
        row("raised drawerOpen", false, [](MainWindow& window) { window.page()->setDrawerOpen(false); });
        row("views", false, onData([](MainWindow& window) {
                xpcs_page(window).curves().findChild<QCustomPlot*>()->xAxis->setRange(2, 5);
            }));
        row("state: frame", false,
            onData([](MainWindow& window) { xpcs_page(window).imagePanel().slider().setFrame(7); }));
        // What somebody made.
        row("pages parameters work: typed number", true, [type](MainWindow& window) {
            QVERIFY(window.setPage("matmul"));
            type(window.parameters().field("size"), "300");
        });
        row("parameters: expression", true, [type](MainWindow& window) {
            QVERIFY(window.setPage("expression"));
            type(window.parameters().field("map_expression"), "x[i] * x[i]");
        });
        row("variant", true, [](MainWindow& window) {
            QVERIFY(window.setPage("matmul"));
            QTest::mouseClick(window.variants().findChild<QAbstractButton*>("host.reference"),
                              Qt::LeftButton);
        });
        row("state: typed sizes", true, sizes);
        row("state: measurement of sizes", true, [sizes](MainWindow& window) {
            sizes(window);
            auto& panel = child<ui::SweepPanel>(*window.page());
            QTest::mouseClick(&panel.measure(), Qt::LeftButton);
            QVERIFY(panel.running());
            QTRY_VERIFY_WITH_TIMEOUT(!panel.running() && !window.queue().busy(), 120000);
        });
        row("state: rings", true, onData([](MainWindow& window) {
                ui::xpcs::PartitionChoice rings = xpcs_page(window).partitionForm().choice();
                rings.recipe.radial = linear_levels(4, 25, 3);
                xpcs_page(window).partitionForm().setChoice(rings);
            }));
        row("state: colour limits of maps", true, [type](MainWindow& window) {
            QVERIFY(window.setPage("particles"));
            auto& form = child<ui::particles::MapForm>(*window.page()->inputWidget());
            type(form.findChild<QWidget*>("low"), "0.5");
            type(form.findChild<QWidget*>("high"), "2");
            QVERIFY(form.limits());
        });
        row("tables", true, [](MainWindow& window) {
            for (ui::FilteredTable* table : window.findChildren<ui::FilteredTable*>())
                if (table->leaf() == "spots") table->setFilterText("sum > 5");
        });
        row("masks", true, onData([](MainWindow& window) { draw(window, 4); }));
        row("geometries", true, onData([](MainWindow& window) {
                Geometry where = xpcs_page(window).imagePanel().geometry();
                where.beam_x = 12.5;
                xpcs_page(window).imagePanel().geometryForm().session().setGeometry(where, true);
            }));
        row("left", true, onData([this](MainWindow& window) {
                draw(window, 4);
                open_data(window, path("b.h5"));
            }));
        row("runs", true, [](MainWindow& window) {
            QVERIFY(window.setPage("vector_add"));
            run_in(window);
        });
        const auto covered = [&fields](const char* name, const auto&) {
            QVERIFY2(fields.contains(name), qPrintable(QStringLiteral("no row changes ") + name));
        };
        ui::eachField(SessionDocument(), covered);
        ui::eachField(ui::KeptPage(), covered);
    }
    void whatDiffersFromAnEmptyWindowIsWork() {
        using Act = std::function<void(MainWindow&)>;
        QFETCH(Act, act);
        QFETCH(bool, isWork);
        const auto noticeOf = [this](MainWindow& window) {
            QSignalSpy looked(&window.kept().others(), &ui::OtherSessions::changed);
            window.kept().begin(path("sessions"), WindowSession::Begin::empty);
            [&] { QTRY_VERIFY_WITH_TIMEOUT(looked.count() > 0, 20000); }();
            return window.notices().text("other sessions");
        };
        auto shown = window();
        QCOMPARE(noticeOf(*shown), QString());
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        act(*shown);
        if (QTest::currentTestFailed()) return;
        QTRY_VERIFY_WITH_TIMEOUT(shown->jobs().running() == 0, 30000);
        {
            // The disk is full.
            int asked = 0;
            shown->kept().questions().lose = [&](const QStringList&) {
                return ++asked, ui::WorkAnswer::stay;
            };
            const FileSizeLimit full(64);
            QCOMPARE(shown->close(), !isWork);
            QCOMPARE(asked, isWork ? 1 : 0);
        }
        if (!isWork) shown->show();
        // Another session, a project or a new window takes its place.
        const bool isListed = isWork || shown->file();
        QVERIFY(shown->close());
        shown.reset();
        const auto next = window();
        QCOMPARE(noticeOf(*next).isEmpty(), !isWork);
        QCOMPARE(next->kept().others().all().size(), std::size_t{isListed ? 1U : 0U});
        if (!isWork) return;
        QSignalSpy back(&next->kept(), &WindowSession::broughtBack);
        QVERIFY(next->notices().act("other sessions", "Open"));
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QVERIFY(next->kept().document().holdsWork());
    }

    // A saved run can be fitted without its data, and parameters can be set before a file is opened.
    void whatWasSetWithoutDataComesBackAndServesTheFirstFile() {
        const auto fits = [](MainWindow& window) -> QComboBox& {
            return *xpcs_page(window).fitForm().findChild<QComboBox*>("fitModel");
        };
        const QString sessions = path("sessions");
        for (const char* model : {"stretched", "single"}) {
            const auto shown = window();
            const bool isFirst = model == QString("stretched");
            if (isFirst)
                shown->kept().begin(sessions, WindowSession::Begin::bySetting);
            else
                bringBack(*shown, sessions);
            if (QTest::currentTestFailed()) return;
            QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
            QVERIFY(shown->setPage("xpcs"));
            if (!isFirst) QCOMPARE(fits(*shown).currentData().toString(), QString("stretched"));
            QVERIFY2(fits(*shown).findData(model) > 0, model);
            fits(*shown).setCurrentIndex(fits(*shown).findData(model));
            shown->parameters().setValue(QStringLiteral("max_delay"), std::int64_t{5});
            QVERIFY(shown->kept().document().holdsWork());
            QVERIFY(shown->close());
        }
        const auto shown = window();
        bringBack(*shown, sessions);
        if (QTest::currentTestFailed()) return;
        QVERIFY2(fits(*shown).currentData().toString() == "single", "changed after the first restore");
        open_data(*shown, path("a.h5"));
        QCOMPARE(fits(*shown).currentData().toString(), QString("single"));
        QCOMPARE(std::get<std::int64_t>(shown->parameters().values().at("max_delay")), std::int64_t{5});
        QVERIFY(shown->kept().document().left.all().empty());
    }

    // The page of the fit holds another file than the one that is open on the visible page.
    void fitsComeBackFromBehindAnotherPage() {
        const auto fits = [](MainWindow& window) -> QComboBox& {
            return *xpcs_page(window).fitForm().findChild<QComboBox*>("fitModel");
        };
        const QString sessions = path("sessions");
        for (const bool isFirst : {true, false}) {
            const auto shown = window();
            if (isFirst)
                shown->kept().begin(sessions, WindowSession::Begin::bySetting);
            else
                bringBack(*shown, sessions);
            if (QTest::currentTestFailed()) return;
            QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
            if (isFirst) {
                QVERIFY(shown->setPage("xpcs"));
                open_data(*shown, path("a.h5"));
                fits(*shown).setCurrentIndex(fits(*shown).findData("stretched"));
                xpcs_page(*shown).tau().setShown(ui::xpcs::TauPanel::GammaOfSquare);
                QVERIFY(shown->setPage("spots"));
                open_data(*shown, path("b.h5"));
                QVERIFY(shown->close());
                continue;
            }
            QCOMPARE(shown->page()->id(), QString("spots"));
            QVERIFY(shown->kept().document().pages.at("xpcs").state.isWithoutFile());
            QVERIFY(shown->setPage("xpcs"));
            QTRY_COMPARE_WITH_TIMEOUT(fits(*shown).currentData().toString(), QString("stretched"), 10000);
            QCOMPARE(xpcs_page(*shown).tau().shown(), ui::xpcs::TauPanel::GammaOfSquare);
            QVERIFY(shown->close());
        }
    }

    // A project takes the place of work that no file contains.
    void aMeasurementIsPutAsideForAProject() {
        const auto shown = window();
        shown->kept().begin(path("sessions"), WindowSession::Begin::empty);
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        QSignalSpy saved(&shown->kept().project(), &WindowProject::saved);
        shown->kept().project().save(path("p.ksproj"), true);
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 30000);
        shown->kept().project().clear();
        QVERIFY(shown->setPage("vector_add"));
        QVERIFY(sizesIn(*shown));
        QTest::keyClicks(sizesIn(*shown), ", 77");
        QSignalSpy back(&shown->kept(), &WindowSession::broughtBack);
        shown->open(path("p.ksproj"));
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(!shown->notices().text("other sessions").isEmpty(), 20000);
        QVERIFY(shown->notices().text("other sessions").contains("measurements of the Basics page"));
    }

    // Measurements of the Lab and tunings are files of a place; windows of other places do not see them.
    void resultsOfAClosedSecondWindowAreTakenOver() {
        const auto put = [this](const QString& leaf, const char* text, int age) {
            QFile file(path("sessions/" + leaf));
            QVERIFY(QDir().mkpath(QFileInfo(file).path()) && file.open(QIODevice::WriteOnly));
            file.write(text);
            file.flush();
            QVERIFY(file.setFileTime(QDateTime::currentDateTime().addSecs(-age),
                                     QFileDevice::FileModificationTime));
        };
        const auto in = [this](const QString& leaf) {
            QFile file(path("sessions/" + leaf));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("none");
        };
        put("2/pages/lab-scan-1.json", "only there", 50);
        put("2/pages/lab-reduce-1.json", "newer, device 1", 50);
        put("2/pages/lab-reduce-2.json", "newer, device 2", 50);
        put("1/pages/lab-reduce-1.json", "older", 100);
        put("2/pages/tuning-matmul-wide.json", "older", 100);
        put("1/pages/tuning-matmul-wide.json", "newer", 50);
        const auto shown = window();
        shown->kept().begin(path("sessions"), WindowSession::Begin::empty);
        QCOMPARE(in("1/pages/lab-scan-1.json"), QByteArray("only there"));
        QCOMPARE(in("1/pages/lab-reduce-1.json"), QByteArray("newer, device 1"));
        QCOMPARE(in("1/pages/lab-reduce-2.json"), QByteArray("newer, device 2"));
        QCOMPARE(in("2/pages/lab-reduce-1.json"), QByteArray("older"));
        QCOMPARE(in("1/pages/tuning-matmul-wide.json"), QByteArray("newer"));
        QCOMPARE(in("2/pages/tuning-matmul-wide.json"), QByteArray("older"));
    }

    void theNoticeOfAFullDiskEndsThoughTheSessionIsAsBefore() {
        const auto shown = window();
        shown->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
        open_data(*shown, path("a.h5"));
        kept(*shown);
        QWidget* const field = shown->parameters().field("first_frame");
        const auto step = [field](Qt::Key key) {
            field->setFocus();
            QTest::keyClick(field, key);
        };
        {
            const FileSizeLimit full(64);
            step(Qt::Key_Up);
            QTRY_VERIFY_WITH_TIMEOUT(shown->notices().text("keeping").contains("the session"), 20000);
            step(Qt::Key_Down);
        }
        QTRY_VERIFY_WITH_TIMEOUT(shown->notices().text("keeping").isEmpty(), 20000);
        QVERIFY(shown->close());
    }

    void runsThatDidNotFitOnTheDiskAreKeptOnceTheyDo() {
        auto shown = window();
        shown->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
        open_data(*shown, path("a.h5"));
        kept(*shown);
        {
            // The session's document has room, a run has not.
            const FileSizeLimit full(
                static_cast<rlim_t>(QFileInfo(shown->kept().sessionFile()).size() + 4096));
            run_in(*shown);
            QTRY_VERIFY_WITH_TIMEOUT(shown->notices().text("keeping").contains("1 run"), 20000);
            // Nothing that somebody does meanwhile takes the notice away.
            run_in(*shown);
            QTRY_VERIFY_WITH_TIMEOUT(shown->notices().text("keeping").contains("2 runs"), 20000);
            QStringList asked;
            shown->kept().questions().lose = [&](const QStringList& work) {
                return asked = work, ui::WorkAnswer::stay;
            };
            QVERIFY(!shown->close());
            QCOMPARE(asked, QStringList("2 runs"));
        }
        QTRY_VERIFY_WITH_TIMEOUT(shown->notices().ids().isEmpty(), 30000);
        QVERIFY(shown->close());
        shown.reset();
        const auto later = window();
        bringBack(*later, path("sessions"));
        QCOMPARE(later->runs().rowCount(), 2);
    }

    void sessionsThatDidNotComeBackAreListedOpenedAndDiscarded() {
        for (const char* file : {"a.h5", "b.h5"}) {
            const auto shown = window();
            shown->kept().begin(path("sessions"), WindowSession::Begin::empty);
            open_data(*shown, path(file));
            draw(*shown, 4);
            QVERIFY(shown->close());
        }
        const auto shown = window();
        shown->kept().begin(path("sessions"), WindowSession::Begin::empty);
        QTRY_COMPARE_WITH_TIMEOUT(shown->notices().ids().size(), 1, 20000);
        const QString notice = shown->notices().ids().front();
        QCOMPARE(shown->notices().text(notice), QString("2 sessions were not restored"));
        const QString newest = shown->kept().others().all().front().text();
        QVERIFY(newest.contains("b.h5"));
        QVERIFY(shown->kept().others().all().back().text().contains("a.h5"));
        QMenu* before = nullptr;
        for (QMenu* menu : shown->findChildren<QMenu*>())
            if (menu->title().contains("vious sessions")) before = menu;
        QVERIFY(before && before->isEnabled());
        QCOMPARE(before->actions().size(), 2);
        // One press deletes nothing.
        QVERIFY(shown->notices().actInMenu(notice, {newest, "Delete..."}));
        QVERIFY(shown->notices().text(notice).contains("Delete the session"));
        QCOMPARE(shown->kept().others().all().size(), std::size_t{2});
        QVERIFY(shown->notices().act(notice, "Delete"));
        QVERIFY(shown->notices().text(notice).contains("A session was not restored"));
        QVERIFY(shown->notices().text(notice).contains("a.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(before->actions().size(), 1, 20000);
        QVERIFY(before->actions().front()->text().contains("a.h5"));
        QSignalSpy back(&shown->kept(), &WindowSession::broughtBack);
        before->actions().front()->menu()->actions().front()->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QTRY_COMPARE_WITH_TIMEOUT(masked(*shown), std::size_t{7 * 4}, 30000);
        // It is the session of this window now.
        QTRY_VERIFY_WITH_TIMEOUT(shown->kept().others().all().empty(), 20000);
        QVERIFY(shown->notices().ids().isEmpty());
    }

    void aSessionThatIsKeptIsToldOfNoMoreAndTheOthersAre() {
        for (int session = 0; session < 3; ++session) {
            const auto shown = window();
            shown->kept().begin(path("sessions"), WindowSession::Begin::empty);
            open_data(*shown, path("a.h5"));
            draw(*shown, 4 + session);
            QVERIFY(shown->close());
            QTest::qWait(1100);  // times of sessions are in seconds on some disks
        }
        {
            const auto shown = session_window(path("kept.ini"));
            shown->kept().begin(path("sessions"), WindowSession::Begin::empty);
            QTRY_COMPARE_WITH_TIMEOUT(shown->notices().ids().size(), 1, 20000);
            const QString notice = shown->notices().ids().front();
            QCOMPARE(shown->notices().text(notice), QString("3 sessions were not restored"));
            const QString second = shown->kept().others().all()[1].text();
            QVERIFY(shown->notices().actInMenu(notice, {second, "Delete..."}));
            QVERIFY(shown->notices().act(notice, "Keep"));
            QCOMPARE(shown->notices().text(notice), QString("2 sessions were not restored"));
            QCOMPARE(shown->kept().others().all().size(), std::size_t{3});
            QVERIFY(shown->close());
        }
        const auto shown = session_window(path("kept.ini"));
        shown->kept().begin(path("sessions"), WindowSession::Begin::empty);
        QTRY_COMPARE_WITH_TIMEOUT(shown->notices().ids().size(), 1, 20000);
        QCOMPARE(shown->notices().text(shown->notices().ids().front()),
                 QString("2 sessions were not restored"));
    }

    void dataThatLieElsewhereAreLocated() {
        {
            const auto shown = window();
            shown->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
            open_data(*shown, path("a.h5"));
            work_in(*shown);
            run_in(*shown);
            QVERIFY(shown->close());
        }
        QVERIFY(QFile::rename(path("a.h5"), path("renamed.h5")));
        const auto shown = window();
        bringBack(*shown, path("sessions"));
        QVERIFY(!shown->file());
        QString asked;
        shown->kept().questions().whereIs = [&](const QString& gone) {
            return asked = gone, path("renamed.h5");
        };
        QSignalSpy back(&shown->kept(), &WindowSession::broughtBack);
        QVERIFY(shown->notices().act("gone", "Locate..."));
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QCOMPARE(QFileInfo(asked).fileName(), QString("a.h5"));
        QCOMPARE(shown->file()->path, path("renamed.h5"));
        QVERIFY(shown->notices().ids().isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(masked(*shown), std::size_t{17 * 5}, 30000);
        QTRY_VERIFY_WITH_TIMEOUT(xpcs_page(*shown).partition() != nullptr, 30000);
        QCOMPARE(xpcs_page(*shown).partition()->bins(), std::size_t{10});
        QCOMPARE(xpcs_page(*shown).imagePanel().geometry().beam_x, 30.25);
        QVERIFY(shown->runs().isOfFile(shown->runs().rows().front()));
    }

    void aProjectWithoutGeometryLeavesTheCalibration() {
        const auto shown = window();
        shown->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
        open_data(*shown, path("a.h5"));
        QSignalSpy saved(&shown->kept().project(), &WindowProject::saved);
        shown->kept().project().save(path("p.ksproj"), true);
        QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 30000);
        Geometry where = xpcs_page(*shown).imagePanel().geometry();
        where.beam_x = 12.5;
        xpcs_page(*shown).imagePanel().geometryForm().session().setGeometry(where, true);
        draw(*shown, 4);
        QSignalSpy back(&shown->kept(), &WindowSession::broughtBack);
        shown->open(path("p.ksproj"));
        QTRY_COMPARE_WITH_TIMEOUT(back.count(), 1, 60000);
        QCOMPARE(xpcs_page(*shown).imagePanel().geometry().beam_x, 12.5);
        const QString told = shown->errorBar().sentence() + shown->errorBar().details();
        QVERIFY2(told.contains("no geometry for a.h5"), qPrintable(told));
        // The mask is the project's; the one before is named and can be opened.
        QCOMPARE(masked(*shown), std::size_t{0});
        QVERIFY2(told.contains("mask of a.h5"), qPrintable(told));
        shown->kept().others().look();
        QTRY_COMPARE_WITH_TIMEOUT(shown->kept().others().all().size(), std::size_t{1}, 10000);
    }

    void aPartThatCannotBeReadIsNamedAndItsFileStays() {
        {
            const auto shown = window();
            shown->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
            open_data(*shown, path("a.h5"));
            draw(*shown, 4);
            QVERIFY(shown->close());
        }
        const std::string file = path("sessions/1/session.ksproj").toStdString();
        io::Project project = io::read_project(file);
        project.arrays.at("mask") = Array::of({1, 2}, std::vector<std::uint32_t>{1'000'000, 5});
        io::write_project(file, project, true);
        const auto shown = window();
        bringBack(*shown, path("sessions"));
        QVERIFY(shown->errorBar().sentence().contains("mask"));
        const QString copy = path("sessions/1/before-damaged.ksproj");
        QVERIFY(shown->errorBar().sentence().contains(copy));
        QVERIFY(io::read_project(copy.toStdString()) == project);
    }

    void aMaskDrawnOverThatOfTheFileComesBackWithIt() {
        const Registry registry;
        const Analysis& analysis = registry.analysis("spots");
        ParameterSet parameters = defaults(analysis.info().generator);
        parameters["frames"] = std::int64_t{2};
        parameters["height"] = std::int64_t{200};
        parameters["width"] = std::int64_t{220};
        Progress progress;
        analysis.generate(parameters, path("rotation.h5").toStdString(), true, progress);
        const auto shown = window();
        open_data(*shown, path("rotation.h5"));
        QVERIFY(shown->setPage("xpcs"));
        QTRY_VERIFY_WITH_TIMEOUT(masked(*shown) > 0, 30000);
        ui::RegionEditor& editor = xpcs_page(*shown).imagePanel().editor();
        editor.apply(rectangle_region(editor.height(), editor.width(), {90, 90}, {130, 120}), true, "Box");
        const std::vector<std::uint8_t> before = editor.mask().values();
        open_data(*shown, path("a.h5"));
        open_data(*shown, path("rotation.h5"));
        QTRY_VERIFY_WITH_TIMEOUT(editor.mask().values() == before, 30000);
    }

    void aSavedRunBringsItsInputsOrOffersThem() {
        Seen of;
        {
            const auto shown = window();
            open_data(*shown, path("a.h5"));
            work_in(*shown);
            run_in(*shown);
            of = seen_in(*shown);
            QSignalSpy written(&shown->runFiles(), &RunFiles::saved);
            shown->saveRun(path("run.h5"));
            QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 30000);
        }
        const auto partition = [](MainWindow& window) {
            QTRY_VERIFY_WITH_TIMEOUT(window.missing().isEmpty(), 30000);
        };
        const auto sameInputs = [&](MainWindow& window) {
            Request request;
            request.analysis = "xpcs";
            window.analysisPage()->fill(request);
            const Request& then = window.runs().rows().front().run->request;
            return request.inputs.at("mask") == then.inputs.at("mask") &&
                   request.inputs.at("partition") == then.inputs.at("partition");
        };
        {
            // Nothing was done on the data: they are taken.
            const auto shown = window();
            shown->open(path("run.h5"));
            QTRY_VERIFY_WITH_TIMEOUT(shown->file() && shown->worker().ready(), 60000);
            QTRY_VERIFY_WITH_TIMEOUT(masked(*shown) == std::size_t{17 * 5}, 30000);
            partition(*shown);
            QTRY_VERIFY_WITH_TIMEOUT(shown->missing().isEmpty() && sameInputs(*shown), 30000);
            QCOMPARE(xpcs_page(*shown).imagePanel().geometry().beam_x, of.geometry.beam_x);
            QCOMPARE(to_text(shown->parameters().values().at("max_delay")), std::string("9"));
            QVERIFY(shown->notices().ids().isEmpty());
        }
        // Something was: it stays until a hand says so.
        const auto shown = window();
        open_data(*shown, path("a.h5"));
        draw(*shown, 2);
        partition(*shown);
        shown->open(path("run.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(shown->notices().ids().size(), 1, 30000);
        const QString text = shown->notices().text("inputs of the run");
        for (const char* part : {"Run 1", "bins", "mask", "Maximum delay", "do not match the page"})
            QVERIFY2(text.contains(part), qPrintable(text));
        QCOMPARE(masked(*shown), std::size_t{7 * 2});
        const auto request_of = [](MainWindow& window) {
            Request request;
            window.analysisPage()->fill(request);
            return request;
        };
        const std::pair mine(request_of(*shown).inputs, shown->parameters().values());
        const Geometry mineGeometry = xpcs_page(*shown).imagePanel().geometry();
        const int steps = shown->history().count();
        QVERIFY(shown->notices().act("inputs of the run", "Use inputs of run 1"));
        QTRY_VERIFY_WITH_TIMEOUT(masked(*shown) == std::size_t{17 * 5}, 30000);
        QTRY_VERIFY_WITH_TIMEOUT(shown->missing().isEmpty() && sameInputs(*shown), 30000);
        QVERIFY(shown->notices().ids().isEmpty());
        // All of it is one step, after that of the drawing.
        const auto ringsAndFields = [&] {
            const Request now = request_of(*shown);
            return std::pair(now.inputs, shown->parameters().values());
        };
        const auto ofRun = ringsAndFields();
        QVERIFY(shown->history().undoText().contains("inputs of run 1"));
        QCOMPARE(shown->history().count(), steps + 1);
        QTest::keyClick(shown.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(masked(*shown), std::size_t{7 * 2});
        QTRY_VERIFY_WITH_TIMEOUT(shown->missing().isEmpty() && ringsAndFields() == mine, 30000);
        QCOMPARE(xpcs_page(*shown).imagePanel().geometry(), mineGeometry);
        QTest::keyClick(shown.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(masked(*shown), std::size_t{0});
        QTest::keyClick(shown.get(), Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(masked(*shown), std::size_t{7 * 2});
        QTest::keyClick(shown.get(), Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(masked(*shown), std::size_t{17 * 5});
        QTRY_VERIFY_WITH_TIMEOUT(shown->missing().isEmpty() && ringsAndFields() == ofRun, 30000);
        QCOMPARE(xpcs_page(*shown).imagePanel().geometry().beam_x, of.geometry.beam_x);
    }

    void aSavedRunWhoseDataLieElsewhereIsLocated() {
        {
            const auto shown = window();
            open_data(*shown, path("a.h5"));
            run_in(*shown);
            QSignalSpy written(&shown->runFiles(), &RunFiles::saved);
            QVERIFY(QDir(path("")).mkdir("runs"));
            shown->saveRun(path("runs/run.h5"));
            QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 30000);
        }
        QVERIFY(QFile::rename(path("a.h5"), path("renamed.h5")));
        const auto shown = window();
        shown->open(path("runs/run.h5"));
        QTRY_COMPARE_WITH_TIMEOUT(shown->notices().ids().size(), 1, 30000);
        // A file with other contents would be named as the one that the run read.
        const std::string read = shown->runs().rows().front().run->request.inputs.at("frames").name;
        shown->kept().questions().whereIs = [](const QString&) {
            return QStringLiteral(KERNELSCOPE_SOURCE_DIR "/tests/data/xpcs_rings_u8.h5");
        };
        QVERIFY(shown->notices().act(shown->notices().ids().front(), "Locate..."));
        QTRY_VERIFY_WITH_TIMEOUT(shown->errorBar().sentence().contains("not the file that run 1 read"),
                                 10000);
        QVERIFY(!shown->file());
        QCOMPARE(shown->runs().rows().front().run->request.inputs.at("frames").name, read);
        QCOMPARE(shown->notices().ids().size(), 1);
        shown->kept().questions().whereIs = [&](const QString&) { return path("renamed.h5"); };
        QVERIFY(shown->notices().act(shown->notices().ids().front(), "Locate..."));
        QTRY_VERIFY_WITH_TIMEOUT(shown->file() != nullptr, 30000);
        QVERIFY(shown->runs().isOfFile(shown->runs().rows().front()));
    }

    void unsavedTextOfAKernelOutlivesTheProgram_data() {
        QTest::addColumn<QString>("end");
        for (const char* end : {"killed", "closed", "closed in a subfolder", "closed, then removed"})
            QTest::newRow(end) << QString(end);
    }
    void unsavedTextOfAKernelOutlivesTheProgram() {
        QFETCH(QString, end);
        const QByteArray folderBefore = qgetenv("KERNELSCOPE_VARIANTS");
        qputenv("KERNELSCOPE_VARIANTS", path("own").toLocal8Bit());
        const QScopeGuard back([&] { qputenv("KERNELSCOPE_VARIANTS", folderBefore); });  // empty: as unset
        QString name, text, file;
        QByteArray saved;
        const QString sessions = path(end == "killed" ? "left" : "sessions");
        {
            const auto shown = window();
            shown->kept().begin(path("sessions"), WindowSession::Begin::bySetting);
            QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
            QVERIFY(shown->setPage("xpcs"));
            shown->kernels().editCopy();
            ui::UserKernels& kernels = shown->kernels().panel().userKernels();
            QTRY_VERIFY_WITH_TIMEOUT(!kernels.name().isEmpty(), 10000);
            name = kernels.name();
            QDirIterator files(path("own"), {name + ".cl"}, QDir::Files, QDirIterator::Subdirectories);
            QVERIFY(files.hasNext());
            QFile kernel(file = files.next());
            QVERIFY(kernel.open(QIODevice::ReadOnly));
            saved = kernel.readAll();
            if (end == "closed in a subfolder") {
                const QFileInfo at(file);
                QVERIFY(at.dir().mkdir("tries"));
                file = at.dir().filePath("tries/deep.cl");
                QVERIFY(QFile::rename(at.filePath(), file));
                QTRY_VERIFY_WITH_TIMEOUT(
                    ks::tests::child<QLabel>(kernels, "notice").toolTip().contains("removed"), 10000);
                kernels.remove();
                QVERIFY(kernels.openFile(file));
                name = "deep";
            }
            QTest::keyClicks(&kernels.editor(), "// not saved");
            text = kernels.editor().toPlainText();
            if (end == "killed") {
                QTRY_VERIFY_WITH_TIMEOUT(!QDir(path("sessions/1/kernels")).isEmpty(), 10000);
                copyFolder(path("sessions"), path("left"));
            } else {
                QVERIFY(shown->close());
            }
        }
        QFile kernel(file);
        QVERIFY(kernel.open(QIODevice::ReadOnly));
        QCOMPARE(kernel.readAll(), saved);
        kernel.close();
        if (end == "closed, then removed") QVERIFY(kernel.remove());
        const auto shown = window();
        shown->kept().begin(sessions, WindowSession::Begin::empty);
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        QVERIFY(shown->setPage("spots"));
        QCOMPARE(shown->notices().ids().size(), 1);
        QVERIFY(shown->notices().act(shown->notices().ids().front(), "Show"));
        ui::UserKernels& kernels = shown->kernels().panel().userKernels();
        QTRY_COMPARE_WITH_TIMEOUT(kernels.name(), name, 10000);
        QCOMPARE(kernels.editor().toPlainText(), text);
        QVERIFY(kernels.editor().document()->isModified());
        QCOMPARE(shown->page()->analysis(), QString("xpcs"));
        QVERIFY(shown->notices().ids().isEmpty());
        QVERIFY(shown->close());
    }

    // What two windows leave that were killed, with texts of the same kernels.
    void textsOfTwoWindowsAreAllOfferedInOneNotice() {
        const QByteArray folderBefore = qgetenv("KERNELSCOPE_VARIANTS");
        qputenv("KERNELSCOPE_VARIANTS", path("own").toLocal8Bit());
        const QScopeGuard back([&] { qputenv("KERNELSCOPE_VARIANTS", folderBefore); });  // empty: as unset
        const QString late = path("own/xpcs/late.cl"), same = path("own/xpcs/same.cl");
        for (const int number : {1, 2}) {
            ui::KernelDrafts drafts;
            drafts.setFolder(path(QStringLiteral("sessions/%1/kernels").arg(number)));
            drafts.keep({"xpcs", late, QStringLiteral("// of window %1\n").arg(number), "// before\n"});
            drafts.keep({"xpcs", same, "// of both\n", "// before\n"});
        }
        const auto shown = window();
        shown->kept().begin(path("sessions"), WindowSession::Begin::empty);
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        QCOMPARE(shown->notices().ids().size(), 1);
        const QString id = shown->notices().ids().front();
        QVERIFY2(shown->notices().text(id).contains("of 3 kernels"), qPrintable(shown->notices().text(id)));
        QVERIFY(shown->notices().text(id).contains("late-2 contains the text of late from another window"));
        ui::UserKernels& kernels = shown->kernels().panel().userKernels();
        QStringList texts;
        for (const char* name : {"late", "late-2"}) {
            QVERIFY(shown->notices().actInMenu(id, {name}));
            QTRY_COMPARE_WITH_TIMEOUT(kernels.name(), QString(name), 10000);
            texts << kernels.editor().toPlainText();
            // What it says does not change while some are still to be seen.
            QVERIFY2(shown->notices().text(id).contains("of 3 kernels"),
                     qPrintable(shown->notices().text(id)));
        }
        texts.sort();
        QCOMPARE(texts, QStringList({"// of window 1\n", "// of window 2\n"}));
        QVERIFY(shown->notices().actInMenu(id, {"same"}));
        QTRY_COMPARE_WITH_TIMEOUT(kernels.name(), QString("same"), 10000);
        QVERIFY(shown->notices().ids().isEmpty());
        QVERIFY(QDir(path("sessions/2/kernels")).isEmpty());
        QVERIFY(shown->close());
    }

    void textOfAKernelThatCannotBeKeptIsAskedAboutByItself() {
        const QByteArray folderBefore = qgetenv("KERNELSCOPE_VARIANTS");
        qputenv("KERNELSCOPE_VARIANTS", path("own").toLocal8Bit());
        const QScopeGuard back([&] { qputenv("KERNELSCOPE_VARIANTS", folderBefore); });  // empty: as unset
        const auto shown = window();
        shown->kept().begin(path("sessions"), WindowSession::Begin::empty);
        QTRY_VERIFY_WITH_TIMEOUT(shown->worker().ready(), 60000);
        QVERIFY(shown->setPage("xpcs"));
        shown->kernels().editCopy();
        ui::UserKernels& kernels = shown->kernels().panel().userKernels();
        QTRY_VERIFY_WITH_TIMEOUT(!kernels.name().isEmpty(), 10000);
        const QString name = kernels.name();
        kept(*shown);
        // The session's document has room, which is less than the text has here.
        QTest::keyClicks(&kernels.editor(), "// not saved");
        kernels.editor().insertPlainText(QString(400000, 'x'));
        std::optional<FileSizeLimit> full(std::in_place, 200000);
        QTRY_VERIFY_WITH_TIMEOUT(shown->notices().text("kernel texts").contains(name), 10000);
        QStringList asked;
        ui::SessionQuestions& questions = shown->kept().questions();
        questions.loseKernels = [&](const QStringList& names) { return asked = names, ui::WorkAnswer::stay; };
        QVERIFY(!shown->close());
        QCOMPARE(asked, QStringList(name));
        questions.loseKernels = [](const QStringList&) { return ui::WorkAnswer::save; };
        questions.saveKernelAs = [&](const QString&) {
            full.reset();  // that disk has room
            return path("copy.cl");
        };
        QVERIFY(shown->close());
        QFile copy(path("copy.cl"));
        QVERIFY(copy.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(copy.readAll()), kernels.editor().toPlainText());
    }
};

}  // namespace ks::tests

using ks::tests::NothingLostTest;
QTEST_MAIN(NothingLostTest)
#include "tst_nothing_lost.moc"
