#pragma once
/// \file
/// Refuses requests that a browser sends to this server for another page.

#include <string>

#include "app/serve/http_message.hpp"

namespace gradus {

/// Throws HttpError 403 unless the request is for this server: localhost, 127.0.0.1, [::1] or `bound`, the
/// address that it listens at, with any port; if `bound` means all addresses, every numeric address. In a DNS
/// rebinding attack, a page lets its own name point to this machine; such requests carry that name and are refused.
void require_own_host(const HttpRequest& request, const std::string& bound);

/// Throws HttpError 403 if the browser reports that another page made the request (Origin, Sec-Fetch-Site).
void require_own_page(const HttpRequest& request);

/// Throws HttpError 415 for a body that is not sent as application/json, in UTF-8 if it says so: forms of other pages cannot
/// send that type.
void require_json_type(const HttpRequest& request);

/// Whether only this machine can reach `address`.
bool is_loopback(const std::string& address);

}  // namespace gradus
