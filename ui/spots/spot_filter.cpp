#include "ui/spots/spot_filter.h"

#include "ui/spots/spot_table_model.h"

namespace ks::ui::spots {

FilterNames spotFilterNames() {
    using Model = SpotTableModel;
    FilterNames names;
    for (int c = 0; c < Model::KeptColumn; ++c)
        names.columns.push_back({QString::fromUtf8(Model::key(static_cast<Model::Column>(c))), c});
    names.synonyms = {{QStringLiteral("frames"), Model::FramesColumn},
                      {QStringLiteral("size"), Model::PixelsColumn},
                      {QStringLiteral("intensity"), Model::SumColumn},
                      {QStringLiteral("bg"), Model::BackgroundColumn},
                      {QStringLiteral("isigi"), Model::SignificanceColumn},
                      {QStringLiteral("resolution"), Model::DColumn},
                      {QStringLiteral("i\u03c3"), Model::SignificanceColumn}};
    for (const ks::spots::Dropped why : ks::spots::all_reasons)
        names.words.push_back({Model::whyText(why), Model::KeptColumn, static_cast<double>(why)});
    names.example = QStringLiteral("sum > 500, d < 3");
    return names;
}

}  // namespace ks::ui::spots
