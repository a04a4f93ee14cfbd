#include <QDir>
#include <QFile>
#include <QScopeGuard>
#include <QSemaphore>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <memory>
#include <utility>

#include "core/base/error.h"
#include "core/io/files/library_call.h"
#include "ui/base/jobs.h"
#include "ui/runs/run_table_model.h"
#include "ui/shell/file_session.h"

namespace ks::ui::file_session_test {

/// Takes files whose names end in one of `suffixes`.
class SuffixPage : public AnalysisPage {
  public:
    SuffixPage(const QString& id, QStringList suffixes)
        : AnalysisPage({id}), suffixes_(std::move(suffixes)) {}
    QString title() const override { return analysis(); }
    bool accepts(const OpenFile& file) const override {
        return std::ranges::any_of(suffixes_, [&](const QString& one) { return file.path.endsWith(one); });
    }
    bool prefers(const OpenFile& file) const override { return preferring && accepts(file); }
    QStringList fileFilters() const override {
        return {QStringLiteral("%1 (*%2)").arg(analysis(), suffixes_.join(QStringLiteral(" *")))};
    }
    std::function<std::any()> reader(const OpenFile&) const override { return reads; }
    void setFile(std::shared_ptr<const OpenFile> file) override {
        files << file->path;
        content = file->content;
    }
    QString missing() const override { return {}; }
    void fill(Request&) const override {}
    void setRuns(const std::vector<RunRow>&) override {}
    std::vector<NamedPlot> plots() const override { return {}; }

    bool preferring = false;
    std::function<std::any()> reads;
    QStringList files;  ///< that it was given
    std::any content;

  private:
    QStringList suffixes_;
};

/// What is open, without a window: this test shows the pages.
class FileSessionTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::unique_ptr<QSettings> settings_;
    std::unique_ptr<Jobs> jobs_;
    std::unique_ptr<PageContext> context_;
    std::unique_ptr<RunTableModel> runs_;
    std::unique_ptr<SuffixPage> lists_, tables_;
    std::unique_ptr<FileSession> files_;

    QString made(const QString& leaf) const {
        QFile file(folder_.filePath(leaf));
        if (file.open(QIODevice::WriteOnly)) file.write("1\n");
        return file.fileName();
    }
    void show(Page& page) {
        files_->setPage(page);
        files_->giveToPage();
    }
    void open(const QString& name) {
        QSignalSpy opened(files_.get(), &FileSession::opened);
        files_->open(name);
        QTRY_COMPARE(opened.count(), 1);
    }

  private slots:
    void init() {
        settings_ = std::make_unique<QSettings>(
            folder_.filePath(QString::fromUtf8(QTest::currentTestFunction()) + ".ini"), QSettings::IniFormat);
        jobs_ = std::make_unique<Jobs>();
        context_ = std::make_unique<PageContext>(*jobs_);
        runs_ = std::make_unique<RunTableModel>();
        lists_ = std::make_unique<SuffixPage>("lists", QStringList{".list", ".both"});
        tables_ = std::make_unique<SuffixPage>("tables", QStringList{".table", ".both"});
        files_ = std::make_unique<FileSession>(*context_, *settings_, *runs_);
        files_->setPages({lists_.get(), tables_.get()});
        connect(files_.get(), &FileSession::pageWanted, this, [this](const QString& id) {
            show(id == "lists" ? static_cast<Page&>(*lists_) : static_cast<Page&>(*tables_));
        });
        show(*lists_);
    }
    void cleanup() {
        files_.reset();
        jobs_.reset();
    }

    void aFileIsTakenByAPageThatAcceptsIt() {
        const QString list = made("a.list"), table = made("a.table");
        open(list);
        QCOMPARE(files_->file()->path, list);
        QCOMPARE(lists_->files, QStringList{list});
        open(table);
        QCOMPARE(files_->page(), tables_.get());
        QCOMPARE(tables_->files, QStringList{table});
        QCOMPARE(lists_->files, QStringList{list});
        QVERIFY(files_->pageAccepts());
    }

