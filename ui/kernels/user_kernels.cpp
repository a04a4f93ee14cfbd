#include "ui/kernels/user_kernels.h"

#include <QAction>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "core/kernels/compiler_message.h"
#include "core/kernels/variant_header.h"
#include "core/run/user/user_variant.h"
#include "ui/base/palette.h"
#include "ui/kernels/define_fields.h"
#include "ui/kernels/find_bar.h"
#include "ui/kernels/kernel_editor.h"
#include "ui/kernels/trial_text.h"

namespace ks::ui {
namespace {

constexpr int listWidth = 190, messageHeight = 92, headerMs = 250;
constexpr int lineRole = Qt::UserRole, placeFileRole = Qt::UserRole + 1;

/// The line of "FILE:12", counted from 1.
std::optional<std::size_t> lineOf(const std::string& where, const std::string& file) {
    if (!where.starts_with(file + ":")) return std::nullopt;
    bool number = false;
    const qulonglong line = QString::fromStdString(where.substr(file.size() + 1)).toULongLong(&number);
    return number && line > 0 ? std::optional<std::size_t>(line) : std::nullopt;
}

}  // namespace

UserKernels::UserKernels(QWidget* parent)
    : QWidget(parent),
      folder_(QString::fromStdString(user_variants_folder().string())),
      list_(new QListWidget),
      messages_(new QListWidget),
      what_(new QLabel),
      result_(new QLabel),
      notice_(new QLabel),
      conflict_(new QWidget),
      reload_(new QPushButton(tr("Take the file's"))),
      keep_(new QPushButton(tr("Keep mine"))),
      run_(new QPushButton(tr("Save and run (F7)"))),
      defines_(new DefineFields),
      editor_(new KernelEditor),
      right_(new QWidget) {
    auto* both = new QSplitter;
    both->setChildrenCollapsible(false);
    both->addWidget(makeList());
    both->addWidget(makeEditor());
    both->setStretchFactor(1, 1);
    both->setSizes({listWidth, 900});
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(both);
    header_.setSingleShot(true);
    header_.setInterval(headerMs);
    connect(&header_, &QTimer::timeout, this, &UserKernels::readHeader);
    connect(&file_, &WatchedFile::changedOutside, this, &UserKernels::takeOutside);
    connect(&file_, &WatchedFile::removedOutside, this, [this] {
        editor_->document()->setModified(true);
        notice_->setText(tr("The file was removed by another program; saving writes it again."));
        notice_->show();
    });
    makeActions();
    showOpen();
}

UserKernels::~UserKernels() {
    editor_->document()->disconnect(this);
    if (editor_->document()->isModified() && !outside_ && !file_.file().isEmpty()) try {
            file_.save(editor_->toPlainText());
        } catch (const Error&) {
            return;  // nobody is left to be told
        }
}

QWidget* UserKernels::makeList() {
    auto* side = new QWidget;
    auto* rows = new QVBoxLayout(side);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setAccessibleName(tr("Kernels of your own"));
    list_->setWhatsThis(
        tr("Your own kernels of this analysis. Each is a file; the menu below renames and "
           "removes it, and opens it in another editor."));
    connect(list_, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) { choose(item); });
    rows->addWidget(list_, 1);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 6);
    auto* add = new QPushButton(tr("Copy variant"));
    add->setToolTip(tr("Make a copy of the chosen variant, to be changed"));
    connect(add, &QPushButton::clicked, this, &UserKernels::copyWanted);
    auto* more = new QToolButton;
    more->setText(QStringLiteral("\u2026"));
    more->setToolTip(tr("Rename, remove, open elsewhere"));
    more->setAccessibleName(more->toolTip());
    more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(more);
    menu->addAction(tr("Rename..."), this, &UserKernels::askRename);
    menu->addAction(tr("Delete..."), this, &UserKernels::askRemove);
    menu->addSeparator();
    menu->addAction(tr("Open in the system's editor"), this, [this] {
        if (save()) QDesktopServices::openUrl(QUrl::fromLocalFile(file_.file()));
    });
    menu->addAction(tr("Show folder"), this, [this] {
        const QString folder = folder_ + QLatin1Char('/') + analysis_;
        QDir().mkpath(folder);
        QDesktopServices::openUrl(QUrl::fromLocalFile(folder));
    });
    more->setMenu(menu);
    bar->addWidget(add, 1);
    bar->addWidget(more);
    rows->addLayout(bar);
    return side;
}

