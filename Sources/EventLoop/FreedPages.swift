internal import CUV

/// How the process keeps memory that it has freed (mallopt(3)).
public enum FreedPages {
    /// For a program whose main work is forwarding. libcurl takes buffers of up to 128 KB for each request and gives them
    /// back; by default glibc then returns their pages to the kernel, and has them faulted in again for the next request.
    /// So up to 4 MB for each loop stay ours, and buffers of that size never become mappings of their own.
    public static func keep() {
        mallopt(M_TRIM_THRESHOLD, 4 << 20)
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
    }
}
