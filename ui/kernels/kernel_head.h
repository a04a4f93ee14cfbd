#pragma once

#include <QString>
#include <QWidget>
#include <map>
#include <string>
#include <vector>

#include "core/run/variant.h"

class QComboBox;
class QHBoxLayout;

namespace ks::ui {

class ElidedLabel;

/// The defines of a kernel as a row of fields.
class DefineFields : public QWidget {
    Q_OBJECT
  public:
    explicit DefineFields(QWidget* parent = nullptr);

    /// @param values that are set
    /// @param unsaid effective values of the others where they are known: from the text of the kernel, or
    /// chosen for the device in a run
    void setDefines(const std::vector<DefineSpec>& specs, const std::map<std::string, std::string>& values,
                    const std::map<std::string, std::string>& unsaid);

  signals:
    /// Changed by the user. Empty: the default.
    void edited(const QString& name, const QString& value);

  private:
    QHBoxLayout* row_;
    std::vector<DefineSpec> specs_;
    std::map<std::string, QComboBox*> fields_;
};

/// What the header of an edited kernel says: its id, the mark of its text and its base, and fields for its
/// defines.
class KernelHead : public QWidget {
    Q_OBJECT
  public:
    /// @param bar at the right of the id
    explicit KernelHead(QWidget* bar, QWidget* parent = nullptr);

    /// @param variants of the analysis, which can be bases
    /// @param kernelFiles texts by path
    void setVariants(const std::vector<Variant>& variants,
                     const std::map<std::string, std::string>& kernelFiles) {
        variants_ = variants;
        kernelFiles_ = kernelFiles;
    }
    /// Another kernel is opened, or none: its header has not been read, and nothing was compiled.
    void clear();
    /// @param file empty: none is open
    /// @param resolved the text with the user's included files inserted
    void setText(const std::string& analysis, const std::string& file, const std::string& text,
                 const std::string& resolved);
    /// The defines that the newest run of this text was compiled with; its header has been read.
    void setCompiled(const std::map<std::string, std::string>& compiled, const std::string& text);
    /// Values by the names that the text has for the definitions of the base.
    std::map<std::string, std::string> inText(const std::map<std::string, std::string>& values) const;
    /// Whether the header sets a definition, by its name in the text.
    bool setsInHeader(const std::string& inText) const { return ofHeader_.contains(nameOf(inText)); }
    /// Id of the base; that of the last text whose header could be read.
    const std::string& baseId() const { return baseId_; }

  signals:
    /// A define was changed by the user. Empty: the default.
    void edited(const QString& name, const QString& value);

  private:
    const Variant* base() const;
    /// The text of the base, with the included files.
    std::string textOfBase() const;
    /// The base's name of a definition in the text.
    std::string nameOf(const std::string& inText) const;

    std::vector<Variant> variants_;
    std::map<std::string, std::string> kernelFiles_;
    std::string baseId_;
    std::map<std::string, std::string> ofHeader_;  ///< values of defines
    std::map<std::string, std::string> compiled_;  ///< values of defines that neither header nor text set
    ElidedLabel* what_;
    DefineFields* defines_;
};

}  // namespace ks::ui
