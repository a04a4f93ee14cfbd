#pragma once

#include <QWidget>
#include <map>
#include <string>
#include <vector>

#include "core/run/variant.h"

class QLabel;

namespace ks::ui {

class DefineFields;

/// What the header of an edited kernel says: its id, the mark of its text and its base, and fields for its
/// defines.
class KernelHead : public QWidget {
    Q_OBJECT
  public:
    /// @param bar at the right of the id
    explicit KernelHead(QWidget* bar, QWidget* parent = nullptr);

    /// @param variants of the analysis, which can be bases
    void setVariants(const std::vector<Variant>& variants) { variants_ = variants; }
    /// Another kernel is opened, or none: nothing was compiled.
    void clear();
    /// @param file empty: none is open
    /// @param resolved the text with the user's included files inserted
    void setText(const std::string& analysis, const std::string& file, const std::string& text,
                 const std::string& resolved);
    /// The defines that the newest run of this text was compiled with.
    void setCompiled(const std::map<std::string, std::string>& compiled, const std::string& text);
    /// Id of the base; that of the last text whose header could be read.
    const std::string& baseId() const { return baseId_; }

  signals:
    /// A define was changed by the user. Empty: the default.
    void edited(const QString& name, const QString& value);

  private:
    const Variant* base() const;

    std::vector<Variant> variants_;
    std::string baseId_;
    std::map<std::string, std::string> compiled_;  ///< values of defines that the text does not set
    QLabel* what_;
    DefineFields* defines_;
};

}  // namespace ks::ui
