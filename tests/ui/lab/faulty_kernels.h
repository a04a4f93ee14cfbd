#pragma once

#include <QDir>
#include <QFile>
#include <QString>
#include <QtTest>

namespace ks::tests {

inline const char* const product_of_matrices =
    "kernel void multiply(const uint n, global const float* a, global const float* b, global float* c) {\n"
    "    const uint row = get_global_id(0), column = get_global_id(1);\n"
    "#if CASE == 6\n"
    "    c[((size_t)1 << 42) + row] = 1;\n"
    "#elif CASE == 7\n"
    "    volatile global float* at = c;\n"
    "    while (n > 0) at[1] = 0;\n"
    "#elif CASE == 8\n"
    "    for (int i = 0; i < 9; ++i) printf(\"flood of row %u column %u\\n\", row, column);\n"
    "#endif\n"
    "    float sum = 0;\n"
    "    for (uint k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];\n"
    "    c[row * n + column] = sum;\n"
    "}\n";

/// Writes a variant of matmul of the user's own to a folder of variants. By its CASE it ends its process (6),
/// does not end (7), prints without measure (8), or is right. CASE may be given otherwise, too.
inline void write_faulty_kernel(const QString& folder, const QString& name, int usual_case) {
    QVERIFY(QDir().mkpath(folder + "/matmul"));
    QFile file(folder + "/matmul/" + name + ".cl");
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("// kernelscope variant\n// base: private.sum\n\n#ifndef CASE\n#define CASE " +
               QByteArray::number(usual_case) + "\n#endif\n" + product_of_matrices);
}

}  // namespace ks::tests
