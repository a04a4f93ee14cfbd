#include "ui/kernels/access/finding_rows.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <array>

#include "core/judge/questions.h"
#include "core/kernels/compiler_message.h"

namespace ks::ui {
namespace {

QString findingTr(const char* text) {
    return QCoreApplication::translate("Findings", text);
}

struct QuestionTitle {
    const char *id, *title;
};
constexpr std::array titles{
    QuestionTitle{"builds", "Builds"},           QuestionTitle{"guards", "Guard zones"},
    QuestionTitle{"ends", "Ends in time"},       QuestionTitle{"survives", "Process survives"},
    QuestionTitle{"values", "Values"},           QuestionTitle{"races", "Data races"},
    QuestionTitle{"accesses", "Wrong accesses"}, QuestionTitle{"uninitialised", "Uninitialised memory"},
    QuestionTitle{"barriers", "Wrong barriers"}};

/// The kernel's own file is the one shown: its name is removed, and its lines are referred to by number.
QString inShort(const std::string& text, const std::string& file) {
    QString shown = QString::fromStdString(text);
    if (file.empty()) return shown;
    const QString own = QRegularExpression::escape(QString::fromStdString(file));
    shown.replace(QRegularExpression(own + QStringLiteral(":(?=[0-9])")), findingTr("line "));
    return shown.remove(QRegularExpression(own + QStringLiteral(": ")));
}

QString placeName(const SourcePlace& place, const std::string& file) {
    return place.file == file
               ? findingTr("line %1").arg(place.line)
               : QStringLiteral("%1:%2").arg(QString::fromStdString(place.file)).arg(place.line);
}

FindingRow rowOf(const Finding& finding, const std::string& file) {
    const auto known =
        std::ranges::find_if(titles, [&](const QuestionTitle& one) { return finding.id == one.id; });
    const QString title =
        known == titles.end() ? QString::fromStdString(finding.id) : findingTr(known->title);
    const std::string answer = line_of(finding).substr(finding.id.size());
    FindingRow row{finding.state, title + inShort(answer, file), {}, false};
    if (!finding.places.empty()) row.place = finding.places.front();
    return row;
}

}  // namespace

std::vector<FindingRow> findingRows(const std::vector<Finding>& findings, const std::string& file,
                                    const std::string& text,
                                    const std::map<std::string, std::string>& kernelFiles) {
    const ResolvedSource source = resolve_source(file, text, kernelFiles);
    std::vector<FindingRow> rows;
    for (const Finding& finding : findings) {
        rows.push_back(rowOf(finding, file));
        for (std::size_t i = 1; i < finding.places.size(); ++i)
            rows.push_back({finding.state, findingTr("and %1").arg(placeName(finding.places[i], file)),
                            finding.places[i], true});
        if (finding.details.empty()) continue;
        for (const CompilerMessage& message : compiler_messages(finding.details)) {
            const std::optional<SourcePlace> place = place_of(message, source, kernelFiles);
            const QString said = QString::fromStdString(place ? message.text : message.whole);
            if (!said.trimmed().isEmpty())
                rows.push_back({finding.state,
                                place ? QStringLiteral("%1: %2").arg(placeName(*place, file), said) : said,
                                place, true});
        }
    }
    return rows;
}

Finding::State worstState(const std::vector<Finding>& findings) {
    const auto any = [&](Finding::State state) {
        return std::ranges::find(findings, state, &Finding::state) != findings.end();
    };
    return any(Finding::State::no)        ? Finding::State::no
           : any(Finding::State::unknown) ? Finding::State::unknown
                                          : Finding::State::yes;
}

QString findingsHeadline(const std::vector<Finding>& findings) {
    const auto wrong = std::ranges::count(findings, Finding::State::no, &Finding::state),
               unknown = std::ranges::count(findings, Finding::State::unknown, &Finding::state);
    const QString open = unknown == 0 ? QString() : findingTr("; %1 unknown").arg(unknown);
    if (wrong == 0) return findingTr("no faults found") + open;
    return findingTr("%1 of %2 checks failed").arg(wrong).arg(findings.size()) + open;
}

}  // namespace ks::ui
