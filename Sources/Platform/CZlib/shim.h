// A macro of zlib that Swift cannot import, as a function.
#pragma once
#include <zlib.h>

// Sixteen more than the largest window asks for the format of gzip.
static inline int fp_deflate_init_gzip(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
