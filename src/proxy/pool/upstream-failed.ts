import { GatewayError } from '../../core/errors.ts'

/** @param problem of the upstream, for the caller: it names no address. */
export function upstreamFailed(problem: string): GatewayError {
  return new GatewayError('UPSTREAM_FAILED', { problem })
}

export function replyTooLarge(maxBytes: number): GatewayError {
  return upstreamFailed(`its reply is larger than ${maxBytes} bytes`)
}

export function cutShort(): GatewayError {
  return upstreamFailed('its reply broke off')
}
