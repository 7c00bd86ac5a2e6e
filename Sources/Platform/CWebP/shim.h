// The functions of libwebp that need the address of a structure, as plain functions.
#pragma once
#include <stdint.h>
#include <webp/decode.h>
#include <webp/encode.h>

static inline int fp_webp_size(const uint8_t *bytes, size_t count, uint32_t *width,
                               uint32_t *height) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(bytes, count, &features) != VP8_STATUS_OK) return 0;
  *width = features.width;
  *height = features.height;
  return !features.has_animation;
}

static inline int fp_webp_is_lossless(const uint8_t *bytes, size_t count) {
  WebPBitstreamFeatures features;
  return WebPGetFeatures(bytes, count, &features) == VP8_STATUS_OK && features.format == 2;
}

// `points` has four bytes for each point.
static inline int fp_webp_decode(const uint8_t *bytes, size_t count, uint8_t *points, size_t size,
                                 uint32_t width) {
  return WebPDecodeRGBAInto(bytes, count, points, size, (int)width * 4) != NULL;
}

// Free `made` with `WebPFree`.
static inline size_t fp_webp_encode(const uint8_t *points, uint32_t width, uint32_t height,
                                    float quality, uint8_t **made) {
  return WebPEncodeRGBA(points, (int)width, (int)height, (int)width * 4, quality, made);
}

// Free `made` with `WebPFree`.
static inline size_t fp_webp_encode_lossless(const uint8_t *points, uint32_t width,
                                             uint32_t height, uint8_t **made) {
  return WebPEncodeLosslessRGBA(points, (int)width, (int)height, (int)width * 4, made);
}
