#pragma once
/// \file
/// What a browser is not allowed to send here in the name of another page.

#include <string>

#include "11_translator/program/serve/http_message.hpp"

namespace gradus {

/// Throws HttpError 403 unless the Host header names this server: localhost, 127.0.0.1, [::1] or `bound`, the address that
/// it listens at, with any port; every numeric address where `bound` means all of them. A page that lets its own name point
/// to this machine (DNS rebinding) comes with that name.
void require_own_host(const HttpRequest& request, const std::string& bound);

/// Throws HttpError 403 where a browser says that another page asks (Origin, Sec-Fetch-Site).
void require_own_page(const HttpRequest& request);

/// Throws HttpError 415 for a body that is not sent as application/json. No form of another page can do that.
void require_json_type(const HttpRequest& request);

/// Whether only this machine reaches `address`.
bool is_loopback(const std::string& address);

}  // namespace gradus
