#include "ui/shell/help/manual_pages.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextDocument>
#include <algorithm>

// The resources are in a static library: without this the linker drops them. The macro must be in the global
// namespace.
static void useManual() {
    Q_INIT_RESOURCE(manual);
}

namespace ks::ui {
namespace {

const QString tutorial = QStringLiteral("tutorial/"), contentsPage = tutorial + QStringLiteral("README.md"),
              builtIn = QStringLiteral(":/manual/");

QString readPage(const QString& name) {
    useManual();
    QFile file(builtIn + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// All that are built in: the contents of the tutorial, the pages in the order of their links there, others.
const QStringList& pageNames() {
    static const QStringList names = [] {
        const QString text = readPage(contentsPage);
        const auto place = [&text](const QString& name) {
            if (name == contentsPage) return qsizetype{-1};
            const QString link =
                name.startsWith(tutorial) ? name.mid(tutorial.size()) : QStringLiteral("../") + name;
            const qsizetype at = text.indexOf(QStringLiteral("](") + link);
            return at < 0 ? text.size() : at;
        };
        QStringList all;
        for (QDirIterator file(builtIn, QDir::Files, QDirIterator::Subdirectories); file.hasNext();)
            all << file.next().mid(builtIn.size());
        all.sort();
        std::ranges::stable_sort(all, {}, place);
        return all;
    }();
    return names;
}

/// Target of a link on a page, without the anchor.
QString linkedName(const QString& page, const QString& link) {
    const QString path = link.section('#', 0, 0);
    if (path.isEmpty()) return page;
    return QDir::cleanPath(QFileInfo(page).path() + QStringLiteral("/") + path);
}

template <class Replace>
QString replaced(const QString& text, const QRegularExpression& pattern, Replace replace) {
    QString out;
    qsizetype from = 0;
    for (auto found = pattern.globalMatch(text); found.hasNext();) {
        const QRegularExpressionMatch one = found.next();
        out += text.mid(from, one.capturedStart() - from) + replace(one);
        from = one.capturedEnd();
    }
    return out + text.mid(from);
}

ManualPage laidOut(const QString& name) {
    ManualPage page{name, name, {}};
    QTextDocument document;
    document.setMarkdown(manualText(name));
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        page.blocks.push_back({block.text(), block.blockFormat().headingLevel()});
    for (const ManualBlock& block : page.blocks)
        if (block.heading == 1) {
            page.title = block.text;
            break;
        }
    return page;
}

QString anchorOf(const QString& heading) {
    QString anchor;
    for (const QChar c : heading.toLower()) {
        if (c.isLetterOrNumber() || c == '-' || c == '_') anchor += c;
        if (c == ' ') anchor += '-';
    }
    return anchor;
}

}  // namespace

const QList<ManualPage>& manualPages() {
    static const QList<ManualPage> pages = [] {
        QList<ManualPage> made;
        for (const QString& name : pageNames()) made.push_back(laidOut(name));
        return made;
    }();
    return pages;
}

const ManualPage* manualPage(const QString& name) {
    for (const ManualPage& page : manualPages())
        if (page.name == name) return &page;
    return nullptr;
}

QString manualPageOf(const QString& analysis) {
    const QString own = tutorial + analysis + QStringLiteral(".md");
    return pageNames().contains(own) ? own : contentsPage;
}

QUrl manualUrl(const QString& name) {
    return QUrl(QStringLiteral("qrc:/manual/") + name);
}

QString manualName(const QUrl& url) {
    const QString root = QStringLiteral("/manual/");
    return url.scheme() == QLatin1String("qrc") && url.path().startsWith(root) ? url.path().mid(root.size())
                                                                               : QString();
}

QString manualText(const QString& name) {
    static const QRegularExpression picture(QStringLiteral("!\\[[^\\]]*\\]\\(([^)\\s]+)\\)")),
        link(QStringLiteral("(?<!!)\\[([^\\]]*)\\]\\(([^)\\s]+)\\)"));
    const QString shown = replaced(readPage(name), picture, [](const QRegularExpressionMatch& one) {
        return manualPicture(QFileInfo(one.captured(1)).fileName()).isEmpty() ? QString() : one.captured();
    });
    return replaced(shown, link, [&](const QRegularExpressionMatch& one) {
        const QString to = one.captured(2);
        const bool there = to.contains(QLatin1String("://")) || pageNames().contains(linkedName(name, to));
        return there ? one.captured() : one.captured(1);
    });
}

QString manualPicture(const QString& leaf) {
    const QDir program(QCoreApplication::applicationDirPath());
    for (const char* folder : {"../share/kernelscope/images", "../../docs/images", "../../../docs/images"}) {
        const QString file = program.filePath(QLatin1String(folder) + QStringLiteral("/") + leaf);
        if (QFileInfo(file).isFile()) return QDir::cleanPath(file);
    }
    return {};
}

int manualBlockOf(const ManualPage& page, const QString& anchor) {
    for (qsizetype i = 0; i < page.blocks.size(); ++i)
        if (page.blocks[i].heading > 0 && anchorOf(page.blocks[i].text) == anchor) return static_cast<int>(i);
    return -1;
}

}  // namespace ks::ui
