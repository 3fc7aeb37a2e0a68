#include "processor.h"

#if (defined(__x86_64__) || defined(_M_X64)) && defined(__GNUC__)
#include <cpuid.h>

/* Intel 64 Architectures Software Developer's Manual, vol. 1, sec. 14.3, 14.7 and 15.2: the processor has the
   instructions, and the system keeps the registers. */
int processor_lanes(void)
{
    const unsigned tells_kept = 1u << 27, avx = 1u << 28, ymm = 0x6, zmm = 0xe6;
    const unsigned avx2 = 1u << 5, avx512 = 1u << 16 | 1u << 17 | 1u << 31; /* F, DQ, VL */
    unsigned a, b, c, d, kept;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & (tells_kept | avx)) != (tells_kept | avx)) return 1;
    __asm__("xgetbv" : "=a"(kept), "=d"(d) : "c"(0));
    if ((kept & ymm) != ymm || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & avx2)) return 1;
    return (kept & zmm) == zmm && (b & avx512) == avx512 ? 8 : 4;
}

#else

int processor_lanes(void) { return 1; }

#endif
