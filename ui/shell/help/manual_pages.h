#pragma once

#include <QList>
#include <QString>
#include <QUrl>

namespace ks::ui {

/// A displayed text block of a page: a paragraph, a heading, a table cell.
struct ManualBlock {
    QString text;
    int heading = 0;  ///< its level, 1 to 6; 0: none
};

/// A page of the manual that is built into the program.
struct ManualPage {
    QString name;  ///< "tutorial/xpcs.md"
    QString title;
    QList<ManualBlock> blocks;  ///< in the order of the document's
};

/// In the order of the contents; read once.
const QList<ManualPage>& manualPages();
/// Null: there is no page of this name.
const ManualPage* manualPage(const QString& name);
/// Of the analysis, otherwise of the tutorial.
QString manualPageOf(const QString& analysis);

QUrl manualUrl(const QString& name);
/// "tutorial/xpcs.md"; empty: not a page of the manual.
QString manualName(const QUrl& url);

/// Markdown of a page as it is rendered: missing pictures are omitted, and links to documents that are not
/// built in are reduced to their text. Empty: there is no such page.
QString manualText(const QString& name);
/// File of a picture that pages name as "images/NAME"; empty: it is neither installed nor in the source tree.
QString manualPicture(const QString& leaf);
/// Block of the heading that "#anchor" names, with anchors formed as on repository web sites; -1: none.
int manualBlockOf(const ManualPage& page, const QString& anchor);

}  // namespace ks::ui
