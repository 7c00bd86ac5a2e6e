// Macros of libpq that Swift cannot import, as plain constants.
#pragma once
#include <libpq-fe.h>

static const int fp_diagnostic_state = PG_DIAG_SQLSTATE;
static const int fp_diagnostic_message = PG_DIAG_MESSAGE_PRIMARY;
