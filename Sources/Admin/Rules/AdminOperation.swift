internal import HTTP
internal import Telemetry
internal import WAFTokens

/// What can be asked of the admin listener.
enum AdminOperation: Sendable, Equatable {
    /// The web page.
    case page(PageFile)
    case live
    case ready
    case metrics
    case status
    case explain(url: String)
    case clients
    /// The certificate that clients have to trust.
    case authority
    /// What else they can trust, with the roots that they trust anyway.
    case trust(TrustFile)
    case flows(FlowFilter)
    /// The same as a HAR.
    case archive(FlowFilter)
    case showToken(provider: String, reveal: Bool)
    case loadToken(provider: String)
    case refresh(provider: String)
    case expire(provider: String)
    case setActivity
    case reload
    case drain

    var access: AdminGate.Access {
        switch self {
        case .page, .live, .ready: .probe
        case .metrics, .status, .clients, .authority, .trust, .flows, .archive, .explain, .showToken(_, reveal: false):
            .read
        case .showToken(_, reveal: true), .loadToken, .refresh, .expire, .setActivity, .reload, .drain: .write
        }
    }

    /// What a request asks for. HEAD counts as GET.
    static func find(_ request: AdminRequest) -> Result<AdminOperation, AdminRefusal> {
        let segments = request.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        switch segments.map(String.init) {
        case ["livez"]: return get(request) { .success(.live) }
        case ["readyz"]: return get(request) { .success(.ready) }
        case ["metrics"]: return get(request) { .success(.metrics) }
        case let words where words.count == 1 && PageFile(path: words[0]) != nil:
            return get(request) {
                PageFile(path: words[0]).map { .success(.page($0)) }
                    ?? .failure(AdminRefusal(.notFound, "no such path"))
            }
        case ["ca.pem"], ["trust", "ca.pem"]: return get(request) { .success(.authority) }
        case let words where words.count == 2 && words[0] == "trust":
            return get(request) {
                TrustFile(rawValue: words[1]).map { .success(.trust($0)) }
                    ?? .failure(AdminRefusal(.notFound, "no such file; there are ca.pem, bundle.pem, truststore.p12"))
            }
        case ["v1", "clients"]: return get(request) { .success(.clients) }
        case ["v1", "status"]: return get(request) { .success(.status) }
        case ["v1", "explain"]:
            return get(request) {
                guard let url = request.parameter("url"), !url.isEmpty else {
                    return .failure(AdminRefusal(.badRequest, "the query needs url=..."))
                }
                return .success(.explain(url: url))
            }
        case ["v1", "drain"]: return post(request) { .success(.drain) }
        case ["v1", "reload"]: return post(request) { .success(.reload) }
        case ["v1", "flows"]: return flows(request) { .flows($0) }
        case ["v1", "flows.har"]: return flows(request) { .archive($0) }
        case ["v1", "activity"]: return post(request) { .success(.setActivity) }
        case let words where words.count == 4 && words[0] == "v1" && words[1] == "providers":
            return provider(request, PercentText.decoded(words[2]) ?? words[2], words[3])
        default: return .failure(AdminRefusal(.notFound, "no such path"))
        }
    }

    private static func flows(
        _ request: AdminRequest, _ make: (FlowFilter) -> AdminOperation
    ) -> Result<AdminOperation, AdminRefusal> {
        get(request) {
            do throws(AdminRefusal) { return .success(make(try FlowQuery.filter(request))) } catch {
                return .failure(error)
            }
        }
    }

    private static func provider(
        _ request: AdminRequest, _ name: String, _ action: String
    ) -> Result<AdminOperation, AdminRefusal> {
        switch action {
        case "token":
            switch request.method {
            case .get, .head: return show(request, name)
            case .post: return .success(.loadToken(provider: name))
            default: return .failure(AdminRefusal(.methodNotAllowed("GET, HEAD, POST"), "GET or POST"))
            }
        case "refresh": return post(request) { .success(.refresh(provider: name)) }
        case "expire": return post(request) { .success(.expire(provider: name)) }
        default: return .failure(AdminRefusal(.notFound, "no such path"))
        }
    }

    private static func show(_ request: AdminRequest, _ name: String) -> Result<AdminOperation, AdminRefusal> {
        switch request.parameter("reveal") {
        case "1": .success(.showToken(provider: name, reveal: true))
        case nil, "", "0": .success(.showToken(provider: name, reveal: false))
        default: .failure(AdminRefusal(.badRequest, "reveal must be 0 or 1"))
        }
    }

    private static func get(
        _ request: AdminRequest, _ make: () -> Result<AdminOperation, AdminRefusal>
    ) -> Result<AdminOperation, AdminRefusal> {
        switch request.method {
        case .get, .head: make()
        default: .failure(AdminRefusal(.methodNotAllowed("GET, HEAD"), "GET only"))
        }
    }

    private static func post(
        _ request: AdminRequest, _ make: () -> Result<AdminOperation, AdminRefusal>
    ) -> Result<AdminOperation, AdminRefusal> {
        request.method == .post ? make() : .failure(AdminRefusal(.methodNotAllowed("POST"), "POST only"))
    }
}

/// Why a request is not done, as it is answered.
struct AdminRefusal: Error, Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case badRequest
        case notFound
        /// With the methods that are.
        case methodNotAllowed(String)
    }

    let kind: Kind
    let sentence: String

    init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }

    var answer: AdminAnswer {
        switch kind {
        case .badRequest: return AdminAnswer(error: "bad_request", sentence, status: 400)
        case .notFound: return AdminAnswer(error: "not_found", sentence, status: 404)
        case .methodNotAllowed(let methods):
            var answer = AdminAnswer(error: "method_not_allowed", sentence, status: 405)
            answer.allow = methods
            return answer
        }
    }
}
