/**
 * Writes JSON-LD as the element that its owner pastes. In a script, "<" would end the element where a text of the site
 * holds a closing tag, so it is written as its code.
 */
export function jsonLdScript(value: unknown): string {
  const json = JSON.stringify(value, undefined, 2).replaceAll('<', '\\u003c')
  return `<script type="application/ld+json">\n${json}\n</script>`
}

/**
 * The markup of a page without the scripts that hold one thing of this type and nothing else: what a block replaces.
 * A script that holds more stays.
 */
export function withoutJsonLd(body: string, type: string): string {
  return body.replace(
    /<script\b[^>]{0,200}application\/ld\+json[^>]{0,200}>([^<]{0,20000})<\/script\s*>/gi,
    (script, json: string) => (isOneOf(json, type) ? '' : script),
  )
}

function isOneOf(json: string, type: string): boolean {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && '@type' in value && value['@type'] === type
  } catch {
    // What cannot be parsed is not known to be of the type, and stays.
    return false
  }
}
