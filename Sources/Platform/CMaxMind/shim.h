// An anonymous union of libmaxminddb that Swift cannot import, as functions.
#pragma once
#include <maxminddb.h>

static inline const char *fp_mmdb_text(const MMDB_entry_data_s *data) {
  return data->has_data && data->type == MMDB_DATA_TYPE_UTF8_STRING ? data->utf8_string : 0;
}
