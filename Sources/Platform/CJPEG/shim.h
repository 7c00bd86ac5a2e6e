// libjpeg reports a fault with a jump, which Swift cannot make. So each function here contains its
// own jumps.
#pragma once
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <jpeglib.h>

// The results of each function. A picture is also damaged if the memory does not suffice for it.
#define FP_JPEG_DAMAGED 0
#define FP_JPEG_READY 1
#define FP_JPEG_TOO_LARGE 2

struct fp_jpeg_errors {
  struct jpeg_error_mgr manager;
  jmp_buf place;
  volatile int result;
};

static void fp_jpeg_fail(j_common_ptr common) {
  longjmp(((struct fp_jpeg_errors *)common->err)->place, 1);
}

// A warning (level -1) says that data is missing or damaged.
static void fp_jpeg_message(j_common_ptr common, int level) {
  if (level < 0) fp_jpeg_fail(common);
}

static inline struct jpeg_error_mgr *fp_jpeg_errors_begin(struct fp_jpeg_errors *errors) {
  struct jpeg_error_mgr *manager = jpeg_std_error(&errors->manager);
  manager->error_exit = fp_jpeg_fail;
  manager->emit_message = fp_jpeg_message;
  errors->result = FP_JPEG_DAMAGED;
  return manager;
}

// The caller's bytes for a written picture. The buffers of the library (`jpeg_mem_dest`) are not
// used: after a fault in the middle of writing, the address that it gives was freed already.
struct fp_jpeg_room {
  struct jpeg_destination_mgr manager;
  uint8_t *bytes;
  size_t size;
};

static void fp_jpeg_room_begin(j_compress_ptr picture) {
  struct fp_jpeg_room *room = (struct fp_jpeg_room *)picture->dest;
  room->manager.next_output_byte = room->bytes;
  room->manager.free_in_buffer = room->size;
}

static boolean fp_jpeg_room_full(j_compress_ptr picture) {
  ((struct fp_jpeg_errors *)picture->err)->result = FP_JPEG_TOO_LARGE;
  fp_jpeg_fail((j_common_ptr)picture);
  return FALSE;
}

static void fp_jpeg_room_end(j_compress_ptr picture) {
  struct fp_jpeg_room *room = (struct fp_jpeg_room *)picture->dest;
  room->size -= room->manager.free_in_buffer;
}

static inline void fp_jpeg_write_to(struct fp_jpeg_room *room, j_compress_ptr picture,
                                    uint8_t *bytes, size_t size) {
  room->manager.init_destination = fp_jpeg_room_begin;
  room->manager.empty_output_buffer = fp_jpeg_room_full;
  room->manager.term_destination = fp_jpeg_room_end;
  room->bytes = bytes;
  room->size = size;
  picture->dest = &room->manager;
}

// Reads the points, with three bytes for each, or only the size if `points` is NULL.
static inline int fp_jpeg_read(const uint8_t *bytes, size_t count, uint32_t *width,
                               uint32_t *height, uint8_t *points) {
  struct fp_jpeg_errors errors;
  struct jpeg_decompress_struct picture;
  memset(&picture, 0, sizeof picture);
  picture.err = fp_jpeg_errors_begin(&errors);
  if (setjmp(errors.place)) {
    jpeg_destroy_decompress(&picture);
    return errors.result;
  }
  jpeg_create_decompress(&picture);
  jpeg_mem_src(&picture, bytes, count);
  jpeg_read_header(&picture, TRUE);
  if (points) {
    picture.out_color_space = JCS_RGB;
    jpeg_start_decompress(&picture);
    size_t line = (size_t)picture.output_width * 3;
    while (picture.output_scanline < picture.output_height) {
      JSAMPROW row = points + line * picture.output_scanline;
      jpeg_read_scanlines(&picture, &row, 1);
    }
    jpeg_finish_decompress(&picture);
  } else {
    *width = picture.image_width;
    *height = picture.image_height;
  }
  jpeg_destroy_decompress(&picture);
  return FP_JPEG_READY;
}

