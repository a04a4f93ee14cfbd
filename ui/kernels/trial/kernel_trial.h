#pragma once

#include <QMetaType>
#include <QString>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/run/verdict.h"

namespace ks::ui {

/// What a trial of a kernel works on.
enum class TrialData {
    page,            ///< data and parameters of the analysis' page
    generatedSmall,  ///< a small problem that the analysis makes
    generatedUsual   ///< one as the page Lab times it
};

struct TrialDataChoice {
    TrialData data = TrialData::page;
    QString text;  ///< "as on the page XPCS"
    QString tip = {};
    bool operator==(const TrialDataChoice&) const = default;
};

/// A kernel of the user's own that is to be run, as it lies in its file.
struct KernelTrial {
    QString analysis, id, base;
    TrialData data = TrialData::page;
    std::optional<int> repeats = {};  ///< runs of it and of its base; nothing: as many as are soon done
    quint64 number = 0;               ///< of the trial, from 1
};

/// Kernel times of runs of a trial and its base in turn, nanoseconds.
struct TrialTimes {
    std::vector<double> own, base;
    QString failure = {};  ///< why one of the lists is empty
};

/// What came of a trial: at first the verdict, later the times.
struct TrialResult {
    QString base;  ///< id
    Verdict verdict;
    bool guarded = false;
    double kernelNanoseconds = 0;  ///< of the first run
    QString problem;               ///< what it worked on: "on a generated problem: Frames 64"
    bool placeCanBeShown = false;  ///< of the verdict
    bool racesLookedFor = false;   ///< by a check of accesses of the same text
    std::map<std::string, std::string> compiled = {};  ///< values of its defines, by their names
    std::optional<TrialTimes> times = {};
    QString printed = {};   ///< the first line that the kernel printed, or with how many more; empty: none
    QString note = {};      ///< why there are no times, or not yet
    bool underWay = false;  ///< the times are still to come
};

}  // namespace ks::ui
