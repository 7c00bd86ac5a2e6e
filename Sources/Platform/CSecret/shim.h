// libsecret and what it needs of GLib; its variadic functions are not used.
#pragma once
#include <libsecret/secret.h>

/* Casts that are macros. */
static inline void fp_release(void *object) { if (object) g_object_unref(object); }
static inline SecretItem *fp_item(void *pointer) { return (SecretItem *)pointer; }
/* Whether nobody offers a Secret Service, as opposed to one that is busy. */
static inline gboolean fp_is_absence(const GError *error) {
  return g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN) ||
         g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER) ||
         error->domain == G_SPAWN_ERROR || error->domain == G_SPAWN_EXIT_ERROR ||
         error->domain == G_IO_ERROR;
}
