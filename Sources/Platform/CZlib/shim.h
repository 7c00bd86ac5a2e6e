// A macro of zlib that Swift cannot import, as a function.
#pragma once
#include <zlib.h>

// 15 selects the largest history (`windowBits`); adding 16 selects the gzip format.
static inline int fp_deflate_init_gzip(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
