#pragma once

#include <QWidget>

#include "ui/shell/analysis_page.h"

class QLabel;
class QPushButton;

namespace ks::ui {
class ParameterForm;
}

namespace ks::ui::particles {

class SourceSet;

/// Describes the open sources and sets the parameters of the demo's.
class SourcesPanel : public QWidget {
    Q_OBJECT
  public:
    explicit SourcesPanel(QWidget* parent = nullptr);

    /// Null: none.
    void setSources(const SourceSet* sources);
    QString text() const;
    Demo demo() const;
    ParameterForm& generator() { return *form_; }
    QPushButton& make() { return *make_; }

  signals:
    void demoRequested();

  private:
    QLabel* text_;
    ParameterForm* form_;
    QPushButton* make_;
};

}  // namespace ks::ui::particles
