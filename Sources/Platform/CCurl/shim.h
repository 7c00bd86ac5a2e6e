// libcurl, whose options are variadic functions that Swift cannot import, as plain functions.
#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

typedef curl_socket_t (*fp_opener)(
    void *context, curlsocktype purpose, struct curl_sockaddr *address);
static const curl_socket_t fp_no_socket = CURL_SOCKET_BAD;
typedef size_t (*fp_receiver)(char *bytes, size_t size, size_t count, void *receiver);

static inline CURLcode fp_set_text(CURL *call, CURLoption option, const char *text) {
  return curl_easy_setopt(call, option, text);
}
static inline CURLcode fp_set_number(CURL *call, CURLoption option, long number) {
  return curl_easy_setopt(call, option, number);
}
static inline CURLcode fp_set_fields(CURL *call, struct curl_slist *fields) {
  return curl_easy_setopt(call, CURLOPT_HTTPHEADER, fields);
}
/* libcurl copies the bytes. */
static inline CURLcode fp_set_body(CURL *call, const void *bytes, size_t count) {
  CURLcode code = curl_easy_setopt(call, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  return code ? code : curl_easy_setopt(call, CURLOPT_COPYPOSTFIELDS, bytes);
}
static inline CURLcode fp_set_receivers(
    CURL *call, fp_receiver field, fp_receiver body, void *receiver) {
  CURLcode code = curl_easy_setopt(call, CURLOPT_HEADERFUNCTION, field);
  if (!code) code = curl_easy_setopt(call, CURLOPT_HEADERDATA, receiver);
  if (!code) code = curl_easy_setopt(call, CURLOPT_WRITEFUNCTION, body);
  return code ? code : curl_easy_setopt(call, CURLOPT_WRITEDATA, receiver);
}
static inline CURLcode fp_set_sender(CURL *call, fp_receiver body, void *sender) {
  CURLcode code = curl_easy_setopt(call, CURLOPT_READFUNCTION, body);
  return code ? code : curl_easy_setopt(call, CURLOPT_READDATA, sender);
}
/* The whole address. It may be longer than the member that it begins in. */
static inline const struct sockaddr *fp_address(const struct curl_sockaddr *address) {
  return &address->addr;
}
static inline CURLcode fp_set_opener(CURL *call, fp_opener open, void *context) {
  CURLcode code = curl_easy_setopt(call, CURLOPT_OPENSOCKETFUNCTION, open);
  return code ? code : curl_easy_setopt(call, CURLOPT_OPENSOCKETDATA, context);
}
static inline CURLcode fp_set_recipients(CURL *call, struct curl_slist *recipients) {
  return curl_easy_setopt(call, CURLOPT_MAIL_RCPT, recipients);
}
static inline CURLMcode fp_limit_connections(CURLM *calls, long host) {
  return curl_multi_setopt(calls, CURLMOPT_MAX_HOST_CONNECTIONS, host);
}
static inline long fp_number(CURL *call, CURLINFO name) {
  long number = 0;
  curl_easy_getinfo(call, name, &number);
  return number;
}
static inline CURLcode fp_result(const CURLMsg *message) { return message->data.result; }
