/// libcurl for Swift. Its setopt and getinfo calls are variadic, which Swift cannot call: each argument type gets an
/// inline function here. The values of the options are libcurl's own constants.
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_on_write(CURL *easy, curl_write_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callback);
    return code ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

static inline CURLcode ccurl_on_header(CURL *easy, curl_write_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, callback);
    return code ? code : curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

static inline CURLcode ccurl_on_read(CURL *easy, curl_read_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_READFUNCTION, callback);
    return code ? code : curl_easy_setopt(easy, CURLOPT_READDATA, context);
}

static inline CURLcode ccurl_on_seek(CURL *easy, curl_seek_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, callback);
    return code ? code : curl_easy_setopt(easy, CURLOPT_SEEKDATA, context);
}

static inline CURLcode ccurl_on_trailers(CURL *easy, curl_trailer_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_TRAILERFUNCTION, callback);
    return code ? code : curl_easy_setopt(easy, CURLOPT_TRAILERDATA, context);
}

static inline CURLcode ccurl_on_debug(CURL *easy, curl_debug_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, callback);
    return code ? code : curl_easy_setopt(easy, CURLOPT_DEBUGDATA, context);
}

static inline CURLcode ccurl_on_prerequest(CURL *easy, curl_prereq_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
    return code ? code : curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

static inline CURLcode ccurl_on_open_socket(CURL *easy, curl_opensocket_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
    return code ? code : curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}

static inline CURLcode ccurl_on_close_socket(CURL *easy, curl_closesocket_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callback);
    return code ? code : curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
}

static inline CURLcode ccurl_on_ssl_context(CURL *easy, curl_ssl_ctx_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, callback);
    return code ? code : curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, context);
}

static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, (char **)value);
}

/// The `SSL *` of the transfer's connection (CURLINFO_TLS_SSL_PTR); NULL where there is none.
static inline void *ccurl_get_tls_session(CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return NULL;
    return session->backend == CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}

static inline CURLcode ccurl_get_socket(CURL *easy, curl_socket_t *value) {
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, value);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode ccurl_multi_on_socket(CURLM *multi, curl_socket_callback callback, void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
    return code ? code : curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
}

static inline CURLMcode ccurl_multi_on_timer(CURLM *multi, curl_multi_timer_callback callback, void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
    return code ? code : curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}

static inline CURLSHcode ccurl_share_set_data(CURLSH *share, curl_lock_data data) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}

/// CURLAUTH_BASIC, a macro with a cast.
static const long ccurl_auth_basic = CURLAUTH_BASIC;

/// The address that OPENSOCKETFUNCTION is asked about. `addr` is declared as a bare `struct sockaddr`, but holds any.
static inline const void *ccurl_address(const struct curl_sockaddr *address) {
    return &address->addr;
}

/// A message's result; the C union does not come through as a plain field.
static inline CURLcode ccurl_message_result(const CURLMsg *message) {
    return message->data.result;
}

#endif
