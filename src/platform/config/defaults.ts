/**
 * Defaults that the gateway and the commands share: where a gateway keeps its books and where it listens when
 * no setting says otherwise.
 */
export const defaultDataDir = '.tollgate'
export const defaultPort = 8402
/** Only programs on this machine reach it. */
export const loopback = '127.0.0.1'

/** The catalog in use, without CATALOG_FILE. */
export const defaultCatalogFile = 'pricing/catalog.yaml'

/** The address of a listener as programs on the same machine call it. */
export function ownAddress(host: string, port: number | string): string {
  return `http://${urlHost(host)}:${port}`
}

/** The address of all interfaces cannot be called; loopback replaces it. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return loopback
  return host.includes(':') ? `[${host}]` : host
}