// Decodes all points in the colours of the picture, and keeps none.
static inline int fp_jpeg_check(const uint8_t *bytes, size_t count) {
  struct fp_jpeg_errors errors;
  struct jpeg_decompress_struct picture;
  memset(&picture, 0, sizeof picture);
  picture.err = fp_jpeg_errors_begin(&errors);
  if (setjmp(errors.place)) {
    jpeg_destroy_decompress(&picture);
    return errors.result;
  }
  jpeg_create_decompress(&picture);
  jpeg_mem_src(&picture, bytes, count);
  jpeg_read_header(&picture, TRUE);
  if (picture.jpeg_color_space == JCS_UNKNOWN) fp_jpeg_fail((j_common_ptr)&picture);
  jpeg_start_decompress(&picture);
  JDIMENSION width = picture.output_width * (JDIMENSION)picture.output_components;
  JSAMPARRAY line =
      (*picture.mem->alloc_sarray)((j_common_ptr)&picture, JPOOL_IMAGE, width, 1);
  while (picture.output_scanline < picture.output_height) jpeg_read_scanlines(&picture, line, 1);
  jpeg_finish_decompress(&picture);
  jpeg_destroy_decompress(&picture);
  return FP_JPEG_READY;
}

// Writes the same picture without its markers. `made` has room for `size` bytes, which becomes the
// number of written ones. One byte of the room always stays free.
static inline int fp_jpeg_copy(const uint8_t *bytes, size_t count, uint8_t *made, size_t *size) {
  struct fp_jpeg_errors errors;
  struct fp_jpeg_room room;
  struct jpeg_decompress_struct picture;
  struct jpeg_compress_struct copy;
  memset(&picture, 0, sizeof picture);
  memset(&copy, 0, sizeof copy);
  picture.err = fp_jpeg_errors_begin(&errors);
  copy.err = picture.err;
  if (setjmp(errors.place)) {
    jpeg_destroy_compress(&copy);
    jpeg_destroy_decompress(&picture);
    return errors.result;
  }
  jpeg_create_decompress(&picture);
  jpeg_create_compress(&copy);
  jpeg_mem_src(&picture, bytes, count);
  jpeg_read_header(&picture, TRUE);
  jvirt_barray_ptr *coefficients = jpeg_read_coefficients(&picture);
  jpeg_copy_critical_parameters(&picture, &copy);
  copy.optimize_coding = TRUE;
  if (picture.progressive_mode) jpeg_simple_progression(&copy);
  fp_jpeg_write_to(&room, &copy, made, *size);
  jpeg_write_coefficients(&copy, coefficients);
  jpeg_finish_compress(&copy);
  jpeg_finish_decompress(&picture);
  *size = room.size;
  jpeg_destroy_compress(&copy);
  jpeg_destroy_decompress(&picture);
  return FP_JPEG_READY;
}

// `points` has three bytes for each point; `made` and `size` are those of `fp_jpeg_copy`.
static inline int fp_jpeg_encode(const uint8_t *points, uint32_t width, uint32_t height,
                                 int quality, uint8_t *made, size_t *size) {
  struct fp_jpeg_errors errors;
  struct fp_jpeg_room room;
  struct jpeg_compress_struct picture;
  memset(&picture, 0, sizeof picture);
  picture.err = fp_jpeg_errors_begin(&errors);
  if (setjmp(errors.place)) {
    jpeg_destroy_compress(&picture);
    return errors.result;
  }
  jpeg_create_compress(&picture);
  fp_jpeg_write_to(&room, &picture, made, *size);
  picture.image_width = width;
  picture.image_height = height;
  picture.input_components = 3;
  picture.in_color_space = JCS_RGB;
  jpeg_set_defaults(&picture);
  jpeg_set_quality(&picture, quality, TRUE);
  picture.optimize_coding = TRUE;
  jpeg_start_compress(&picture, TRUE);
  while (picture.next_scanline < height) {
    JSAMPROW row = (JSAMPROW)(points + (size_t)width * 3 * picture.next_scanline);
    jpeg_write_scanlines(&picture, &row, 1);
  }
  jpeg_finish_compress(&picture);
  *size = room.size;
  jpeg_destroy_compress(&picture);
  return FP_JPEG_READY;
}
