/// Why a message is refused: what a client is told, and whether the connection can go on.
public struct HTTPError: Error, Sendable, Hashable {
    /// What is wrong, one case a rule. Prints as a part of a sentence.
    public enum Reason: Sendable, Hashable, CaseIterable {
        case malformedStartLine, malformedMethod, malformedTarget, malformedVersion, unsupportedVersion
        case malformedAuthority, userinfoInTarget, unsupportedScheme, fragmentInTarget, portMissing
        case bareLineFeed, bareCarriageReturn, controlByte, foldedField, malformedFieldName, blankBeforeColon,
            missingColon
        case headTooLarge, tooManyFields
        case missingHost, repeatedHost, malformedHost
        case repeatedContentLength, malformedContentLength, lengthAndTransferEncoding,
            transferEncodingInHTTP10
        case unknownTransferEncoding, bodyNotAllowed
        case malformedChunkSize, chunkTooLarge, chunkExtensionTooLong, chunkNotEnded, trailerTooLarge,
            forbiddenTrailer
        case malformedStatusLine
    }

    /// The status for the client: 400, 431, 501 or 505.
    public let status: Int
    public let reason: Reason
    /// Whether it is unclear where the next message begins, so that the connection must end.
    public let framingLost: Bool

    /// The fault that a byte is which may stand in no line.
    init(control byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\n"): self.init(.bareLineFeed)
        case UInt8(ascii: "\r"): self.init(.bareCarriageReturn)
        default: self.init(.controlByte)
        }
    }

    /// `framingLost` is false only where a whole head has been taken off the connection before.
    init(_ reason: Reason, framingLost: Bool = true) {
        self.reason = reason
        self.framingLost = framingLost
        status =
            switch reason {
            case .headTooLarge, .tooManyFields: 431
            case .unknownTransferEncoding: 501
            case .unsupportedVersion: 505
            default: 400
            }
    }
}

extension HTTPError.Reason: CustomStringConvertible {
    /// `there is a blank before a colon`
    public var description: String { "\(text)" }

    /// The same as a constant, for logs.
    public var text: StaticString {
        switch self {
        case .malformedStartLine: "the request line is malformed"
        case .malformedMethod: "the method is not a token"
        case .malformedTarget: "the request target is malformed"
        case .malformedVersion: "the HTTP version is malformed"
        case .unsupportedVersion: "the HTTP version is not supported"
        case .malformedAuthority: "the host or port is malformed"
        case .userinfoInTarget: "the target carries a user name"
        case .unsupportedScheme: "the target's scheme is neither http nor https"
        case .fragmentInTarget: "the target carries a fragment"
        case .portMissing: "the target lacks a port"
        case .bareLineFeed: "a line ends with LF alone"
        case .bareCarriageReturn: "there is a CR without an LF"
        case .controlByte: "there is a control byte in the head"
        case .foldedField: "a field is folded over several lines"
        case .malformedFieldName: "a field name is not a token"
        case .blankBeforeColon: "there is a blank before a field's colon"
        case .missingColon: "a field has no colon"
        case .headTooLarge: "the head is too large"
        case .tooManyFields: "there are too many fields"
        case .missingHost: "the Host field is missing"
        case .repeatedHost: "there is more than one Host field"
        case .malformedHost: "the Host field is malformed"
        case .repeatedContentLength: "there is more than one Content-Length"
        case .malformedContentLength: "the Content-Length is malformed"
        case .lengthAndTransferEncoding: "there are both Content-Length and Transfer-Encoding"
        case .transferEncodingInHTTP10: "HTTP/1.0 has no Transfer-Encoding"
        case .unknownTransferEncoding: "the Transfer-Encoding is not chunked"
        case .bodyNotAllowed: "this request cannot have a body"
        case .malformedChunkSize: "a chunk size is malformed"
        case .chunkTooLarge: "a chunk size is too large"
        case .chunkExtensionTooLong: "the chunk extensions are too long"
        case .chunkNotEnded: "a chunk is not followed by a line end"
        case .trailerTooLarge: "the trailers are too large"
        case .forbiddenTrailer: "a trailer changes the message's framing"
        case .malformedStatusLine: "the status line is malformed"
        }
    }
}