QWidget* UserKernels::makeEditor() {
    auto* rows = new QVBoxLayout(right_);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 8, 4);
    what_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    what_->setAccessibleName(tr("Kernel that is edited"));
    run_->setToolTip(tr("Save, build and run this kernel between guard zones, and check a sample (F7)"));
    connect(run_, &QPushButton::clicked, this, &UserKernels::run);
    top->addWidget(what_, 1);
    top->addWidget(run_);
    rows->addLayout(top);
    auto* fields = new QHBoxLayout;
    fields->setContentsMargins(8, 0, 8, 4);
    fields->addWidget(defines_);
    rows->addLayout(fields);
    auto* asked = new QHBoxLayout(conflict_);
    asked->setContentsMargins(8, 4, 8, 4);
    auto* question = new QLabel(tr("Another program changed the file, and you changed the text here."));
    question->setWordWrap(true);
    asked->addWidget(question, 1);
    asked->addWidget(reload_);
    asked->addWidget(keep_);
    conflict_->setAutoFillBackground(true);
    conflict_->setBackgroundRole(QPalette::ToolTipBase);
    conflict_->hide();
    rows->addWidget(conflict_);
    notice_->setContentsMargins(8, 4, 8, 4);
    notice_->setWordWrap(true);
    notice_->setAccessibleName(tr("Notice"));
    notice_->hide();
    rows->addWidget(notice_);
    rows->addWidget(editor_, 1);
    rows->addWidget(new FindBar(*editor_));
    messages_->setFrameShape(QFrame::NoFrame);
    messages_->setAccessibleName(tr("Messages of the compiler"));
    messages_->setWhatsThis(tr("What the compiler said; a click goes to the line."));
    messages_->hide();
    rows->addWidget(messages_);
    result_->setContentsMargins(8, 6, 8, 6);
    result_->setWordWrap(true);
    result_->setTextFormat(Qt::RichText);
    result_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    result_->setAccessibleName(tr("What came of the run"));
    rows->addWidget(result_);
    connect(reload_, &QPushButton::clicked, this, [this] {
        const QString text = outside_.value_or(file_.text());
        outside_.reset();
        conflict_->hide();
        file_.take(text);
        editor_->replaceText(text);
        editor_->document()->setModified(false);
    });
    connect(keep_, &QPushButton::clicked, this, [this] {
        if (outside_) file_.take(*outside_);
        outside_.reset();
        conflict_->hide();
    });
    connect(editor_, &QPlainTextEdit::textChanged, &header_, qOverload<>(&QTimer::start));
    connect(editor_->document(), &QTextDocument::modificationChanged, this, &UserKernels::fillList);
    connect(defines_, &DefineFields::edited, this, &UserKernels::setDefine);
    const auto go = [this](QListWidgetItem* item) {
        const int line = item->data(lineRole).toInt();
        if (const QString file = item->data(placeFileRole).toString(); !file.isEmpty())
            return emit placeWanted({file.toStdString(), static_cast<std::size_t>(line)});
        if (line > 0) {
            editor_->goToLine(line - 1);
            editor_->setFocus();
        }
    };
    connect(messages_, &QListWidget::itemClicked, this, go);
    connect(messages_, &QListWidget::itemActivated, this, go);
    return right_;
}

void UserKernels::makeActions() {
    auto* start = new QAction(tr("Save and run"), this);
    start->setShortcut(QKeySequence(Qt::Key_F7));
    start->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(start, &QAction::triggered, this, &UserKernels::run);
    addAction(start);
    connect(editor_, &KernelEditor::saveWanted, this, &UserKernels::save);
}

