// Macros of OpenSSL that Swift cannot import, as plain functions.
#pragma once
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

static inline EVP_PKEY *fp_p256(void) { return EVP_EC_gen("P-256"); }
static inline long fp_ssl_set_mode(SSL_CTX *context) {
  return SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE |
                                       SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                       SSL_MODE_RELEASE_BUFFERS);
}
static inline int fp_ssl_minimum(SSL_CTX *context, int allow_tls_1_2) {
  return SSL_CTX_set_min_proto_version(context, allow_tls_1_2 ? TLS1_2_VERSION : TLS1_3_VERSION);
}
/* What every server of ours sets: no renegotiation and no compression, whose only users were
   attackers; tickets instead of a cache, so that a session costs no memory; one ticket a
   handshake instead of two. */
static inline void fp_ssl_server_defaults(SSL_CTX *context, int allow_tls_1_2) {
  fp_ssl_minimum(context, allow_tls_1_2);
  fp_ssl_set_mode(context);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                   SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20");
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context, 1);
}
/* The name a client asks for and insists on: a host name, or an address. */
static inline void fp_ssl_set_host(SSL *session, const char *host) {
  X509_VERIFY_PARAM *check = SSL_get0_param(session);
  if (X509_VERIFY_PARAM_set1_ip_asc(check, host) == 1) return;
  SSL_set_tlsext_host_name(session, host);
  SSL_set1_host(session, host);
}
