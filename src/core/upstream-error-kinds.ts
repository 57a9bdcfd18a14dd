import type { ErrorKind } from './error-kind.ts'

/** Refusals that only a call which an upstream carries out can meet. */
export const upstreamKinds = {
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