template <class Do>
bool UserKernels::guardedBy(const Do& act) {
    try {
        act();
        return true;
    } catch (const Error& error) {
        emit failed(error);
        return false;
    }
}

void UserKernels::setFolder(const QString& folder) {
    if (!save()) return;
    folder_ = folder;
    file_.open({});
    fillList();
    showOpen();
}

void UserKernels::setAnalysis(const QString& analysis, const std::vector<Variant>& variants,
                              const std::map<std::string, std::string>& kernelFiles) {
    variants_ = variants;
    kernelFiles_ = kernelFiles;
    if (analysis != analysis_) {
        save();
        analysis_ = analysis;
        file_.open({});
        showOpen();
    }
    fillList();
    readHeader();
}

void UserKernels::fillList() {
    std::vector<Variant> shipped;
    for (const Variant& one : variants_)
        if (!one.from_user()) shipped.push_back(one);
    const auto listing = UserVariantFolder(folder_.toStdString(), shipped).listing();
    const QSignalBlocker quiet(list_);
    list_->clear();
    files_.clear();
    const auto add = [&](const Variant& variant, const QString& tip, bool broken) {
        if (variant.analysis != analysis_.toStdString()) return;
        const QString file = QString::fromStdString(variant.user_file);
        const QString name = QFileInfo(file).completeBaseName();
        files_[name] = file;
        const bool edited = file == file_.file() && editor_->document()->isModified();
        auto* item = new QListWidgetItem(edited ? name + QStringLiteral(" *") : name, list_);
        item->setData(Qt::UserRole, name);
        item->setToolTip(tip);
        if (broken) item->setForeground(palette().brush(QPalette::Disabled, QPalette::Text));
        if (file == file_.file()) list_->setCurrentItem(item);
    };
    for (const GoodUserVariant& one : listing->good)
        add(one.variant, QString::fromStdString(one.variant.title + "\n" + one.variant.user_file), false);
    for (const BrokenUserVariant& one : listing->broken)
        add(one.variant, QString::fromUtf8(one.error.what()), true);
}

void UserKernels::choose(QListWidgetItem* item) {
    if (item) open(item->data(Qt::UserRole).toString());
}

QString UserKernels::name() const {
    return QFileInfo(file_.file()).completeBaseName();
}

bool UserKernels::open(const QString& name) {
    const auto found = files_.find(name);
    if (found == files_.end()) return false;
    const QString file = found->second;
    if (file == file_.file()) return true;
    if (outside_) {
        editor_->setFocus();  // the question is open: nothing may be lost
        fillList();
        return false;
    }
    if (!save() || !guardedBy([&] { file_.open(file); })) {
        fillList();
        return false;
    }
    showOpen();
    fillList();
    return true;
}

void UserKernels::showOpen() {
    const bool any = !file_.file().isEmpty();
    outside_.reset();
    conflict_->hide();
    notice_->hide();
    messages_->clear();
    messages_->hide();
    editor_->setText(file_.text());
    for (QWidget* one :
         {static_cast<QWidget*>(editor_), static_cast<QWidget*>(defines_), static_cast<QWidget*>(run_)})
        one->setEnabled(any);
    what_->setText(any ? QString() : tr("Copy a variant to write a kernel of your own."));
    resultText_ = nullptr;
    result_->setText(any ? tr("F7 saves, builds and runs this kernel, and checks a sample of its result.")
                         : QString());
    readHeader();
}

const Variant* UserKernels::base() const {
    const auto found = std::ranges::find(variants_, baseId_, &Variant::id);
    return found == variants_.end() ? nullptr : &*found;
}

void UserKernels::readHeader() {
    if (file_.file().isEmpty()) {
        baseId_.clear();
        return defines_->setDefines({}, {});
    }
    try {
        const UserVariant own =
            user_variant_of_text(analysis_.toStdString(), file(), editor_->toPlainText().toStdString());
        baseId_ = own.base;
        what_->setText(tr("<b>%1</b>&nbsp; launched as %2")
                           .arg(QString::fromStdString(own.id()).toHtmlEscaped(),
                                QString::fromStdString(own.base).toHtmlEscaped()));
        defines_->setDefines(base() ? base()->defines : std::vector<DefineSpec>(), own.defines);
        defines_->setEnabled(true);
    } catch (const Error& error) {
        what_->setText(QString::fromStdString(error.message()).toHtmlEscaped());
        defines_->setEnabled(false);
    }
    what_->setToolTip(file_.file());
}

