#include "ui/kernels/kernel_highlighter.h"

#include <QRegularExpression>
#include <QSet>
#include <QStringList>
#include <array>

#include "ui/base/palette.h"

namespace ks::ui {
namespace {

constexpr int inComment = 1;  ///< state of a line that ends within a comment

QSet<QString> words(const char* text) {
    const QStringList list = QString::fromLatin1(text).split(QLatin1Char(' '));
    return {list.begin(), list.end()};
}

/// Kind of a known name; -1: an ordinary one.
int kindOf(const QString& name, int word, int type, int space, int builtIn) {
    static const QSet<QString> language = words(
        "break case const continue default do else enum extern for goto if inline restrict return sizeof "
        "static struct switch typedef union volatile while __attribute__");
    static const QSet<QString> spaces = words(
        "kernel __kernel global __global local __local constant __constant private __private read_only "
        "write_only read_write __read_only __write_only __read_write generic __generic");
    static const QSet<QString> plain = words(
        "void bool size_t ptrdiff_t intptr_t uintptr_t sampler_t event_t image1d_t image2d_t image3d_t "
        "image1d_array_t image2d_array_t image1d_buffer_t unsigned signed");
    static const QSet<QString> functions = words(
        "get_global_id get_local_id get_group_id get_global_size get_local_size get_num_groups get_work_dim "
        "get_global_offset barrier mem_fence work_group_barrier printf fma mad native_exp2 native_exp exp "
        "exp2 sqrt rsqrt native_rsqrt native_recip sin cos native_sin native_cos log log2 pow fabs fmin fmax "
        "min max clamp select dot cross length normalize distance floor ceil round trunc all any vload2 "
        "vload4 vload8 vload16 vstore2 vstore4 vstore8 vstore16 popcount mul24 mad24 abs "
        "async_work_group_copy wait_group_events read_imagef read_imagei read_imageui write_imagef "
        "write_imagei write_imageui");
    static const QRegularExpression scalar(
        QStringLiteral("^(u?(char|short|int|long)|float|double|half)(2|3|4|8|16)?$"));
    static const QRegularExpression generated(
        QStringLiteral("^(convert_|as_|atomic_|atom_|native_|half_|sub_group_|work_group_)\\w+$"));
    if (language.contains(name)) return word;
    if (spaces.contains(name)) return space;
    if (plain.contains(name) || scalar.match(name).hasMatch()) return type;
    if (functions.contains(name) || generated.match(name).hasMatch()) return builtIn;
    return -1;
}

}  // namespace

KernelHighlighter::KernelHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {
    setPalette(QPalette());
}

void KernelHighlighter::setPalette(const QPalette& palette) {
    const bool dark = isDark(palette);
    if (!formats_.empty() && dark == dark_) return;
    dark_ = dark;
    struct Look {
        const char *light, *dark;
        bool bold;
    };
    constexpr std::array<Look, KindCount> looks{{{"#0033b3", "#7aa6ff", true},
                                                 {"#00627a", "#56c8d8", false},
                                                 {"#8a3ffc", "#c7a0ff", true},
                                                 {"#795e26", "#e3c878", false},
                                                 {"#1750eb", "#9cc4ff", false},
                                                 {"#067d17", "#8fd48f", false},
                                                 {"#9e4a06", "#f0a868", false},
                                                 {"#5f6b76", "#98a5b1", false}}};
    formats_.clear();
    for (const Look& look : looks) {
        QTextCharFormat format;
        format.setForeground(QColor(QLatin1String(dark ? look.dark : look.light)));
        if (look.bold) format.setFontWeight(QFont::DemiBold);
        formats_.push_back(format);
    }
    formats_[Comment].setFontItalic(true);
    rehighlight();
}

void KernelHighlighter::highlightBlock(const QString& text) {
    static const QRegularExpression token(QStringLiteral(
        "(?<directive>^\\s*#\\s*\\w+)|(?<line>//.*$)|(?<block>/\\*)|(?<text>\"(?:[^\"\\\\]|\\\\.)*\"?)|"
        "(?<number>\\b(?:0[xX][0-9a-fA-F]+|\\d+\\.?\\d*(?:[eE][+-]?\\d+)?|\\.\\d+)[uUlLfF]*)|"
        "(?<name>[A-Za-z_]\\w*)"));
    setCurrentBlockState(0);
    qsizetype from = 0;
    const auto comment = [&](qsizetype begin) {
        const qsizetype end = text.indexOf(QLatin1String("*/"), begin);
        const qsizetype stop = end < 0 ? text.size() : end + 2;
        if (end < 0) setCurrentBlockState(inComment);
        setFormat(static_cast<int>(from), static_cast<int>(stop - from), formats_[Comment]);
        from = stop;
    };
    if (previousBlockState() == inComment) comment(0);
    while (from < text.size()) {
        const QRegularExpressionMatch match = token.match(text, from);
        if (!match.hasMatch()) return;
        from = match.capturedStart();
        if (match.hasCaptured(u"block")) {
            comment(from + 2);
            continue;
        }
        int kind = Directive;
        if (match.hasCaptured(u"line"))
            kind = Comment;
        else if (match.hasCaptured(u"text"))
            kind = Text;
        else if (match.hasCaptured(u"number"))
            kind = Number;
        else if (match.hasCaptured(u"name"))
            kind = kindOf(match.captured(), Word, Type, Space, BuiltIn);
        if (kind >= 0)
            setFormat(static_cast<int>(from), static_cast<int>(match.capturedLength()),
                      formats_[static_cast<std::size_t>(kind)]);
        from = match.capturedEnd();
    }
}

}  // namespace ks::ui
