// Identity: which host gets which fields.

import Foundation
import Testing

@testable import linkcheck

struct IdentityTests {
    @Test func `secrets are for the checked sites and the hosts that they name`() {
        let site = URL(string: "http://a.example/")!
        var identity = Identity()
        identity.userAgent = "me"
        identity.siteFields = [HeaderField(name: "Cookie", value: "x")]
        identity.sites = [Origin(site)!]
        identity.credentials = ["*": "user:secret", "b.example": "other:word"]
        let fields = { (address: String) in
            identity.signed(Request(method: .get, address: URL(string: address)!)).fields.map {
                "\($0.name): \($0.value)"
            }
        }
        #expect(
            fields("http://a.example/x") == ["User-Agent: me", "Cookie: x", "Authorization: Basic dXNlcjpzZWNyZXQ="])
        #expect(fields("http://b.example/") == ["User-Agent: me", "Authorization: Basic b3RoZXI6d29yZA=="])
        #expect(fields("http://a.example:81/") == ["User-Agent: me"])
    }
}
