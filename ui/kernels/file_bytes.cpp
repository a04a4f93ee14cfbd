#include "ui/kernels/file_bytes.h"

#include <QByteArray>
#include <QChar>
#include <QStringDecoder>
#include <QStringList>
#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.h"

namespace ks::ui {
namespace {

constexpr QChar byteOrderMark(0xfeff), noBreakSpace(0x00a0);

enum class Encoding { utf8, latin1 };

struct Decoded {
    QString text;  ///< every character of the file
    Encoding encoding;
};

Decoded decoded(const std::string& bytes) {
    QStringDecoder utf8(QStringDecoder::Utf8, QStringDecoder::Flag::ConvertInitialBom);
    const QString text = utf8(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
    if (!utf8.hasError() && text.toStdString() == bytes) return {text, Encoding::utf8};
    return {QString::fromLatin1(bytes.data(), static_cast<qsizetype>(bytes.size())), Encoding::latin1};
}

/// Characters at which QTextDocument begins a line.
bool endsLine(QChar c) {
    return c == u'\n' || c == u'\r' || c == QChar::ParagraphSeparator || c == QChar::LineSeparator ||
           c == QChar(0xfdd0) || c == QChar(0xfdd1);
}

QString shownLine(QString line) {
    return line.replace(noBreakSpace, u' ');
}

struct Line {
    QString text, end;  ///< all characters; the end is empty at the end of the file
};

std::vector<Line> linesOf(const QString& text) {
    std::vector<Line> lines;
    qsizetype from = 0;
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (!endsLine(text[at])) continue;
        const bool pair = text[at] == u'\r' && at + 1 < text.size() && text[at + 1] == u'\n';
        lines.push_back({text.mid(from, at - from), text.mid(at, pair ? 2 : 1)});
        if (pair) ++at;
        from = at + 1;
    }
    lines.push_back({text.mid(from), {}});
    return lines;
}

QString commonEnd(const std::vector<Line>& lines) {
    std::map<QString, int> counts;
    for (const Line& line : lines)
        if (!line.end.isEmpty()) ++counts[line.end];
    const auto most =
        std::ranges::max_element(counts, {}, [](const auto& counted) { return counted.second; });
    return most == counts.end() ? QStringLiteral("\n") : most->first;
}

/// The lines of a text with the characters and the ends that they had before.
std::vector<Line> mergedLines(const QStringList& now, const std::vector<Line>& before) {
    const auto size = static_cast<std::size_t>(now.size());
    const std::size_t shorter = std::min(size, before.size());
    const auto isSame = [&](std::size_t line, std::size_t old) {
        return now[static_cast<qsizetype>(line)] == shownLine(before[old].text);
    };
    std::size_t head = 0, tail = 0;
    while (head < shorter && isSame(head, head)) ++head;
    while (tail < shorter - head && isSame(size - 1 - tail, before.size() - 1 - tail)) ++tail;
    std::multimap<QString, const Line*> changed;
    for (std::size_t i = head; i < before.size() - tail; ++i)
        changed.emplace(shownLine(before[i].text), &before[i]);
    const bool sameCount = size == before.size();
    std::vector<Line> merged;
    for (std::size_t i = 0; i < size; ++i) {
        const QString& shown = now[static_cast<qsizetype>(i)];
        if (i < head) {
            merged.push_back(before[i]);
        } else if (i >= size - tail) {
            merged.push_back(before[i + before.size() - size]);
        } else if (const auto known = changed.find(shown); known != changed.end()) {
            merged.push_back(*known->second);
            changed.erase(known);
        } else {
            merged.push_back({shown, sameCount ? before[i].end : QString()});
        }
    }
    return merged;
}

}  // namespace

QString shownText(const std::string& bytes) {
    QString text = decoded(bytes).text;
    if (text.startsWith(byteOrderMark)) text.remove(0, 1);
    QString shown;
    shown.reserve(text.size());
    for (const Line& line : linesOf(text)) {
        shown += shownLine(line.text);
        if (!line.end.isEmpty()) shown += u'\n';
    }
    return shown;
}

std::string bytesOf(const QString& text, const std::string& before, const std::string& file) {
    Decoded old = decoded(before);
    const bool marked = old.text.startsWith(byteOrderMark);
    if (marked) old.text.remove(0, 1);
    const std::vector<Line> lines = linesOf(old.text);
    const QString end = commonEnd(lines);
    std::vector<Line> merged = mergedLines(text.split(u'\n'), lines);
    QString all = marked ? QString(byteOrderMark) : QString();
    for (std::size_t i = 0; i < merged.size(); ++i) {
        const Line& line = merged[i];
        if (old.encoding == Encoding::latin1 &&
            std::ranges::any_of(line.text, [](QChar c) { return c.unicode() > 0xff; }))
            throw Error(
                ErrorKind::input,
                fmt::format("line {} has a character that the file's encoding, Latin-1, does not have",
                            i + 1),
                file, "replace the character, or convert the file to UTF-8 with another program");
        all += line.text;
        if (i + 1 < merged.size()) all += line.end.isEmpty() ? end : line.end;
    }
    return old.encoding == Encoding::latin1 ? all.toLatin1().toStdString() : all.toStdString();
}

}  // namespace ks::ui
