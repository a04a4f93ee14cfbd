// Every work-item prints one line with its number and its value.
// NDRange: dimension 0 is the item; group size of the driver; no local memory.

kernel void hello(global const int* values) {
    const int global_id = get_global_id(0);
    printf("Hello from kernel #%d, got value: %d\n", global_id, values[global_id]);
}
