// Loads a proxy with HTTPS requests inside CONNECT tunnels; wrk knows no proxies. One thread, epoll, OpenSSL.
//
//   load keep PORT AUTHORITY PATH CONNECTIONS SECONDS   requests on kept connections
//   load new  PORT AUTHORITY PATH CONNECTIONS SECONDS   one connection, full handshake and request after the other
//   load rest PORT AUTHORITY PATH CONNECTIONS           one request each, then rests until standard input ends
//
// Prints one line of JSON; `rest` prints "resting" first. Certificates are not verified: that is the client's work, and
// it is the proxy's that is measured.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum phase { CONNECTING, TUNNEL, HANDSHAKE, RESPONSE, RESTING };

struct connection {
    enum phase phase;
    int fd;
    SSL *ssl;
    size_t filled;
    long left;  // bytes of the body still to come; -1: in the head
    double sent_at;
    char buffer[16384];
};

static SSL_CTX *context;
static struct sockaddr_in proxy;
static char connect_head[512], request[1024], server_name[256];
static int poller, keeps, rests, resting;
static long finished, errors;
static double *latencies;
static size_t latency_count, latency_room = 1 << 22;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static void die(const char *what) {
    perror(what);
    exit(1);
}

static void watch(struct connection *c, int operation, unsigned events) {
    struct epoll_event event = {.events = events, .data.ptr = c};
    if (epoll_ctl(poller, operation, c->fd, &event) != 0) die("epoll_ctl");
}

static void begin(struct connection *c) {
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (c->fd < 0) die("socket");
    int one = 1;
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    c->phase = CONNECTING;
    c->ssl = NULL;
    c->filled = 0;
    if (connect(c->fd, (struct sockaddr *)&proxy, sizeof proxy) != 0 && errno != EINPROGRESS) die("connect");
    watch(c, EPOLL_CTL_ADD, EPOLLOUT);
}

static void end(struct connection *c) {
    if (c->ssl) {
        SSL_shutdown(c->ssl);
        SSL_free(c->ssl);
    }
    close(c->fd);
    ERR_clear_error();
}

static void again(struct connection *c, int failed) {
    if (failed && ++errors > 1000 && finished == 0) {
        fprintf(stderr, "1000 failures and no answer\n");
        exit(1);
    }
    end(c);
    begin(c);
}

static void ask(struct connection *c) {
    c->phase = RESPONSE;
    c->filled = 0;
    c->left = -1;
    c->sent_at = now();
    // A request is smaller than a socket's empty buffer.
    if (SSL_write(c->ssl, request, (int)strlen(request)) <= 0) again(c, 1);
}

static void answered(struct connection *c) {
    finished++;
    if (latency_count < latency_room) latencies[latency_count++] = now() - c->sent_at;
    if (rests) {
        c->phase = RESTING;
        resting++;
    } else if (keeps) {
        ask(c);
    } else {
        again(c, 0);
    }
}

static void shake_hands(struct connection *c) {
    int result = SSL_do_handshake(c->ssl);
    if (result == 1) return ask(c);
    switch (SSL_get_error(c->ssl, result)) {
        case SSL_ERROR_WANT_READ: return;
        case SSL_ERROR_WANT_WRITE: return;
        default: again(c, 1);
    }
}

static void start_tls(struct connection *c) {
    c->ssl = SSL_new(context);
    if (!c->ssl || SSL_set_fd(c->ssl, c->fd) != 1) die("SSL_new");
    if (server_name[0]) SSL_set_tlsext_host_name(c->ssl, server_name);
    SSL_set_connect_state(c->ssl);
    c->phase = HANDSHAKE;
    shake_hands(c);
}

