#ifndef WAF_TOKEN_PROXY_COPENSSL_SHIM_H
#define WAF_TOKEN_PROXY_COPENSSL_SHIM_H

// OpenSSL 3.0. What is a macro there, and so invisible to Swift, has a function here.

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

static inline int wtp_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}
static inline int wtp_SSL_CTX_set_max_proto_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_max_proto_version(context, version);
}
static inline long wtp_SSL_CTX_set_mode(SSL_CTX *context, long mode) { return SSL_CTX_set_mode(context, mode); }
// Neither renegotiation (TLS 1.2) nor compression.
static inline void wtp_SSL_CTX_set_strict_options(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
}
static inline long wtp_SSL_CTX_set_session_cache_mode(SSL_CTX *context, long mode) {
    return SSL_CTX_set_session_cache_mode(context, mode);
}
static inline int wtp_SSL_CTX_add1_chain_cert(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add1_chain_cert(context, certificate);
}
static inline int wtp_SSL_add1_chain_cert(SSL *session, X509 *certificate) {
    return (int)SSL_add1_chain_cert(session, certificate);
}
static inline int wtp_SSL_set_tlsext_host_name(SSL *session, const char *name) {
    return (int)SSL_set_tlsext_host_name(session, name);
}

static inline int wtp_SSL_CTX_get_ex_new_index(CRYPTO_EX_free *release) {
    return SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, release);
}

static inline int wtp_SSL_get_ex_new_index(CRYPTO_EX_free *release) {
    return SSL_get_ex_new_index(0, NULL, NULL, NULL, release);
}

static inline size_t wtp_BIO_ctrl_pending(BIO *bio) { return BIO_ctrl_pending(bio); }
static inline int wtp_BIO_reset(BIO *bio) { return BIO_reset(bio); }
static inline long wtp_BIO_get_mem_data(BIO *bio, char **data) { return BIO_get_mem_data(bio, data); }
static inline void wtp_BIO_set_mem_eof_return(BIO *bio, int value) { BIO_set_mem_eof_return(bio, value); }

static inline EVP_PKEY *wtp_EVP_EC_gen_P256(void) { return EVP_EC_gen("P-256"); }

static inline int wtp_ERR_GET_LIB(unsigned long code) { return ERR_GET_LIB(code); }
static inline int wtp_ERR_GET_REASON(unsigned long code) { return ERR_GET_REASON(code); }

static inline GENERAL_NAMES *wtp_GENERAL_NAMES_new(void) { return GENERAL_NAMES_new(); }
// Owns `name` from here on where it returns 1.
static inline int wtp_GENERAL_NAMES_push(GENERAL_NAMES *names, GENERAL_NAME *name) {
    return sk_GENERAL_NAME_push(names, name) > 0;
}

static inline unsigned long wtp_XN_FLAG_RFC2253(void) { return XN_FLAG_RFC2253; }

// Adds a permitted (0) or excluded (1) name. Owns `name` from here on where it returns 1.
static inline int wtp_NAME_CONSTRAINTS_push(NAME_CONSTRAINTS *constraints, int excluded, GENERAL_NAME *name) {
    STACK_OF(GENERAL_SUBTREE) **list = excluded ? &constraints->excludedSubtrees : &constraints->permittedSubtrees;
    if (*list == NULL && (*list = sk_GENERAL_SUBTREE_new_null()) == NULL) return 0;
    GENERAL_SUBTREE *subtree = GENERAL_SUBTREE_new();
    if (subtree == NULL) return 0;
    if (sk_GENERAL_SUBTREE_push(*list, subtree) <= 0) {
        GENERAL_SUBTREE_free(subtree);
        return 0;
    }
    GENERAL_NAME_free(subtree->base);
    subtree->base = name;
    return 1;
}

static inline int wtp_GENERAL_NAMES_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }
static inline GENERAL_NAME *wtp_GENERAL_NAMES_value(const GENERAL_NAMES *names, int index) {
    return sk_GENERAL_NAME_value(names, index);
}

static inline void wtp_X509V3_set_ctx(X509V3_CTX *context, X509 *issuer, X509 *subject) {
    X509V3_set_ctx(context, issuer, subject, NULL, NULL, 0);
    X509V3_set_ctx_nodb(context);
}

static inline void wtp_OPENSSL_free(void *memory) { OPENSSL_free(memory); }

// Length -1: the value is the object itself (X509_ATTRIBUTE_set1_data(3)).
static inline int wtp_PKCS12_add1_object_attr(PKCS12_SAFEBAG *bag, const char *name, const ASN1_OBJECT *value) {
    return PKCS12_add1_attr_by_txt(bag, name, V_ASN1_OBJECT, (const unsigned char *)value, -1);
}
static inline void wtp_PKCS12_SAFEBAGS_free(STACK_OF(PKCS12_SAFEBAG) *bags) {
    sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
}
static inline void wtp_PKCS7S_free(STACK_OF(PKCS7) *safes) { sk_PKCS7_pop_free(safes, PKCS7_free); }

#endif
