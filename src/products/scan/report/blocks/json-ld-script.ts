import { unseen } from '../../site/addresses.ts'
import { isRecord, textOf } from '../../site/html/json-ld.ts'
import type { JsonLdNode } from '../../site/site.ts'

/**
 * Writes JSON-LD as the element that its owner pastes. In a script, "<" would end the element where a text of the site
 * holds a closing tag, so it is written as its code. So is what no reader can see: it could turn the direction of a text.
 */
export function jsonLdScript(value: unknown): string {
  const json = JSON.stringify(value, undefined, 2).replaceAll('<', '\\u003c').replace(unseenOnes, coded)
  return `<script type="application/ld+json">\n${json}\n</script>`
}

const unseenOnes = new RegExp(`${unseen.source}|[\\u2028\\u2029]`, 'gu')

/** The line breaks stay, which part the lines. */
function coded(character: string): string {
  if (character === '\n') return character
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
}

/** The markup of a page without this node of its JSON-LD, which stands by itself, in a list or in a graph. */
export function withoutNode(body: string, { types, properties }: JsonLdNode): string {
  const name = textOf(properties.name)
  const isIt = (value: unknown) =>
    isRecord(value) &&
    textOf(value.name) === name &&
    [value['@type']].flat().some((type) => endsWithType(type, types))
  return body.replace(jsonLdScripts, (script, json: string) => {
    const value = parsed(json)
    if (isIt(value)) return ''
    const list = Array.isArray(value) ? value : isRecord(value) ? value['@graph'] : undefined
    if (!Array.isArray(list) || !list.some(isIt)) return script
    // What lies so deep describes nothing, and could not be written again.
    if (isDeep(json)) return script
    const rest = list.filter((one) => !isIt(one))
    return jsonLdScript(isRecord(value) ? { ...value, '@graph': rest } : rest)
  })
}

function isDeep(json: string): boolean {
  let depth = 0
  for (const [sign] of json.matchAll(/[[\]{}]/g)) {
    depth += sign === '[' || sign === '{' ? 1 : -1
    if (depth > maxDepth) return true
  }
  return false
}

const maxDepth = 100

/** "https://schema.org/Dentist" is the type Dentist. */
function endsWithType(written: unknown, types: readonly string[]): boolean {
  return typeof written === 'string' && types.includes(written.trim().replace(/^.*[/#:]/, ''))
}

/**
 * The markup of a page without the scripts that hold one thing of this type and nothing else: what a block replaces.
 * A script that holds more stays.
 */
export function withoutJsonLd(body: string, type: string): string {
  return body.replace(jsonLdScripts, (script, json: string) => (isOneOf(json, type) ? '' : script))
}

const jsonLdScripts = /<script\b[^>]{0,200}application\/ld\+json[^>]{0,200}>([^<]{0,20000})<\/script\s*>/gi

function isOneOf(json: string, type: string): boolean {
  const value = parsed(json)
  return isRecord(value) && value['@type'] === type
}

/** What cannot be parsed is not known to be of a type, and stays. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