static void read_tunnel(struct connection *c) {
    ssize_t count = recv(c->fd, c->buffer + c->filled, sizeof c->buffer - 1 - c->filled, 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return again(c, 1);
    c->filled += (size_t)count;
    c->buffer[c->filled] = 0;
    if (!strstr(c->buffer, "\r\n\r\n")) return;
    if (strncmp(c->buffer + 8, " 200", 4) != 0) return again(c, 1);
    start_tls(c);
}

// Consumes what is in the buffer; whether the answer is whole.
static int read_answer(struct connection *c) {
    if (c->left < 0) {
        c->buffer[c->filled] = 0;
        char *body = strstr(c->buffer, "\r\n\r\n");
        if (!body) return 0;
        char *length = strcasestr(c->buffer, "content-length:");
        if (strncmp(c->buffer + 8, " 200", 4) != 0 || !length || length > body) return -1;
        c->left = atol(length + 15) - (long)(c->filled - (size_t)(body + 4 - c->buffer));
    } else {
        c->left -= (long)c->filled;
    }
    c->filled = 0;
    return c->left <= 0;
}

static void read_response(struct connection *c) {
    while (c->phase == RESPONSE || c->phase == RESTING) {
        int count = SSL_read(c->ssl, c->buffer + c->filled, (int)(sizeof c->buffer - 1 - c->filled));
        if (count <= 0) {
            if (SSL_get_error(c->ssl, count) != SSL_ERROR_WANT_READ) again(c, 1);
            return;
        }
        c->filled += (size_t)count;
        int whole = read_answer(c);
        if (whole < 0) return again(c, 1);
        if (whole) return answered(c);
    }
}

static void go_on(struct connection *c) {
    switch (c->phase) {
        case CONNECTING:
            watch(c, EPOLL_CTL_MOD, EPOLLIN);
            if (!connect_head[0]) return start_tls(c);
            c->phase = TUNNEL;
            if (send(c->fd, connect_head, strlen(connect_head), 0) < 0) again(c, 1);
            return;
        case TUNNEL: return read_tunnel(c);
        case HANDSHAKE: return shake_hands(c);
        case RESPONSE:
        case RESTING: return read_response(c);
    }
}

static int by_size(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void run_until(double deadline, int wanted) {
    struct epoll_event events[256];
    while (now() < deadline && (!rests || resting < wanted)) {
        int count = epoll_wait(poller, events, 256, 100);
        for (int i = 0; i < count; i++) go_on(events[i].data.ptr);
    }
}

int main(int argc, char **argv) {
    if (argc < 6) {
        fprintf(stderr, "usage: load keep|new|rest PORT AUTHORITY PATH CONNECTIONS [SECONDS]\n");
        return 2;
    }
    keeps = strcmp(argv[1], "keep") == 0;
    rests = strcmp(argv[1], "rest") == 0;
    int wanted = atoi(argv[5]);
    double seconds = argc > 6 ? atof(argv[6]) : 60;
    proxy.sin_family = AF_INET;
    proxy.sin_port = htons((unsigned short)atoi(argv[2]));
    proxy.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const char *authority = argv[3][0] == '=' ? argv[3] + 1 : argv[3];  // "=AUTHORITY": without CONNECT
    if (authority == argv[3])
        snprintf(connect_head, sizeof connect_head, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", authority, authority);
    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", argv[4], authority);
    snprintf(server_name, sizeof server_name, "%s", authority);
    *strrchr(server_name, ':') = 0;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    context = SSL_CTX_new(TLS_client_method());
    latencies = malloc(latency_room * sizeof *latencies);
    struct connection *all = calloc((size_t)wanted, sizeof *all);
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (!context || !latencies || !all || poller < 0) die("start");
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    double began = now();
    for (int i = 0; i < wanted; i++) {
        begin(&all[i]);
        if (rests) {
            run_until(now() + 10e6, i + 1);
            if (resting <= i) break;
        }
    }
    if (rests) {
        printf("resting %d\n", resting);
        fflush(stdout);
        while (getchar() != EOF) {}
    } else {
        run_until(began + seconds * 1e6, wanted);
    }
    double took = now() - began;
    qsort(latencies, latency_count, sizeof *latencies, by_size);
    double p50 = latency_count ? latencies[latency_count / 2] : 0;
    double p99 = latency_count ? latencies[latency_count * 99 / 100] : 0;
    printf("{\"requests\":%ld,\"microseconds\":%.0f,\"errors\":%ld,\"p50\":%.1f,\"p99\":%.1f}\n", finished, took, errors,
           p50, p99);
    return 0;
}
