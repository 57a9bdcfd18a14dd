/**
 * Every refusal a caller can meet. A code carries its HTTP status, the specification's `error` word
 * and a sentence that says what to do about it (specification part 7), so no two places can answer
 * the same fault differently.
 */

/** What a caller is told of a refusal: HTTP status, the specification's `error` word, and what to do about it. */
export interface ErrorKind {
  readonly status: number
  readonly error: string
  readonly message: string
}

/** Refusals that only a call which an upstream carries out can meet. */
const upstreamKinds = {
  PATH_AMBIGUOUS: {
    status: 400,
    error: 'bad_request',
    message:
      'The path can be read in more than one way, see details.problem, so it is not passed on. Write it without escapes that are not needed, and without . and .. as segments, double slashes, backslashes and semicolons.',
  },
  UPSTREAM_FAILED: {
    status: 502,
    error: 'bad_gateway',
    message:
      'The server behind this operation gave no usable reply, see details.problem. Nothing was charged unless details.payment says so; repeat the request, and a payment with it while it is valid.',
  },
  UPSTREAM_UNREACHABLE: {
    status: 502,
    error: 'bad_gateway',
    message:
      'The server behind this operation cannot be reached. Nothing was charged unless details.payment says so; repeat the request in a moment, and a payment with it while it is valid.',
  },
  UPSTREAM_TIMEOUT: {
    status: 504,
    error: 'timeout',
    message:
      'The server behind this operation took too long to answer. Nothing was charged unless details.payment says so; repeat the request, and a payment with it while it is valid.',
  },
} as const satisfies Record<string, ErrorKind>

