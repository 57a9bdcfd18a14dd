import type { Endpoint } from '../core/endpoint.ts'
import type { AppParts } from './app.ts'

/**
 * With OPERATOR_PORT, the operator's endpoints have a listener of their own, which a firewall or a proxy can
 * keep from the public. On the public one their paths are unknown, even with the right token.
 */

/** Whether the service works is asked by load balancers on one listener and by monitors on the other. */
const onBoth: readonly string[] = ['/health', '/ready']

export function publicParts(parts: AppParts): AppParts {
  return { ...parts, endpoints: parts.endpoints.filter((endpoint) => !isOperators(endpoint)) }
}

export function operatorParts(parts: AppParts): AppParts {
  const endpoints = parts.endpoints.filter(
    (endpoint) => isOperators(endpoint) || onBoth.includes(endpoint.path),
  )
  // No quota is counted here, so it does not matter from where a call was forwarded.
  return { ...parts, endpoints, findUpstreamRoute: () => undefined, mcp: undefined, trustProxy: 0 }
}

function isOperators({ operation }: Endpoint): boolean {
  return operation?.access === 'operator'
}
