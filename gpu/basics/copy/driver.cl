// No kernel: the driver copies, as clEnqueueCopyBuffer() (one dimension) and clEnqueueCopyBufferRect() (two and
// three) ask it to. What it does for that, a kernel of its own or a copy engine, it keeps to itself.
