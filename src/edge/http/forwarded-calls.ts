import type { IncomingMessage } from 'node:http'
import type { Log } from '../../core/log.ts'

/**
 * Warns once when calls come through a proxy and TRUST_PROXY is not set. All callers behind that proxy then
 * have its address and share one free quota, which looks like an outage to them. The header itself is not
 * logged: any caller can write it.
 */
export function warnOfForwardedCalls(log: Log): (req: IncomingMessage) => void {
  let hasWarned = false
  return ({ headers }) => {
    if (hasWarned || headers['x-forwarded-for'] === undefined) return
    hasWarned = true
    log.warn(
      'a request has X-Forwarded-For, and TRUST_PROXY is not set: if a proxy is in front, all its callers share one free quota; set TRUST_PROXY to the number of proxies',
    )
  }
}
