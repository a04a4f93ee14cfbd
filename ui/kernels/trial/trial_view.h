#pragma once

#include <QHash>
#include <QString>
#include <QWidget>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/kernels/compiler_message.h"
#include "core/kernels/resolved_source.h"
#include "ui/kernels/kernel_editor.h"
#include "ui/kernels/trial/kernel_trial.h"

class QLabel;
class QListWidget;

namespace ks::ui {

class UnderWay;

/// Result of the newest trial of a kernel: compiler messages, and below them a line with verdict and times.
class TrialView : public QWidget {
    Q_OBJECT
  public:
    explicit TrialView(QWidget* parent = nullptr);

    /// No result yet; a line says what to do. A running trial, which may be of another kernel, stays shown.
    void setHint(const QString& text);
    /// A trial begins: the previous result is removed, and the timer starts.
    void begin(const QString& what);
    /// Current step of the trial, if one is running.
    void setStep(const QString& what);
    /// The running trial has ended: its line disappears.
    void end();
    bool isRunning() const;
    /// The text has changed since, or is again the one that was run: the line says so.
    void setOutdated(bool outdated);
    /// What an access check found in the text that was run: the line says so.
    void setAccesses(const AccessResult& accesses);
    /// Lines of the text, counted from 0, with the compiler messages for them.
    struct Marks {
        QHash<int, KernelEditor::Message> lines;
        std::optional<int> firstError;
    };
    /// Warnings of the compiler are listed and marked as those of a kernel that does not build.
    /// @param text of the kernel in this file, with the user's included files inserted
    /// @param kernelFiles texts by path
    Marks setResult(const TrialResult& result, const std::string& file, const std::string& text,
                    const std::map<std::string, std::string>& kernelFiles);
    Marks setError(const Error& error, const std::string& file, const std::string& text,
                   const std::map<std::string, std::string>& kernelFiles);

    QListWidget& messages() { return *messages_; }
    QLabel& line() { return *line_; }
    UnderWay& underWay() { return *underWay_; }

  signals:
    /// A message was clicked: it refers to a line of the text, counted from 0, or to a kernel file of the
    /// program.
    void lineWanted(int line);
    void placeWanted(const ks::SourcePlace& place);
    /// The place of the largest error was clicked.
    void worstPlaceWanted();
    void cancelWanted();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    /// As high as its rows and the bar below them, up to a limit.
    void fitMessages();
    void dropMessages();
    /// Lists messages of the compiler in place of the earlier ones.
    Marks list(const std::vector<CompilerMessage>& messages, const std::string& file, const std::string& text,
               const std::map<std::string, std::string>& kernelFiles);
    void setText(std::function<QString()> text, bool ofRun);

    void showLine();

    std::function<QString()> text_;  ///< in the colours of the palette
    bool ofRun_ = false;             ///< a result, not a hint
    bool outdated_ = false;
    AccessResult accesses_;
    QListWidget* messages_;
    UnderWay* underWay_;
    QLabel* line_;
};

}  // namespace ks::ui