export const kinds = {
  ...upstreamKinds,
  VALIDATION_ERROR: {
    status: 400,
    error: 'bad_request',
    message:
      'The request does not have the expected shape. Correct the fields named in details.issues and send it again.',
  },
  MALFORMED_JSON: {
    status: 400,
    error: 'bad_request',
    message: 'The request body is not valid JSON. Send a JSON object with Content-Type: application/json.',
  },
  CONFLICTING_PAYMENTS: {
    status: 400,
    error: 'bad_request',
    message: 'The request carries two different payments. Send exactly one payment header.',
  },
  CONFLICTING_CREDENTIALS: {
    status: 400,
    error: 'bad_request',
    message:
      'The request carries two different credentials. Send one: x-mcp-api-key, or Authorization: Bearer.',
  },
  IDEMPOTENCY_KEY_REQUIRED: {
    status: 400,
    error: 'bad_request',
    message:
      'Add the header Idempotency-Key with at least 16 random characters, such as a UUID, and repeat the request with the same payment; nothing was charged. Keep it to yourself: should the reply get lost, the same request with the same Idempotency-Key gets it again.',
  },
  TIER_NOT_FOR_SALE: {
    status: 400,
    error: 'bad_request',
    message:
      'No tier of this name is for sale, and this call charged nothing. Name one of those in details.for_sale; of a payment that was taken before, GET /payments/{paymentId} tells the state, and the operator can refund it.',
  },
  INVALID_URL: {
    status: 400,
    error: 'bad_request',
    message:
      'This is not a website that can be scanned, see details.problem. Send a valid website URL in the field url: a public domain such as example.com, or an http(s) address.',
  },
  API_KEY_REQUIRED: {
    status: 401,
    error: 'unauthorized',
    message:
      'This operation is for holders of an API key. Send it in the x-mcp-api-key header; GET /pricing tells what keys there are.',
  },
  API_KEY_MALFORMED: {
    status: 401,
    error: 'unauthorized',
    message:
      'This is not an API key of this service: part of it is missing or mistyped. Send the key as it was shown when it was made.',
  },
  API_KEY_UNKNOWN: {
    status: 401,
    error: 'unauthorized',
    message: 'No key here is like this one. Check that it belongs to this service, or ask for a new one.',
  },
  API_KEY_EXPIRED: {
    status: 401,
    error: 'unauthorized',
    message: 'This API key has expired. Renew it with POST /api/keys/renew, or use another one.',
  },
  API_KEY_REVOKED: {
    status: 401,
    error: 'unauthorized',
    message: 'This API key was revoked or replaced by another. Use the new one, or ask the operator.',
  },
  TOKEN_INVALID: {
    status: 401,
    error: 'unauthorized',
    message:
      'This access token is not one that opens anything here. Get one from POST /oauth/token, or send an API key.',
  },
  TOKEN_EXPIRED: {
    status: 401,
    error: 'unauthorized',
    message: 'This access token has expired. Get a new one from where you got it.',
  },
  OPERATOR_TOKEN_REQUIRED: {
    status: 401,
    error: 'unauthorized',
    message:
      'This belongs to the operator of the gateway. Send the operator token: Authorization: Bearer followed by OPERATOR_TOKEN, or by the token in operator.json in the data folder.',
  },
  OPERATOR_TOKEN_INVALID: {
    status: 401,
    error: 'unauthorized',
    message:
      'The token is not that of the operator of this gateway. Send OPERATOR_TOKEN as the gateway was started with it, or the token in operator.json in its data folder.',
  },
  PAYMENT_REQUIRED: {
    status: 402,
    error: 'payment_required',
    message:
      'This call is paid per use. Sign one of the accepted payments and repeat the request with the PAYMENT-SIGNATURE, X-PAYMENT or X-Payment-Signature header.',
  },
  PAYMENT_INVALID: {
    status: 402,
    error: 'payment_required',
    message:
      'The payment was not accepted and no money was taken: see details.reason. Sign a new payment for one of the accepted requirements and repeat the request.',
  },
  PAYMENT_FAILED: {
    status: 402,
    error: 'payment_required',
    message:
      'The chain refused the transfer and no money was taken. What was signed stays valid until its validBefore, so repeat this same request with this same payment once the wallet holds the amount, or cancel the authorization before you sign another.',
  },
  TIER_INSUFFICIENT: {
    status: 403,
    error: 'forbidden',
    message:
      'The tier of this key does not cover the operation. Use a key of one of the tiers in details.tiers, or none where the operation has a free quota.',
  },
  SCOPE_INSUFFICIENT: {
    status: 403,
    error: 'forbidden',
    message:
      'This access token was not issued for the operation. Ask for a token with the scope in details.scope.',
  },
  DRY_RUN: {
    status: 403,
    error: 'forbidden',
    message:
      'This gateway is only tried out: it takes no money, so it sells no API keys, and nothing was charged. Ask the operator for a key.',
  },
  NOT_FOUND: {
    status: 404,
    error: 'not_found',
    message:
      'There is nothing at this path. Paths are case-sensitive and carry no trailing slash; GET /pricing lists what is offered.',
  },
  KEY_NOT_FOUND: {
    status: 404,
    error: 'not_found',
    message:
      'No API key has this id. The id is the 16 letters and digits behind tgk_ in a key; one that was revoked stays so, and is not renewed. The operator sees them all with `tollgate keys list`.',
  },
  SCAN_NOT_FOUND: {
    status: 404,
    error: 'not_found',
    message:
      'No scan has this ID. Check the scan ID; a scan that was started with an API key is shown to that key only.',
  },
  PLAYBOOK_NOT_FOUND: {
    status: 404,
    error: 'not_found',
    message:
      'This scan ended in an error, so there is no playbook. See its errorMessage, mend that, and scan again.',
  },
  PAYMENT_NOT_FOUND: {
    status: 404,
    error: 'not_found',
    message:
      'No payment in these books has this id. Check the id; a payment is in the books from the moment it is accepted for a call.',
  },
  SCAN_NOT_COMPLETE: {
    status: 409,
    error: 'conflict',
    message:
      'The scan is not complete yet. Ask for its status every 5 to 10 seconds, or follow its stream, and come back once it is complete.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    error: 'method_not_allowed',
    message: 'This path does not answer that method. Use one of the methods in the Allow header.',
  },
  PAYMENT_REPLAYED: {
    status: 409,
    error: 'conflict',
    message:
      'This payment was already used: it belongs to one request. Do not pay again for a lost reply: repeat exactly that request, and look at details.payment; for a further run sign a new payment.',
  },
  PAYMENT_IN_PROGRESS: {
    status: 409,
    error: 'conflict',
    message:
      'A request with this same payment is still being served. Wait for Retry-After seconds, then ask for its state; do not pay again.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    error: 'conflict',
    message:
      'Something else was asked for under this idempotency key before. Nothing was done and nothing was charged now: use a new key for a new request.',
  },
  REFUND_IMPOSSIBLE: {
    status: 409,
    error: 'conflict',
    message:
      'The payment cannot be refunded now, and no money was moved: see details.problem. Mend that and ask again; a payment is refunded once at most.',
  },
  CATALOG_FAULTY: {
    status: 409,
    error: 'conflict',
    message:
      'The catalogue cannot be used, so the one in use stays. Mend the faults in details.faults and ask again.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    error: 'payload_too_large',
    message: 'The request body is too large. Send at most details.max_bytes bytes.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    error: 'unsupported_media_type',
    message:
      'The request body is not of a type that is read here. Send JSON with Content-Type: application/json.',
  },
  RATE_LIMIT: {
    status: 429,
    error: 'rate_limited',
    message:
      'The limit on these calls is reached, see details.limit. Wait for Retry-After seconds before the next one; where the reply carries PAYMENT-REQUIRED, a call with a payment and without a key passes at once.',
  },
  TOO_MANY_PAYMENTS: {
    status: 429,
    error: 'rate_limited',
    message:
      'As many calls of this payer are being served or settled as one payer may have at once, and nothing was charged. Repeat the request with the same payment after Retry-After seconds.',
  },
  CALLER_LEFT: {
    status: 499,
    error: 'caller_left',
    message: 'The caller closed the connection before the reply was ready, and nothing was charged.',
  },
  INTERNAL: {
    status: 500,
    error: 'internal',
    message:
      'The gateway failed unexpectedly. Try again; if it persists, tell the operator the X-Request-Id of this reply.',
  },
  PAID_NOT_SERVED: {
    status: 502,
    error: 'bad_gateway',
    message:
      'The payment was taken, and the call came to nothing afterwards. Do not sign a new payment: repeat the request with the same payment, and it is served without a second charge, or ask the operator for a refund of details.payment.',
  },
  TEXT_ENGINE_FAILED: {
    status: 502,
    error: 'bad_gateway',
    message:
      'The text model did not give a usable answer, and nothing was charged. Repeat the request; the same payment may be sent again while it is valid.',
  },
  PAYMENTS_UNAVAILABLE: {
    status: 503,
    error: 'unavailable',
    message:
      'Payments cannot be checked right now, so nothing was run and nothing was charged. Repeat the request after Retry-After seconds.',
  },
  SCANS_UNAVAILABLE: {
    status: 503,
    error: 'unavailable',
    message:
      'Scans cannot be taken or looked up right now, and nothing was counted. Repeat the request after Retry-After seconds.',
  },
  QUOTAS_UNAVAILABLE: {
    status: 503,
    error: 'unavailable',
    message:
      'Keys and quotas cannot be looked up right now, so nothing was run and nothing was counted. Repeat the request after Retry-After seconds.',
  },
  BOOKS_UNAVAILABLE: {
    status: 503,
    error: 'unavailable',
    message:
      'The books cannot be read right now. Ask again after Retry-After seconds, and sign no new payment before you know what became of this one.',
  },
  CHAIN_UNAVAILABLE: {
    status: 503,
    error: 'unavailable',
    message:
      'The chain does not answer, so this could not be done or compared. See that the node at RPC_URL works, then ask again: what was begun goes on where it was.',
  },
  SETTLEMENT_UNKNOWN: {
    status: 503,
    error: 'unavailable',
    message:
      'The outcome of the settlement is not known yet. Do not sign a new payment: repeat the same request with the same payment after Retry-After seconds.',
  },
  DEADLINE_EXCEEDED: {
    status: 504,
    error: 'timeout',
    message:
      'The call took longer than this operation allows, and nothing was charged. Repeat the request; the same payment may be sent again while it is valid.',
  },
} as const satisfies Record<string, ErrorKind>
