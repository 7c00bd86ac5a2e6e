// libsecret with the parts of GLib that it needs. Its variadic functions are not used.
#pragma once
#include <libsecret/secret.h>

/* Functions for casts that are macros. */
static inline void fp_release(void *object) { if (object) g_object_unref(object); }
static inline SecretItem *fp_item(void *pointer) { return (SecretItem *)pointer; }
/* Whether no program provides a Secret Service. A busy service is a different error. */
static inline gboolean fp_is_absence(const GError *error) {
  return g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN) ||
         g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER) ||
         error->domain == G_SPAWN_ERROR || error->domain == G_SPAWN_EXIT_ERROR ||
         error->domain == G_IO_ERROR;
}
