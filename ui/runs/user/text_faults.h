#pragma once

#include <QObject>
#include <QStringList>
#include <map>
#include <string>
#include <utility>

#include "core/run/bench.h"
#include "core/run/run.h"
#include "core/run/verdict.h"

namespace ks::ui {

/// Verdict::where of runs whose values are not what is wrong.
inline constexpr const char* wrong_accesses = "accesses";

/// Texts of the user's kernels in which an access check has found faults since the program started. Runs of
/// such a text are wrong, even if their values are right.
class TextFaults : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Without faults nothing changes: those of an earlier check, of another launch perhaps, remain.
    /// @param mark text_mark() of the text with its included files
    /// @param faults as in AccessResult
    void put(const std::string& analysis, const std::string& mark, const QStringList& faults);

    /// As put(); empty: none are known.
    QStringList of(const std::string& analysis, const std::string& mark) const;
    /// The verdict of a run of this text: "fail", and why, for one that found no fault.
    Verdict judged(const std::string& analysis, const std::string& mark, const Verdict& verdict) const;
    /// The same for a run of any kernel.
    Verdict judged(const Run& run) const;
    /// The same for all rows of a benchmark. Returns whether there are any of such texts.
    bool judge(BenchReport& report) const;
    /// What was known when a run of an earlier start was judged.
    void learn(const Run& run);

  signals:
    /// Further texts have faults.
    void changed();

  private:
    std::map<std::pair<std::string, std::string>, QStringList> faults_;  ///< by analysis and mark
};

}  // namespace ks::ui
