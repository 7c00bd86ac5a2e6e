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
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

static inline EVP_PKEY *fp_p256(void) { return EVP_EC_gen("P-256"); }
static inline EVP_PKEY *fp_p384(void) { return EVP_EC_gen("P-384"); }
/* A public RSA key from a modulus and an exponent, most significant byte first. NULL if OpenSSL
   refuses them. */
static inline EVP_PKEY *fp_rsa_public(const unsigned char *modulus, int modulus_count,
                                      const unsigned char *exponent, int exponent_count) {
  EVP_PKEY *key = NULL;
  BIGNUM *n = BN_bin2bn(modulus, modulus_count, NULL);
  BIGNUM *e = BN_bin2bn(exponent, exponent_count, NULL);
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  OSSL_PARAM *parameters = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
  if (n && e && builder && context && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) &&
      OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) &&
      (parameters = OSSL_PARAM_BLD_to_param(builder)) != NULL &&
      EVP_PKEY_fromdata_init(context) == 1) {
    EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters);
  }
  if (key) {
    EVP_PKEY_CTX *check = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    if (!check || EVP_PKEY_public_check(check) != 1) {
      EVP_PKEY_free(key);
      key = NULL;
    }
    EVP_PKEY_CTX_free(check);
  }
  OSSL_PARAM_free(parameters);
  OSSL_PARAM_BLD_free(builder);
  EVP_PKEY_CTX_free(context);
  BN_free(n);
  BN_free(e);
  return key;
}
/* Sets the signature scheme of a context: PKCS #1 version 1.5, or PSS with a salt as long as the
   digest, over SHA-256 (RFC 7518, sections 3.3 and 3.5). */
static inline int fp_rsa_verify_init(EVP_PKEY_CTX *context, int is_pss) {
  if (EVP_PKEY_verify_init(context) != 1) return 0;
  if (EVP_PKEY_CTX_set_rsa_padding(context, is_pss ? RSA_PKCS1_PSS_PADDING : RSA_PKCS1_PADDING) != 1)
    return 0;
  if (EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) != 1) return 0;
  if (!is_pss) return 1;
  return EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1 &&
         EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1;
}
/* A context of HMAC with a hash function, which keeps the function when its key changes. NULL if
   OpenSSL has no memory or does not know the function. */
static inline EVP_MAC_CTX *fp_hmac_context(EVP_MAC *mac, const char *hash_name) {
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)hash_name, 0),
      OSSL_PARAM_construct_end()};
  EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
  if (context && EVP_MAC_CTX_set_params(context, parameters) == 1) return context;
  EVP_MAC_CTX_free(context);
  return NULL;
}
static inline long fp_ssl_set_mode(SSL_CTX *context) {
  return SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE |
                                       SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                       SSL_MODE_RELEASE_BUFFERS);
}
static inline int fp_ssl_minimum(SSL_CTX *context, int allow_tls_1_2) {
  return SSL_CTX_set_min_proto_version(context, allow_tls_1_2 ? TLS1_2_VERSION : TLS1_3_VERSION);
}
/* The settings of every server: no renegotiation and no compression, because only attackers used
   them; tickets instead of a cache, so that a session needs no memory; one ticket per handshake
   instead of two. */
static inline void fp_ssl_server_defaults(SSL_CTX *context, int allow_tls_1_2) {
  fp_ssl_minimum(context, allow_tls_1_2);
  fp_ssl_set_mode(context);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                   SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20");
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context, 1);
}
/* Sets the host name or the address that the server's certificate must have. */
static inline void fp_ssl_set_host(SSL *session, const char *host) {
  X509_VERIFY_PARAM *check = SSL_get0_param(session);
  if (X509_VERIFY_PARAM_set1_ip_asc(check, host) == 1) return;
  SSL_set_tlsext_host_name(session, host);
  SSL_set1_host(session, host);
}