    // Runs of it are of the same file at the next start, when it is named by its whole path.
    void aRelativeNameBecomesAWholePath() {
        made("a.list");
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(folder_.path()));
        const auto back = qScopeGuard([&before] { QDir::setCurrent(before); });
        const QString whole = QDir::currentPath() + QStringLiteral("/a.list");
        open("a.list");
        QCOMPARE(files_->file()->path, whole);
        QCOMPARE(files_->file()->name, whole);
        QCOMPARE(files_->recent(), QStringList{whole});
    }

    void aHiddenPageIsGivenTheFileOnceItIsInSight() {
        const QString both = made("a.both");
        open(both);
        QCOMPARE(lists_->files, QStringList{both});
        QVERIFY(tables_->files.isEmpty());
        show(*tables_);
        QCOMPARE(tables_->files, QStringList{both});
        show(*lists_);
        show(*tables_);
        QCOMPARE(tables_->files, QStringList{both});
    }

    void aPageWithoutUseForTheFileBringsItsOwnBack() {
        const QString list = made("a.list"), table = made("a.table");
        open(list);
        open(table);
        QSignalSpy changed(files_.get(), &FileSession::fileChanged);
        show(*lists_);
        QCOMPARE(files_->file()->path, list);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(lists_->files, QStringList{list});  // it has not lost it
        QCOMPARE(files_->given(*tables_)->path, table);
    }

    void thePageThatIsWantedComesFirstThenTheOneThatPrefersIt() {
        const QString both = made("a.both");
        tables_->preferring = true;
        open(both);
        QCOMPARE(files_->page(), tables_.get());
        files_->wantPage("lists");
        open(both);
        QCOMPARE(files_->page(), lists_.get());
    }

    void whatNoPageTakesLeavesTheOpenFile() {
        const QString list = made("a.list");
        open(list);
        QSignalSpy refused(files_.get(), &FileSession::notOpened);
        files_->open(made("a.unknown"));
        QTRY_COMPARE(refused.count(), 1);
        files_->open(folder_.filePath("none.list"));
        QTRY_COMPARE(refused.count(), 2);
        QCOMPARE(files_->file()->path, list);
        QCOMPARE(files_->recent(), QStringList{list});
    }

    void aPageReadsWhatItNeedsBeforeTheFileIsOpen() {
        lists_->reads = [] { return std::any(7); };
        open(made("a.list"));
        QCOMPARE(std::any_cast<int>(lists_->content), 7);
        lists_->reads = []() -> std::any { throw Error(ErrorKind::input, "no numbers"); };
        QSignalSpy refused(files_.get(), &FileSession::notOpened);
        files_->open(made("b.list"));
        QTRY_COMPARE(refused.count(), 1);
        QVERIFY(files_->file()->path.endsWith("a.list"));
        QCOMPARE(lists_->files.size(), 1);
    }

    void theNewestOfTwoIsOpened() {
        QSignalSpy opened(files_.get(), &FileSession::opened);
        const QString list = made("a.list"), table = made("a.table");
        files_->open(list);
        files_->open(table);
        QTRY_COMPARE(opened.count(), 1);
        QTRY_COMPARE(jobs_->running(), 0);
        QCOMPARE(opened.count(), 1);
        QCOMPARE(files_->file()->path, table);
        QVERIFY(lists_->files.isEmpty());
    }

    void aFileThatHangsIsSaidAndAnotherOneOpens() {
        jobs_->setReadTimeout(std::chrono::milliseconds(200));
        const auto go = std::make_shared<QSemaphore>();
        const QString bad = made("bad.list"), table = made("a.table");
        lists_->reads = [go, bad]() -> std::any {
            const LibraryCall call("TIFF", kept_name(bad.toStdString()));
            go->acquire();
            return {};
        };
        QString what;
        const auto told = connect(files_.get(), &FileSession::notOpened, this,
                                  [&what](const Error& error) { what = QString::fromUtf8(error.what()); });
        files_->open(bad);
        QTRY_VERIFY(!what.isEmpty());
        disconnect(told);
        QVERIFY2(what.contains("bad.list: the TIFF library made no progress for "), qPrintable(what));
        QVERIFY(!files_->file());
        open(table);
        QCOMPARE(files_->file()->path, table);
        go->release();
    }

    void aProjectIsNamedAndNotRead() {
        QSignalSpy named(files_.get(), &FileSession::projectNamed);
        files_->open("/nowhere/a.ksproj");
        QCOMPARE(named.count(), 1);
        QCOMPARE(named.front().front().toString(), QString("/nowhere/a.ksproj"));
        QVERIFY(files_->recent().isEmpty());
    }

    void recentFilesAreTheNewestOnceEach() {
        for (int i = 0; i < 12; ++i) files_->remember(QString::number(i));
        files_->remember("5");
        QCOMPARE(files_->recent(), QString("5 11 10 9 8 7 6 4 3 2").split(' '));
    }

    void theFirstFilterHasAllThatIsKnown() {
        show(*tables_);
        const QStringList filters = files_->filters();
        QVERIFY2(filters.front().endsWith("(*.table *.both *.list *.ksproj)"), qPrintable(filters.front()));
        QCOMPARE(filters.mid(1, 2), (QStringList{"tables (*.table *.both)", "lists (*.list *.both)"}));
        QVERIFY(filters[3].endsWith("(*.ksproj)") && filters[4].endsWith("(*)"));
        QCOMPARE(filters.size(), 5);
    }
};

}  // namespace ks::ui::file_session_test

using ks::ui::file_session_test::FileSessionTest;
QTEST_MAIN(FileSessionTest)
#include "tst_file_session.moc"
