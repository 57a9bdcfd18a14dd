import type { Express, Request } from 'express'

/**
 * Makes `req.host` and `req.hostname` name the host that the request itself was sent to. With `trust proxy`, Express
 * reads X-Forwarded-Host in its place. Many proxies add their X-Forwarded-For and pass a caller's X-Forwarded-Host on,
 * so a caller could choose the upstream of another host, past what the proxy allows.
 */
export function readHostOfRequest(app: Express): void {
  Object.defineProperty(app.request, 'host', {
    configurable: true,
    get(this: Request): string | undefined {
      return hostInTarget(this.originalUrl ?? this.url) ?? this.headers.host
    },
  })
}

/** A target in absolute form counts more than the Host header: https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2 */
function hostInTarget(target: string): string | undefined {
  if (target.startsWith('/')) return undefined
  return /^https?:\/\/([^/?#]*)/i.exec(target)?.[1]
}
