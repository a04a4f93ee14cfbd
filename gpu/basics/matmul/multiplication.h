#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/basics/matmul/matmul.h"
#include "gpu/runtime/launch_context.h"

namespace ks::gpu::basics {

/// What a launch function knows of its kernel.
struct MultiplicationPlan {
    std::map<std::string, std::string> defines = {};
    /// Multiply-adds per second that the first launch is cut for.
    double rate = 1e9;
    /// Bytes of further buffers of the kernel, for matrices of n x n. They grow with n.
    std::function<std::uint64_t(std::size_t n)> scratch = {};
    /// Values of A and B that a multiply-add reads from global memory, where items share what they read: of a
    /// tile 1 / rows + 1 / columns. 0: bytes are not stated.
    double loads = 0;
};

/// Matrices on the device, and the kernel "multiply" with the size and them as its first arguments: n, A, B,
/// C. C is zero before. Throws ks::Error(input) with the size that would fit where they do not.
class Multiplication {
  public:
    Multiplication(const Problem& any, LaunchContext& context, const MultiplicationPlan& plan);

    std::size_t size() const { return problem_.size(); }
    cl::Kernel& kernel() { return kernel_; }
    const Buffer& a() const { return *a_; }
    const Buffer& b() const { return *b_; }
    const Buffer& c() const { return c_; }

    /// Enqueues one launch for the rows or columns [first, last).
    using Launch = std::function<cl::Event(std::size_t first, std::size_t last, const Cost& cost)>;
    /// Covers all rows (or columns) by launches that are meant to be short, each of a multiple of `grain`.
    void cover(std::size_t grain, const Launch& launch);
    /// The same by `grain` times powers of 2: PoCL compiles a kernel anew for each group size, which the
    /// driver chooses by the range of the launch where none is given.
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