void UserKernels::setDefine(const QString& name, const QString& value) {
    const QString before = editor_->toPlainText();
    const QString after =
        QString::fromStdString(with_define(before.toStdString(), name.toStdString(), value.toStdString()));
    if (after != before) editor_->replaceText(after);
}

bool UserKernels::save() {
    if (file_.file().isEmpty() || !editor_->document()->isModified()) return true;
    if (outside_) {
        emit failed(Error(ErrorKind::input, "another program changed the file", file(),
                          "take the file's text, or keep yours, before saving"));
        return false;
    }
    return guardedBy([this] {
        file_.save(editor_->toPlainText());
        editor_->document()->setModified(false);
    });
}

void UserKernels::run() {
    if (file_.file().isEmpty() || !save()) return;
    header_.stop();
    readHeader();
    messages_->clear();
    messages_->hide();
    notice_->hide();
    editor_->setMessages({});
    emit trialWanted({analysis_, QString::fromLatin1(UserVariant::user_variant_prefix) + name(),
                      QString::fromStdString(baseId_)});
}

QString UserKernels::freeName(const Variant& of) const {
    QString stem = QString::fromStdString(of.id);
    if (is_user_variant(of.id)) stem = stem.mid(QString::fromLatin1(UserVariant::user_variant_prefix).size());
    QString free = stem;
    for (int i = 2; files_.contains(free); ++i) free = QStringLiteral("%1-%2").arg(stem).arg(i);
    return free;
}

bool UserKernels::copy(const Variant& of, const QString& name) {
    if (!save()) return false;
    const bool made = guardedBy(
        [&] { save_user_variant(copy_for_user(of, name.toStdString(), folder_.toStdString()), false); });
    if (!made) return false;
    fillList();
    emit listChanged();
    return open(name);
}

void UserKernels::askRename() {
    if (file_.file().isEmpty()) return;
    bool given = false;
    const QString to = QInputDialog::getText(this, tr("Rename"), tr("Name of the kernel"), QLineEdit::Normal,
                                             name(), &given);
    if (given && !to.isEmpty()) rename(to);
}

void UserKernels::rename(const QString& to) {
    if (to == name() || !save()) return;
    guardedBy([&] {
        require_variant_name(to.toStdString(), "name of the kernel");
        const QString from = file_.file(), path = QFileInfo(from).dir().filePath(to + QStringLiteral(".cl"));
        if (QFileInfo::exists(path))
            throw Error(ErrorKind::input, "there is a kernel of this name", path.toStdString());
        file_.open({});
        const bool moved = QFile::rename(from, path);
        file_.open(moved ? path : from);
        if (!moved) throw Error(ErrorKind::input, "it could not be renamed", from.toStdString());
    });
    fillList();
    showOpen();
    emit listChanged();
}

void UserKernels::askRemove() {
    if (file_.file().isEmpty()) return;
    const auto answer =
        QMessageBox::question(this, tr("Delete"),
                              tr("Delete the kernel %1? Its file goes to the trash where there "
                                 "is one.")
                                  .arg(name()),
                              QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel);
    if (answer == QMessageBox::Yes) remove();
}

void UserKernels::remove() {
    const QString gone = file_.file();
    if (gone.isEmpty()) return;
    file_.open({});
    editor_->document()->setModified(false);
    if (!QFile::moveToTrash(gone) && !QFile::remove(gone))
        emit failed(Error(ErrorKind::input, "it could not be removed", gone.toStdString()));
    fillList();
    showOpen();
    emit listChanged();
}

