// The vector types of OpenCL C: element-wise arithmetic, comparisons, conversions that saturate and round,
// and parts of a vector in any order. Elements beyond the width of a result are 0.
// NDRange: one work-item; no local memory.

kernel void operate(global const int4* whole_in, global const float4* real_in, global int4* whole,
                    global float4* real) {
    const int4 a = whole_in[0], b = whole_in[1];
    whole[0] = a + b;
    whole[1] = a - b;
    whole[2] = a * b;
    whole[3] = a < b;  // -1 where true
    whole[4] = (int4)(all(a < b), 0, 0, 0);
    whole[5] = (int4)(any(a < b), 0, 0, 0);
    const uchar4 bytes = convert_uchar4_sat_rte(real_in[1]);
    whole[6] = convert_int4(bytes);

    const float4 f = real_in[0];
    real[0] = f.wzyx;
    real[1] = f.xxyy;
    real[2] = (float4)(f.even, 0, 0);
    real[3] = (float4)(f.odd, 0, 0);
    real[4] = (float4)(f.lo, 0, 0);
    real[5] = (float4)(f.hi, 0, 0);
    real[6] = (float4)(f.x);
}
