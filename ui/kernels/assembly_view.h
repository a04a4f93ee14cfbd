#pragma once

#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/kernels/assembly.h"
#include "core/kernels/resolved_source.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace ks::ui {

class CodeView;

/// A program whose instructions can be asked for.
struct AssemblyProgram {
    AssemblyRequest request;
    ResolvedSource source;
};

/// The instructions that a driver makes of the programs of a run, on demand. The margin has the line of the
/// source that an instruction belongs to, where the compiler tells; a click there leads to it.
class AssemblyView : public QWidget {
    Q_OBJECT
  public:
    explicit AssemblyView(QWidget* parent = nullptr);

    /// Of another run.
    void setPrograms(std::vector<AssemblyProgram> programs);
    /// What wanted() asked for last.
    void setAssembly(const Assembly& assembly);
    void setNote(const QString& text);
    /// Marks the instructions of a line of the source.
    void markPlace(const SourcePlace& place);
    QPushButton& ask() { return *ask_; }
    CodeView& text() { return *text_; }
    QLabel& note() { return *note_; }

  signals:
    void wanted(const ks::AssemblyRequest& request);
    void placeClicked(const ks::SourcePlace& place);

  private:
    const AssemblyProgram* program() const;

    std::vector<AssemblyProgram> programs_;
    std::vector<std::optional<SourcePlace>> places_;  ///< of each line that is shown
    QComboBox* choice_;
    QPushButton* ask_;
    QLabel* note_;
    CodeView* text_;
};

}  // namespace ks::ui