void UserKernels::takeOutside(const QString& text) {
    if (text == editor_->toPlainText()) {
        file_.take(text);
        outside_.reset();
        conflict_->hide();
        editor_->document()->setModified(false);
    } else if (!editor_->document()->isModified()) {
        file_.take(text);
        editor_->replaceText(text);
        editor_->document()->setModified(false);
        notice_->setText(
            tr("Another program changed the file: this is its text now (Ctrl+Z takes it back)."));
        notice_->show();
    } else {
        outside_ = text;
        conflict_->show();
    }
}

void UserKernels::setRunning(const QString& what) {
    resultText_ = nullptr;
    result_->setText(what.toHtmlEscaped());
}

void UserKernels::setResult(const Run& run, const Run* base) {
    // What is shown of a run outlives it: its results may be large.
    Run brief;
    brief.request.guarded = run.request.guarded;
    brief.verdict = run.verdict;
    brief.timings = run.timings;
    std::optional<Run> other;
    if (base) {
        other.emplace();
        other->variant.id = base->variant.id;
        other->timings = base->timings;
    }
    resultText_ = [this, brief, other] { return trialText(brief, other ? &*other : nullptr, palette()); };
    result_->setText(resultText_());
}

void UserKernels::setError(const Error& error) {
    resultText_ = [this, error] {
        return QStringLiteral("<span style='color:%1'><b>%2</b></span> %3")
            .arg(QLatin1String(isDark(palette()) ? "#ff7b72" : "#c62828"),
                 QString::fromStdString(error.message()).toHtmlEscaped(),
                 QString::fromStdString(error.hint()).toHtmlEscaped());
    };
    result_->setText(resultText_());
    showBuildMessages(error);
}

void UserKernels::showBuildMessages(const Error& error) {
    std::vector<CompilerMessage> found;
    if (const auto line = lineOf(error.where(), file()))
        found.push_back(
            {CompilerMessage::Kind::error, file(), line, std::nullopt, error.message(), error.message()});
    if (error.kind() == ErrorKind::build)
        for (CompilerMessage& one : compiler_messages(error.details())) found.push_back(std::move(one));
    const ResolvedSource source = resolve_source(file(), editor_->toPlainText().toStdString(), kernelFiles_);
    QHash<int, KernelEditor::Message> marks;
    int firstError = -1;
    messages_->clear();
    for (const CompilerMessage& one : found) {
        const std::optional<SourcePlace> place = kernelFiles_.contains(one.file) && one.line
                                                     ? SourcePlace{one.file, *one.line}
                                                     : source.place_of(one);
        const QString text = QString::fromStdString(place ? one.text : one.whole);
        auto* item = new QListWidgetItem(messages_);
        const bool here = place && place->file == file();
        item->setText(!place ? text
                      : here ? tr("Line %1: %2").arg(place->line).arg(text)
                             : QStringLiteral("%1:%2: %3")
                                   .arg(QString::fromStdString(place->file))
                                   .arg(place->line)
                                   .arg(text));
        if (!place) continue;
        item->setData(lineRole, static_cast<int>(place->line));
        if (!here) {
            item->setData(placeFileRole, QString::fromStdString(place->file));
            continue;
        }
        const int line = static_cast<int>(place->line) - 1;
        const bool isError = one.kind == CompilerMessage::Kind::error;
        if (isError && firstError < 0) firstError = line;
        KernelEditor::Message& mark = marks[line];
        if (mark.text.isEmpty() || isError)
            mark.mark = isError ? CodeView::Mark::error : CodeView::Mark::warning;
        mark.text += (mark.text.isEmpty() ? QString() : QStringLiteral("\n")) + text;
    }
    messages_->setVisible(messages_->count() > 0);
    messages_->setFixedHeight(
        std::min(messageHeight, messages_->count() * (messages_->sizeHintForRow(0) + 1) + 6));
    editor_->setMessages(marks);
    if (firstError >= 0) editor_->goToLine(firstError);
}

void UserKernels::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && resultText_) result_->setText(resultText_());
}

void UserKernels::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    if (!outside_) save();
}

}  // namespace ks::ui
