#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <QWhatsThis>
#include <QtTest>
#include <map>

#include "tests/ui/shell/xpcs_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/image/mask/mask_bar.h"
#include "ui/image/view/panned_canvas.h"
#include "ui/shell/drawer.h"
#include "ui/shell/help/manual_pages.h"
#include "ui/shell/help/manual_window.h"
#include "ui/shell/help/tour.h"
#include "ui/shell/help/whats_this.h"
#include "ui/shell/help/window_help.h"

using namespace ks::ui;

/// Manual, "What's this?" and tour.
class ManualTest : public ks::tests::WindowFixture {
    Q_OBJECT

    std::unique_ptr<MainWindow> window() { return WindowFixture::window({1280, 800}); }

    /// What docs/keyboard.md has in the first column of its tables, each between back quotes.
    static QSet<QString> writtenKeys() {
        QFile file(QStringLiteral(KERNELSCOPE_SOURCE_DIR "/docs/keyboard.md"));
        if (!file.open(QIODevice::ReadOnly)) return {};
        static const QRegularExpression quoted(QStringLiteral("`([^`]+)`"));
        QSet<QString> keys;
        for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
            if (!line.startsWith(QLatin1String("| "))) continue;
            for (auto found = quoted.globalMatch(line.section('|', 1, 1)); found.hasNext();)
                keys += found.next().captured(1);
        }
        return keys;
    }

    /// Whether a user does something on it; not what is a part of another one.
    static bool isControl(const QWidget& widget) {
        if (widget.objectName().startsWith(QLatin1String("qt_")) ||
            qobject_cast<const QScrollBar*>(&widget) || qobject_cast<const QTabWidget*>(&widget) ||
            widget.inherits("QTabBar") || widget.inherits("QMenuBar") || widget.inherits("QScrollArea") ||
            widget.inherits("QTabBarPrivate") || widget.parentWidget()->inherits("QTabBar") ||
            widget.parentWidget()->inherits("QHeaderView") || widget.inherits("QHeaderView") ||
            widget.parentWidget()->inherits("QTableView") || widget.parentWidget()->inherits("QMenuBar") ||
            qobject_cast<const QAbstractSpinBox*>(widget.parentWidget()) ||
            qobject_cast<const QComboBox*>(widget.parentWidget()) ||
            qobject_cast<const QLineEdit*>(widget.parentWidget()))
            return false;
        return qobject_cast<const QAbstractButton*>(&widget) || (widget.focusPolicy() & Qt::TabFocus) ||
               qobject_cast<const QAbstractItemView*>(&widget);
    }

  private slots:

    void allKeysOfTheWindowStandInTheDocument() {
        const auto shown = window();
        shown->kernels();  // a window of its own, which is made when it is asked for
        const QSet<QString> written = writtenKeys();
        QStringList missing;
        for (const QAction* action : shown->findChildren<QAction*>())
            for (const QKeySequence& keys : action->shortcuts())
                if (const QString name = keys.toString(QKeySequence::PortableText);
                    !name.isEmpty() && !written.contains(name))
                    missing << name + QStringLiteral(" of ") + action->text();
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QStringLiteral("; "))));
        // a key that no action has any more
        QSet<QString> own;
        for (const QAction* action : shown->findChildren<QAction*>())
            for (const QKeySequence& keys : action->shortcuts())
                own += keys.toString(QKeySequence::PortableText);
        for (const QString& name : written)
            if (name.startsWith(QLatin1String("Ctrl+")) && name != QLatin1String("Ctrl+F") &&
                name != QLatin1String("Ctrl+Q") &&  // on some desktops only
                name != QLatin1String("Ctrl+/"))    // of the editor of kernels
                QVERIFY2(own.contains(name), qPrintable(name));
    }

    void allPagesAreThereAndTheirLinksLeadSomewhere() {
        static const QRegularExpression link(QStringLiteral("\\[[^\\]]*\\]\\(([^)\\s]+)\\)"));
        for (const ManualPage& page : manualPages()) {
            QVERIFY2(page.blocks.size() > 5, qPrintable(page.name));
            QVERIFY2(page.title != page.name, qPrintable(page.name));
            const QString text = manualText(page.name);
            for (auto found = link.globalMatch(text); found.hasNext();) {
                const QString to = found.next().captured(1);
                if (to.contains(QLatin1String("://")) || to.contains(QLatin1String("images/"))) continue;
                const QUrl url = manualUrl(page.name).resolved(QUrl(to));
                const ManualPage* other = manualPage(manualName(url));
                QVERIFY2(other, qPrintable(page.name + ": " + to));
                if (url.hasFragment())
                    QVERIFY2(manualBlockOf(*other, url.fragment()) >= 0, qPrintable(page.name + ": " + to));
            }
        }
    }

    void everyPageOfTheTutorialIsInTheOrderOfItsContents() {
        QStringList names;
        for (const ManualPage& page : manualPages()) names << page.name;
        QCOMPARE(names.mid(0, 3),
                 (QStringList{"tutorial/README.md", "tutorial/xpcs.md", "tutorial/spots.md"}));
        QCOMPARE(names.last(), QString("cli.md"));
        const QDir folder(QStringLiteral(KERNELSCOPE_SOURCE_DIR "/docs/tutorial"));
        for (const QString& file : folder.entryList({"*.md"}))
            QVERIFY2(names.contains("tutorial/" + file), qPrintable(file));
    }

    void theManualOpensAtThePageInSight() {
        const auto shown = window();
        for (const QString& analysis : shown->pageIds()) {
            QVERIFY(shown->setPage(analysis));
            shown->action("manual")->trigger();
            QVERIFY(shown->help().manual()->isVisible());
            QCOMPARE(shown->help().manual()->view().page(),
                     QString("tutorial/%1.md").arg(shown->page()->manual()));
        }
        QCOMPARE(manualPageOf("another"), QString("tutorial/README.md"));
        shown->action("keyboard")->trigger();
        QCOMPARE(shown->help().manual()->view().page(), QString("keyboard.md"));
        QCOMPARE(shown->action("manual")->shortcut(), QKeySequence(Qt::Key_F1));
        QVERIFY(!shown->help().manual()->testAttribute(Qt::WA_QuitOnClose));
    }

    void linksAreFollowedAndOneGoesBack() {
        ManualWindow manual;
        manual.show();
        manual.showPage("tutorial/README.md");
        ManualView& view = manual.view();
        QStringList outside;
        connect(&view, &ManualView::externalLink, this, [&](const QUrl& url) { outside << url.toString(); });
        emit view.anchorClicked(view.source().resolved(QUrl("xpcs.md")));
        QCOMPARE(view.page(), QString("tutorial/xpcs.md"));
        emit view.anchorClicked(view.source().resolved(QUrl("../keyboard.md#plots")));
        QCOMPARE(view.page(), QString("keyboard.md"));
        QVERIFY(view.verticalScrollBar()->value() > 0);
        manual.findChild<QAction*>("back")->trigger();
        QCOMPARE(view.page(), QString("tutorial/xpcs.md"));
        manual.findChild<QAction*>("forward")->trigger();
        QCOMPARE(view.page(), QString("keyboard.md"));
        QVERIFY(outside.isEmpty());
    }

    void aTextIsFoundOnAllPages() {
        ManualWindow manual;
        manual.show();
        manual.showPage("tutorial/README.md");
        QCOMPARE(manual.contents().topLevelItemCount(), static_cast<int>(manualPages().size()));
        manual.search().setText("two-time");
        QVERIFY(manual.contents().topLevelItemCount() >= 2);
        QTreeWidgetItem* first = nullptr;
        for (int i = 0; i < manual.contents().topLevelItemCount(); ++i)
            if (manual.contents().topLevelItem(i)->text(0).startsWith(manualPage("tutorial/xpcs.md")->title))
                first = manual.contents().topLevelItem(i);
        QVERIFY(first && first->childCount() > 0);
        QVERIFY2(first->child(0)->text(0).contains("two-time", Qt::CaseInsensitive),
                 qPrintable(first->child(0)->text(0)));
        emit manual.contents().itemClicked(first->child(0), 0);
        QCOMPARE(manual.view().page(), QString("tutorial/xpcs.md"));
        QVERIFY(!manual.view().extraSelections().isEmpty());
        QVERIFY(manual.view().findNext("two-time", false));
        manual.search().setText("no such words at all");
        QCOMPARE(manual.contents().topLevelItemCount(), 0);
        manual.search().clear();
        QCOMPARE(manual.contents().topLevelItemCount(), static_cast<int>(manualPages().size()));
    }

    void aPictureThatIsNotThereLeavesTheText() {
        QVERIFY(manualPicture("no_such_picture.png").isEmpty());
        for (const ManualPage& page : manualPages()) {
            static const QRegularExpression picture(QStringLiteral("!\\[[^\\]]*\\]\\(([^)\\s]+)\\)"));
            const QString text = manualText(page.name);
            for (auto found = picture.globalMatch(text); found.hasNext();)
                QVERIFY(QFile::exists(manualPicture(QFileInfo(found.next().captured(1)).fileName())));
        }
    }

    void everyControlSaysWhatItIs() {
        const auto shown = window();
        shown->help().showSettings();
        QStringList silent;
        for (const QString& analysis : shown->pageIds()) {
            QVERIFY(shown->setPage(analysis));
            for (QTabWidget* tabs : shown->findChildren<QTabWidget*>()) {
                for (int i = 0; i < tabs->count(); ++i) {
                    tabs->setCurrentIndex(i);
                    for (const QWidget* widget : shown->findChildren<QWidget*>()) {
                        if (!widget->isVisibleTo(shown.get()) || !isControl(*widget)) continue;
                        // its own, not that of a group around it
                        if (widget->whatsThis().isEmpty() && widget->toolTip().isEmpty())
                            silent << QStringLiteral("%1 \"%2\" of %3 in %4")
                                          .arg(QLatin1String(widget->metaObject()->className()),
                                               widget->accessibleName(), analysis,
                                               QLatin1String(
                                                   widget->parentWidget()->metaObject()->className()));
                    }
                }
            }
        }
        silent.removeDuplicates();
        for (const QString& one : silent) qWarning().noquote() << one;
        QVERIFY(silent.isEmpty());
    }

    void everyTabLabelAndLineSaysWhatItIs() {
        const auto shown = window();
        QTemporaryDir folder;
        ks::tests::generate_xpcs(folder.filePath("a.h5"), 20, 61, 71, true);
        ks::tests::open_data(*shown, folder.filePath("a.h5"));
        QStringList silent;
        const auto ask = [&](const QWidget& widget, const QString& name, const QPoint& at = {-1, -1}) {
            if (whatsThisOf(widget, at).isEmpty())
                silent << QStringLiteral("%1 \"%2\" in %3")
                              .arg(QLatin1String(widget.metaObject()->className()), name,
                                   QLatin1String(widget.parentWidget()->metaObject()->className()));
        };
        for (const QString& page : shown->pageIds()) {
            QVERIFY(shown->setPage(page));
            QCoreApplication::processEvents();
            for (QTabWidget* tabs : shown->findChildren<QTabWidget*>())
                for (int chosen = 0; chosen < tabs->count() && tabs->isVisible(); ++chosen) {
                    tabs->setCurrentIndex(chosen);
                    for (const QLabel* label : shown->findChildren<QLabel*>())
                        if (label->isVisibleTo(shown.get()) && !label->text().isEmpty())
                            ask(*label, page + ": " + label->text());
                }
            for (const QTabBar* bar : shown->findChildren<QTabBar*>())
                for (int i = 0; i < bar->count() && bar->isVisible(); ++i)
                    if (bar->isTabVisible(i))
                        ask(*bar, page + ": " + bar->tabText(i), bar->tabRect(i).center());
        }
        // Of plots beside each other each says what it shows.
        for (const auto* drawer : shown->findChildren<ks::ui::Drawer*>()) {
            QStringList texts;
            for (const QTabWidget* tabs : drawer->findChildren<QTabWidget*>())
                for (int i = 0; i < tabs->count(); ++i) texts << tabs->tabWhatsThis(i);
            QVERIFY2(!texts.contains(QString()) && texts.removeDuplicates() == 0,
                     qPrintable(texts.join('|')));
        }
        for (const QWidget* one : shown->statusBar()->findChildren<QWidget*>())
            if (!one->accessibleName().isEmpty() && one->window() == shown.get())
                ask(*one, one->accessibleName());
        silent.removeDuplicates();
        for (const QString& one : silent) qWarning().noquote() << one;
        QVERIFY(silent.isEmpty());
    }

    void aLabelSaysWhatItsFieldDoes() {
        QWidget window;
        auto* part = new QWidget(&window);
        auto* form = new QFormLayout(part);
        auto* field = new QLineEdit;
        field->setToolTip("Counts of one frame");
        auto* pair = new QHBoxLayout;
        auto* first = new QLineEdit;
        first->setToolTip("Along columns");
        pair->addWidget(first);
        auto* named = new QLabel("Counts");
        auto* ofPair = new QLabel("Beam");
        form->addRow(named, field);
        form->addRow(ofPair, pair);
        QCOMPARE(whatsThisOf(*named), QString("Counts of one frame"));
        QCOMPARE(whatsThisOf(*ofPair), QString("Along columns"));
        QCOMPARE(whatsThisOf(*part), QString());
    }

    void aToolTipAnswersWhatsThis() {
        const auto shown = window();
        QWidget& device = shown->devices();
        QVERIFY(device.whatsThis().isEmpty());
        QHelpEvent asks(QEvent::QueryWhatsThis, {}, {});
        asks.ignore();
        QVERIFY(QApplication::sendEvent(&device, &asks) && asks.isAccepted());
        QCOMPARE(whatsThisOf(device), device.toolTip());
        shown->action("whatsThis")->trigger();
        QVERIFY(QWhatsThis::inWhatsThisMode());
        QWhatsThis::leaveWhatsThisMode();
        QCOMPARE(shown->action("run")->whatsThis(), shown->action("run")->statusTip());
    }

    void theTourIsShownOnceAndPointsAtTheParts() {
        const auto shown = window();
        QVERIFY(!shown->help().tour());  // nobody asked for it
        shown->help().offerTour();
        QPointer<Tour> tour = shown->help().tour();
        QVERIFY(tour && tour->isVisible());
        for (std::size_t i = 0; i < 5; ++i) {
            QCOMPARE(tour->step(), i);
            QVERIFY(shown->rect().contains(tour->geometry()));
            if (i == 1) {
                QWidget* tools = shown->page()->findChild<MaskBar*>();
                QVERIFY(tools);
                QVERIFY(
                    !tour->geometry().intersects(QRect(tools->mapTo(shown.get(), QPoint()), tools->size())));
            }
            if (i == 2) {
                tour->back();
                QCOMPARE(tour->step(), 1u);
                tour->next();
            }
            tour->next();
        }
        QTRY_VERIFY(!tour);
        shown->help().offerTour();
        QVERIFY(!shown->help().tour());
        QVERIFY(shown->settings().value("tourSeen").toBool());
    }

    void theTourSaysWhatThePageShows() {
        const auto shown = window();
        const std::map<QString, QString> titles{
            {"xpcs", "The picture"},    {"particles", "The picture"}, {"vector_add", "Kernel and result"},
            {"devices", "The devices"}, {"lab", "The measurements"},  {"tune", "The measurements"}};
        shown->action("tour")->trigger();
        QPointer<Tour> tour = shown->help().tour();
        QVERIFY(tour);
        const auto said = [&tour] {
            QStringList texts;
            for (const QLabel* one : tour->findChildren<QLabel*>()) texts << one->text();
            return texts;
        };
        // The tour follows the page.
        for (const auto& [page, title] : titles) {
            QVERIFY2(shown->setPage(page), qPrintable(page));
            QTRY_VERIFY2(said().contains(title), qPrintable(page + ": " + said().join('\n')));
            const bool isPicture = title == "The picture";
            QCOMPARE(said().join('\n').contains("drag to move"), isPicture);
            QVERIFY(shown->rect().contains(tour->geometry()));
        }
    }

    void theTourWaitsForTheFileOfTheCommandLine() {
        const auto shown = window();
        shown->settings().remove("tourSeen");
        QTemporaryDir folder;
        ks::tests::generate_xpcs(folder.filePath("a.h5"), 20, 61, 71);
        shown->help().offerTourSoon(true);
        QTest::qWait(700);
        QVERIFY(!shown->help().tour());
        ks::tests::open_data(*shown, folder.filePath("a.h5"));
        QTRY_VERIFY(shown->help().tour());
        QVERIFY(shown->file());
        QVERIFY(shown->settings().value("tourSeen").toBool());
    }

    void afterTheTourKeysChangeNoField() {
        const auto shown = window();
        shown->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(shown.get()));
        for (const bool skipped : {true, false}) {
            shown->action("tour")->trigger();
            QPointer<Tour> tour = shown->help().tour();
            QVERIFY(tour);
            QTRY_VERIFY(tour->isAncestorOf(QApplication::focusWidget()));
            if (skipped) {
                for (QPushButton* one : tour->findChildren<QPushButton*>())
                    if (one->text() == QStringLiteral("&Skip")) one->click();
            } else {
                while (tour && tour->isVisible()) tour->next();
            }
            QTRY_VERIFY(!tour);
            const QWidget* const focus = QApplication::focusWidget();
            QVERIFY2(qobject_cast<const PannedCanvas*>(focus),
                     focus ? focus->metaObject()->className() : "nothing");
        }
    }

    void escapeSkipsTheTourWhereverTheFocusIs() {
        const auto shown = window();
        shown->action("tour")->trigger();
        QPointer<Tour> tour = shown->help().tour();
        QVERIFY(tour);
        shown->devices().setFocus();
        QTest::keyClick(&shown->devices(), Qt::Key_Escape);
        QTRY_VERIFY(!tour);
    }
};

QTEST_MAIN(ManualTest)
#include "tst_manual.moc"
