/**
 * Every error that a caller can get: its HTTP status and a message that says what to do next (specification
 * part 7). One table, so that two places cannot answer the same fault differently.
 */
export const kinds = {
  // The request is faulty.
  VALIDATION_ERROR: {
    status: 400,
    message:
      'The request does not have the expected shape. Correct the fields named in details.issues and send it again.',
  },
  MALFORMED_JSON: {
    status: 400,
    message: 'The request body is not valid JSON. Send a JSON object with Content-Type: application/json.',
  },
  PATH_AMBIGUOUS: {
    status: 400,
    message:
      'The path can be read in more than one way (see details.problem), so it is not sent to the upstream. Write it without unnecessary escapes, "." or ".." segments, double slashes, backslashes, semicolons, and dots or spaces at the end of a segment.',
  },
  CONFLICTING_PAYMENTS: {
    status: 400,
    message: 'The request carries two different payments. Send exactly one payment header.',
  },
  CONFLICTING_CREDENTIALS: {
    status: 400,
    message:
      'The request carries two different credentials. Send only one: x-mcp-api-key, or Authorization: Bearer.',
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    status: 400,
    message:
      'This request needs the header Idempotency-Key with at least 16 random characters, such as a UUID. Add it and repeat the request with the same payment; nothing was charged. Keep the key secret: if the reply gets lost, the same request with the same Idempotency-Key returns it again.',
  },
  TIER_NOT_FOR_SALE: {
    status: 400,
    message:
      'No tier with this name is for sale, and this request was not charged. Choose a tier from details.for_sale. If a payment was taken earlier, GET /payments/{paymentId} shows its state, and the operator can refund it.',
  },
  INVALID_URL: {
    status: 400,
    message:
      'This website cannot be scanned (see details.problem). Send a valid website URL in the field url: a public domain such as example.com, or an http(s) address.',
  },
  NOT_FOUND: {
    status: 404,
    message:
      'There is no endpoint at this path. Paths are case-sensitive, and a slash at the end counts. GET /pricing lists the endpoints.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This path does not support the method. Use one of the methods in the Allow header.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'The request body is too large. Send at most details.max_bytes bytes.',
  },
  MALFORMED_REQUEST: {
    status: 400,
    message:
      'This is not a valid HTTP/1.1 request (see details.problem), so nothing of it was run. Correct it and send it on a new connection.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message:
      'The request did not arrive whole in the time that the gateway waits for it, and nothing was charged. Send it again on a new connection, without pauses in its body.',
  },
  CHUNK_EXTENSIONS_TOO_LARGE: {
    status: 413,
    message:
      'The request body has more chunk extensions than the gateway reads. Send it without them, on a new connection.',
  },
  EXPECTATION_FAILED: {
    status: 417,
    message:
      'The gateway cannot meet what the Expect header asks for. Send the request with Expect: 100-continue, or without the header.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    message:
      'The request line and headers are larger than the 16 kB that the gateway reads. Send shorter ones, on a new connection.',
  },
  VERSION_NOT_SUPPORTED: {
    status: 505,
    message: 'The gateway speaks HTTP/1.1 and HTTP/1.0 only. Send the request in one of them.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message:
      'The gateway does not read this type or encoding of request body. Send JSON with Content-Type: application/json.',
  },
  TOO_MANY_UPLOADS: {
    status: 429,
    message:
      'This payer or client address is sending as many request bodies as the gateway holds for one (see details.limit). Nothing was run and nothing was charged. Repeat the request after Retry-After seconds, with fewer uploads at a time.',
  },
  UPLOADS_UNAVAILABLE: {
    status: 503,
    message:
      'The gateway is receiving as many request bodies as it can hold. Nothing was run and nothing was charged. Repeat the request after Retry-After seconds.',
  },
  CALLER_LEFT: {
    status: 499,
    message: 'The caller closed the connection before the reply was ready, and nothing was charged.',
  },

  // Credentials.
  API_KEY_REQUIRED: {
    status: 401,
    message:
      'This operation requires an API key. Send it in the x-mcp-api-key header. GET /pricing lists the tiers.',
  },
  API_KEY_MALFORMED: {
    status: 401,
    message:
      'This is not an API key of this service: part of it is missing or mistyped. Send the key exactly as it was shown when it was created.',
  },
  API_KEY_UNKNOWN: {
    status: 401,
    message: 'Unknown API key. Check that it belongs to this service, or ask for a new one.',
  },
  API_KEY_EXPIRED: {
    status: 401,
    message: 'This API key has expired. Renew it with POST /api/keys/renew, or use another key.',
  },
  API_KEY_REVOKED: {
    status: 401,
    message: 'This API key was revoked or replaced. Use the new key, or ask the operator.',
  },
  TOKEN_INVALID: {
    status: 401,
    message: 'This access token is not valid here. Get one from POST /oauth/token, or send an API key.',
  },
  TOKEN_EXPIRED: {
    status: 401,
    message: 'This access token has expired. Get a new one from its issuer.',
  },
  OPERATOR_TOKEN_REQUIRED: {
    status: 401,
    message:
      'Only the operator can use this endpoint. Send Authorization: Bearer with the operator token: OPERATOR_TOKEN, or the token in operator.json in the data folder.',
  },
  OPERATOR_TOKEN_INVALID: {
    status: 401,
    message:
      'This is not the operator token of this gateway. Send the OPERATOR_TOKEN that the gateway was started with, or the token in operator.json in its data folder.',
  },
  TIER_INSUFFICIENT: {
    status: 403,
    message:
      'The tier of this key does not cover the operation. Use a key of a tier in details.tiers, or send no key if the operation has a free quota.',
  },
  SCOPE_INSUFFICIENT: {
    status: 403,
    message:
      'This access token does not cover the operation. Request a token with the scope in details.scope.',
  },
  KEY_OF_OTHER_NETWORK: {
    status: 409,
    message:
      'This API key is valid on another network only, and nothing was changed. Create a new key with `tollgate keys create`.',
  },
  KEY_NOT_FOUND: {
    status: 404,
    message:
      'No API key has this id. The id is the 16 letters and digits after tgk_ in the key. A revoked key cannot be renewed. The operator can list all keys with `tollgate keys list`.',
  },

  // Payments.
  PAYMENT_REQUIRED: {
    status: 402,
    message:
      'This operation is paid per call. Sign one of the accepted payments and repeat the request with the PAYMENT-SIGNATURE, X-PAYMENT or X-Payment-Signature header.',
  },
  PAYMENT_INVALID: {
    status: 402,
    message:
      'The payment was not accepted (see details.reason), and no money was taken. Sign a new payment for one of the accepted requirements and repeat the request.',
  },
  PAYMENT_FAILED: {
    status: 402,
    message:
      'The chain refused the transfer, and no money was taken. The signed payment stays valid until its validBefore. Repeat this request with the same payment once the wallet holds the amount, or cancel the authorization before you sign another one.',
  },
  DRY_RUN: {
    status: 403,
    message:
      'This gateway runs in dry-run mode: it takes no money, so it sells no API keys. Nothing was charged. Ask the operator for a key.',
  },
  PAYMENT_NOT_FOUND: {
    status: 404,
    message:
      'No payment in this ledger has this id. Check the id. A payment is recorded when it is accepted for a call.',
  },
  PAYMENT_REPLAYED: {
    status: 409,
    message:
      'This payment was used already, and one payment pays for one request. Nothing was run and nothing was charged for this request.',
  },
  PAYMENT_IN_PROGRESS: {
    status: 409,
    message:
      'A request with this payment is still being served. Do not pay again. Repeat this request after Retry-After seconds, or read the state at GET /payments/{paymentId}.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    message:
      'This idempotency key was already used, for a different request or for a stream, which is given once. This request was not run, and nothing was charged for it. Use a new key for a new request.',
  },
  REFUND_IMPOSSIBLE: {
    status: 409,
    message:
      'The payment cannot be refunded now (see details.problem), and no money was moved. Solve the problem and try again. A payment is refunded at most once.',
  },
  PAYMENT_NOT_FINAL: {
    status: 409,
    message:
      'The chain may still drop the block of this payment, and a refund that is out would stay out. No money was moved. Repeat the request after Retry-After seconds, when the block is final. To take the risk now, send beforeFinal: true (tollgate refund --before-final).',
  },
  TRANSFER_NOT_FOUND: {
    status: 404,
    message:
      'No unmatched transfer fits this request (see details.problem). GET /operator/strangers lists them. Check the hash of the transaction.',
  },
  TRANSFER_CONFLICT: {
    status: 409,
    message: 'This cannot be done with the transfer now (see details.problem), and nothing was changed.',
  },
  TOO_MANY_PAYMENTS: {
    status: 429,
    message:
      'This payer or client address already has as many calls in progress as the gateway allows, and nothing was charged. Repeat the request with the same payment after Retry-After seconds.',
  },
  TOO_MANY_REFUSED_PAYMENTS: {
    status: 429,
    message:
      'Too many payments of this payer or client address were refused (see details.limit), so this one was not checked, and nothing was charged. Solve what the earlier refusals named in details.reason, and repeat the request with the same payment after Retry-After seconds.',
  },
  TOO_MANY_FAILURES: {
    status: 429,
    message:
      'Too many calls of this payer failed lately without being charged, so this one was not run, and nothing was charged. Repeat the request with the same payment after Retry-After seconds, and check what the failed calls were answered.',
  },
  PAID_NOT_SERVED: {
    status: 502,
    message: 'The payment was taken, but the call failed afterwards, so the call is owed.',
  },
  PAYMENTS_UNAVAILABLE: {
    status: 503,
    message:
      'The gateway cannot check payments right now. Nothing was run and nothing was charged. Repeat the request after Retry-After seconds.',
  },
  SETTLEMENT_UNKNOWN: {
    status: 503,
    message:
      'The outcome of the settlement is not known yet. Do not sign a new payment: repeat the same request with the same payment after Retry-After seconds, and with the Idempotency-Key of the purchase if it had one. Where replies go to their payer only, a purchase without one needs a sign-in.',
  },

  // Quotas.
  RATE_LIMIT: {
    status: 429,
    message:
      'The limit for these calls is reached (see details.limit). Wait for Retry-After seconds, then repeat the request.',
  },
  QUOTAS_UNAVAILABLE: {
    status: 503,
    message:
      'The gateway cannot check keys and quotas right now. Nothing was run and nothing was counted. Repeat the request after Retry-After seconds.',
  },

  // Running the call.
  INTERNAL: {
    status: 500,
    message:
      'The gateway failed unexpectedly. Try again. If it fails again, send the operator the X-Request-Id of this reply.',
  },
  DEADLINE_EXCEEDED: {
    status: 504,
    message:
      'The call took longer than this operation allows, and nothing was charged. Repeat the request; you can send the same payment again while it is valid.',
  },
  UPSTREAM_FAILED: {
    status: 502,
    message:
      'The upstream gave no usable reply (see details.problem). Nothing was charged unless details.payment says so. Repeat the request; you can send the same payment again while it is valid.',
  },
  UPSTREAM_UNREACHABLE: {
    status: 502,
    message:
      'The upstream cannot be reached. Nothing was charged unless details.payment says so. Repeat the request in a moment; you can send the same payment again while it is valid.',
  },
  UPSTREAM_TIMEOUT: {
    status: 504,
    message:
      'The upstream took too long to reply. Nothing was charged unless details.payment says so. Repeat the request; you can send the same payment again while it is valid.',
  },
  TEXT_ENGINE_FAILED: {
    status: 502,
    message:
      'The text model gave no usable answer, and nothing was charged. Repeat the request; you can send the same payment again while it is valid.',
  },

  TEXT_NOT_KNOWN: {
    status: 422,
    message:
      'The built-in text engine does not know this subject well enough to sell a text about it (see details.problem), and nothing was charged. Change the field named in details.field and send the request again; a payment that was signed for other fields has to be signed anew.',
  },
  TEXT_DECLINED: {
    status: 422,
    message:
      'This service does not write such a text (see details.reason), and nothing was charged. Send a request about another subject.',
  },

  // Scans.
  SCAN_NOT_FOUND: {
    status: 404,
    message:
      'No scan has this ID. Check the ID. A scan that was started with an API key is visible to that key only.',
  },
  PLAYBOOK_NOT_FOUND: {
    status: 404,
    message:
      'This scan ended in an error, so it has no playbook. Solve the problem in its errorMessage and scan again.',
  },
  SCAN_NOT_COMPLETE: {
    status: 409,
    message:
      'The scan is not complete yet. Read its status every 5 to 10 seconds, or follow its stream, and repeat this request once it is complete.',
  },
  SCANS_UNAVAILABLE: {
    status: 503,
    message:
      'Scans cannot be started or read right now, and nothing was counted. Repeat the request after Retry-After seconds.',
  },

  // The directory.
  LISTING_NOT_FOUND: {
    status: 404,
    message:
      'No listing of the directory has this slug. GET /api/directory lists them. A site is listed after a basic or full scan of its home page, unless it asks not to be.',
  },
  DIRECTORY_UNAVAILABLE: {
    status: 503,
    message: 'The directory cannot be read right now. Repeat the request after Retry-After seconds.',
  },
  // Webhooks.
  SUBSCRIPTION_NOT_FOUND: {
    status: 404,
    message:
      'No webhook subscription has this ID, or it belongs to another caller. GET /api/webhooks/subscriptions lists those of your API key. One that was made without a key cannot be managed: answer its deliveries with 410 to end it.',
  },
  DELIVERY_NOT_FOUND: {
    status: 404,
    message:
      'This webhook subscription has no delivery with this ID. GET /api/webhooks/subscriptions/{subscriptionId} shows the last ones; older ones may have been deleted.',
  },
  SUBSCRIPTION_NOT_ACTIVE: {
    status: 409,
    message:
      'This webhook subscription is paused or disabled, so nothing is sent to it. Resume it with POST /api/webhooks/subscriptions/{subscriptionId}/resume, then repeat the request.',
  },
  SUBSCRIPTION_LIMIT: {
    status: 409,
    message:
      'There are as many webhook subscriptions as are allowed here (see details.limit), so none was made. Delete one, or subscribe with an API key.',
  },
  WEBHOOKS_UNAVAILABLE: {
    status: 503,
    message:
      'Webhook subscriptions cannot be read or changed right now, and nothing was changed. Repeat the request after Retry-After seconds.',
  },

  // The operator's requests.
  CATALOG_FAULTY: {
    status: 409,
    message:
      'The catalog cannot be used, so the current one stays in use. Correct the faults in details.faults and load it again.',
  },
  BOOKS_UNAVAILABLE: {
    status: 503,
    message:
      'The ledger cannot be read right now. Repeat the request after Retry-After seconds, when its database answers again.',
  },
  AUDIT_UNAVAILABLE: {
    status: 503,
    message:
      'The audit trail cannot be written right now, so the action was not carried out. Check the store, then repeat the request.',
  },
  CHAIN_UNAVAILABLE: {
    status: 503,
    message:
      'The chain does not answer, so the request could not be completed. Check the node at RPC_URL, then repeat the request. Work that has begun continues where it stopped.',
  },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>
