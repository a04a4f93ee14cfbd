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

/// A program whose instructions can be shown.
struct AssemblyProgram {
    AssemblyRequest request;
    ResolvedSource source;
};

/// The instructions that the driver generates for the programs of a run, on demand. If the compiler provides
/// it, the margin shows the source line of an instruction; a click there goes to it.
class AssemblyView : public QWidget {
    Q_OBJECT
  public:
    explicit AssemblyView(QWidget* parent = nullptr);

    /// Call for another run.
    void setPrograms(std::vector<AssemblyProgram> programs);
    /// The result of the last wanted().
    void setAssembly(const Assembly& assembly);
    void setNote(const QString& text);
    /// Marks the instructions of a source line.
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
    std::vector<std::optional<SourcePlace>> places_;  ///< of each visible line
    QComboBox* choice_;
    QPushButton* ask_;
    QLabel* note_;
    CodeView* text_;
};

}  // namespace ks::ui
