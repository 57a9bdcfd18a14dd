import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { LineCounter, parseDocument, visit } from 'yaml'
import type { Catalog } from '../../core/catalog/catalog.ts'
import { catalogSchema, readUpstreams } from '../../core/catalog/catalog-schema.ts'
import { listingWarnings, routeWarnings } from '../../core/catalog/warnings.ts'
import { findPlace, operationPaths, routedOperations } from './catalog-places.ts'
import { hintFor, readableIssues, reasonOf, unknownKey } from './catalog-reasons.ts'

/**
 * Reads `pricing/catalog.yaml`. It reports every fault at once, each with its line, so that the operator need
 * not restart once per fault. A faulty file is refused whole: half a price list would sell something at the
 * wrong price.
 */

/** One fault of a catalog. Line and column count from 1; `path` is dotted, empty for the whole file. */
export interface Fault {
  readonly line: number
  readonly column: number
  readonly path: string
  readonly message: string
}

/** A catalog that cannot be used; the message lists every fault as `file:line:column path: reason`. */
export class CatalogError extends Error {
  readonly file: string
  readonly faults: readonly Fault[]
  /** The upstreams without a fault of their own. */
  readonly upstreams: Catalog['upstreams']

  constructor(
    file: string,
    faults: readonly Fault[],
    { upstreams = {}, ...options }: ErrorOptions & { upstreams?: Catalog['upstreams'] } = {},
  ) {
    super(faults.map((fault) => describeFault(file, fault)).join('\n'), options)
    this.name = 'CatalogError'
    this.file = file
    this.faults = faults
    this.upstreams = upstreams
  }
}

/** Writes a fault in the form of compilers, so that editors and terminals can jump to it. */
export function describeFault(file: string, { line, column, path, message }: Fault): string {
  return `${file}:${line}:${column} ${path ? `${path}: ` : ''}${message}`
}

/** What the endpoint table says of our own endpoints. */
export interface OwnEndpoints {
  /** The ids that a catalog may name without a route to an upstream. */
  readonly operationIds: readonly string[]
  /** The prefixes of their paths, which no upstream may use. */
  readonly prefixes: readonly string[]
}

const maxBytes = 1_048_576
/** A file with more is not read on: aliases of aliases grow without bounds. */
const maxAliases = 5

/** A catalog with what may be wrong in it, or what is. */
type CheckedCatalog =
  | { readonly catalog: Catalog; readonly warnings: readonly Fault[] }
  | { readonly faults: readonly Fault[]; readonly upstreams?: Catalog['upstreams'] }

/**
 * Reads and checks the catalog at `path`.
 * @returns the catalog, and what in it is allowed and may give away what is sold.
 * @throws CatalogError when the file is missing, unreadable, larger than 1 MB, not UTF-8 or faulty.
 */
export async function inspectCatalog(
  path: string,
  own: OwnEndpoints,
): Promise<{ readonly catalog: Catalog; readonly warnings: readonly Fault[] }> {
  const result = checkCatalog(await readText(path), own)
  if ('faults' in result) throw new CatalogError(path, result.faults, result)
  return result
}

/**
 * Reads the catalog at `path`.
 * @throws CatalogError as `inspectCatalog`.
 */
export async function loadCatalog(path: string, own: OwnEndpoints): Promise<Catalog> {
  return (await inspectCatalog(path, own)).catalog
}

/**
 * Checks the text of a catalog and returns every fault, or every warning, sorted by line. When the text is not readable as
 * YAML, only that is reported: a check of a half-read file would report lines that are correct. What an alias stands for is
 * checked, too, although the alias is a fault.
 */
export function checkCatalog(text: string, own: OwnEndpoints): CheckedCatalog {
  const lines = new LineCounter()
  // The schema is pinned: a %YAML 1.1 directive could bring back merge keys and `yes` as a boolean.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    strict: true,
    uniqueKeys: true,
    stringKeys: true,
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    logLevel: 'error',
  })
  const faults: Fault[] = []
  const faultAt = (offset: number, path: readonly PropertyKey[], message: string): Fault => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1), path: path.map(String).join('.'), message }
  }
  const report = (...place: Parameters<typeof faultAt>) => void faults.push(faultAt(...place))

  const notes = [...document.errors, ...document.warnings]
  for (const note of notes) report(note.pos[0], [], note.message)
  let readable = notes.every((note) => note.code === 'DUPLICATE_KEY')
  let aliases = 0
  const reason = 'a catalog has no anchors and no aliases: write the price of each operation in its own entry'
  visit(document, {
    Alias(_key, alias) {
      aliases += 1
      readable &&= aliases <= maxAliases && alias.resolve(document) !== undefined
      report(alias.range?.[0] ?? 0, [], `*${alias.source}: ${reason}`)
    },
    Value(_key, { anchor, range }) {
      if (anchor === undefined) return
      // The range of a value begins behind its anchor, often on the next line.
      report(Math.max(text.lastIndexOf(`&${anchor}`, range?.[0]), 0), [], `&${anchor}: ${reason}`)
    },
  })
  if (!readable) return { faults: sorted(faults) }

  const { contents } = document
  const written: unknown = document.toJS()
  const parsed = catalogSchema(own.prefixes).safeParse(written)
  const routed = routedOperations(contents)
  for (const path of operationPaths(contents)) {
    const id = path.at(-1) ?? ''
    const isOwn = own.operationIds.includes(id)
    const place = () => findPlace(contents, path).keyOffset
    if (isOwn && routed.includes(id) && path.length === 2) {
      report(place(), path, 'is one of our own operations, which no upstream can serve: choose another id')
    } else if (!isOwn && !routed.includes(id)) {
      report(place(), path, `no endpoint has this id; ${hintFor(id, [...own.operationIds, ...routed])}`)
    }
  }
  for (const issue of readableIssues(parsed.error?.issues ?? [])) {
    // A malformed id without a route was reported above: no endpoint has it.
    const isReported = issue.path.at(-2) === 'operations' && !routed.includes(String(issue.path.at(-1)))
    if (issue.code === 'invalid_key' && isReported) continue
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        const path = [...issue.path, key]
        report(findPlace(contents, path).keyOffset, path, unknownKey(path))
      }
    } else {
      const place = findPlace(contents, issue.path)
      report(place.valueOffset, issue.path, reasonOf(issue, place))
    }
  }
  if (parsed.success && faults.length === 0) {
    const warnings = [...routeWarnings(parsed.data), ...listingWarnings(parsed.data)].map(
      ({ path, message }) => faultAt(findPlace(contents, path).valueOffset, path, message),
    )
    return { catalog: parsed.data, warnings: sorted(warnings) }
  }
  return { faults: sorted(faults), upstreams: readUpstreams(written) }
}

function sorted(faults: readonly Fault[]): Fault[] {
  return faults.toSorted((a, b) => a.line - b.line || a.column - b.column)
}

async function readText(path: string): Promise<string> {
  const refusal = (message: string, cause?: unknown) =>
    new CatalogError(path, [{ line: 1, column: 1, path: '', message }], { cause })
  const bytes = await buffer(createReadStream(path, { end: maxBytes })).catch((error: unknown) => {
    throw refusal(`cannot be read: ${error instanceof Error ? error.message : String(error)}`, error)
  })
  if (bytes.length > maxBytes) throw refusal('is larger than 1 MB, which is too large for a catalog')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw refusal('is not UTF-8 text', error)
  }
}
