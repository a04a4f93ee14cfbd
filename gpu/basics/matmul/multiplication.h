#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/basics/matmul/matmul.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::basics {

/// Properties of a kernel for its launch function.
struct MultiplicationPlan {
    std::map<std::string, std::string> defines = {};
    /// Expected multiply-adds per second, from which the size of the first launch is chosen.
    double rate = 1e9;
    /// Bytes of the kernel's other buffers, for matrices of n x n. They grow with n.
    std::function<std::uint64_t(std::size_t n)> scratch = {};
    /// Number of values of A and B that are read from global memory per multiply-add. If the items of a tile
    /// share what they read, this is 1 / rows + 1 / columns. 0: traffic unknown.
    double loads = 0;
    bool accumulates = false;  ///< the kernel adds to C
};

/// Matrices on the device, and the kernel "multiply", whose first arguments are n, A, B, C. C is zeroed
/// before if the kernel adds to it; otherwise it holds an unlikely number. Throws ks::Error(input) with the
/// largest size that would fit if they do not.
class Multiplication {
  public:
    Multiplication(const ks::basics::MatmulProblem& problem, LaunchContext& context,
                   const MultiplicationPlan& plan);

    std::size_t size() const { return problem_.size(); }
    cl::Kernel& kernel() { return kernel_; }
    const Buffer& a() const { return *a_; }
    const Buffer& b() const { return *b_; }
    const Buffer& c() const { return c_; }

    /// Enqueues one launch for the rows or columns [first, last).
    using Launch = std::function<cl::Event(std::size_t first, std::size_t last, const Cost& cost)>;
    /// Covers all rows (or columns) by short launches, each of a multiple of `grain`.
    void cover(std::size_t grain, const Launch& launch);
    /// The same by `grain` times powers of 2, for launches without a group size:
    /// quirk program_per_group_size.
    void cover_by_powers(std::size_t grain, const Launch& launch);

    cl::Event launch(const cl::NDRange& global, const cl::NDRange& local, const Cost& cost,
                     const cl::NDRange& offset);
    Result result();

  private:
    void cover(std::size_t grain, std::size_t (*grains)(std::size_t fit), const Launch& launch);

    const ks::basics::MatmulProblem& problem_;
    LaunchContext& context_;
    double loads_;
    Slicer slicer_;
    std::shared_ptr<const Buffer> a_, b_;
    Buffer c_;
    cl::Kernel kernel_;
};

}  // namespace ks::gpu::basics
