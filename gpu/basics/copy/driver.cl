// No kernel: the driver copies, through clEnqueueCopyBuffer() (one dimension) and clEnqueueCopyBufferRect()
// (two and three). Whether it uses its own kernel or a copy engine is not reported.
