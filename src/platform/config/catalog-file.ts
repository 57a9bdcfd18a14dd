import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { isMap, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import type { z } from 'zod'
import type { Catalog } from '../../core/catalog/catalog.ts'
import { catalogSchema } from '../../core/catalog/catalog-schema.ts'

/**
 * Reads `pricing/catalog.yaml`. An operator who mistypes a price learns every fault at once, each with
 * its line, instead of meeting them one restart at a time; and nothing of a faulty file is used, since
 * half a price list would sell something at the wrong price.
 */

/** One thing wrong with a catalogue. Line and column count from 1; `path` is dotted, empty for the whole file. */
export interface Fault {
  readonly line: number
  readonly column: number
  readonly path: string
  readonly message: string
}

/** A catalogue that cannot be used; the message lists every fault as `file:line:column path: reason`. */
export class CatalogError extends Error {
  readonly file: string
  readonly faults: readonly Fault[]

  constructor(file: string, faults: readonly Fault[], options?: ErrorOptions) {
    super(faults.map((fault) => describeFault(file, fault)).join('\n'), options)
    this.name = 'CatalogError'
    this.file = file
    this.faults = faults
  }
}

/** A fault as compilers write theirs, so that editors and terminals can jump to it. */
export function describeFault(file: string, { line, column, path, message }: Fault): string {
  return `${file}:${line}:${column} ${path ? `${path}: ` : ''}${message}`
}

const maxBytes = 1_048_576

/** What the endpoint table says of our own endpoints. */
export interface OwnEndpoints {
  /** The ids that a catalog may name without a route to an upstream. */
  readonly operationIds: readonly string[]
  /** How their paths begin: no upstream may lie there. */
  readonly prefixes: readonly string[]
}

/**
 * Reads and checks the catalogue at `path`.
 * @throws CatalogError when the file is missing, unreadable, larger than 1 MB, not UTF-8 or faulty.
 */
export async function loadCatalog(path: string, own: OwnEndpoints): Promise<Catalog> {
  const result = checkCatalog(await readText(path), own)
  if ('faults' in result) throw new CatalogError(path, result.faults)
  return result.catalog
}

/**
 * Checks a catalogue's text and tells every fault, sorted by line. What cannot be read as YAML is told
 * first and alone: the shape of a half-read file would blame lines that are right.
 */
export function checkCatalog(text: string, own: OwnEndpoints): { catalog: Catalog } | { faults: Fault[] } {
  const lines = new LineCounter()
  // The schema is pinned, or a %YAML 1.1 directive could bring back merge keys and `yes` as a boolean.
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
  const report = (offset: number, path: readonly PropertyKey[], message: string) => {
    const { line, col } = lines.linePos(offset)
    faults.push({
      line: Math.max(line, 1),
      column: Math.max(col, 1),
      path: path.map(String).join('.'),
      message,
    })
  }

  const notes = [...document.errors, ...document.warnings]
  for (const note of notes) report(note.pos[0], [], note.message)
  let readable = notes.every((note) => note.code === 'DUPLICATE_KEY')
  visit(document, {
    Alias(_key, alias) {
      readable = false
      const reason = 'aliases are not read in a catalogue: each operation says its own price'
      report(alias.range?.[0] ?? 0, [], `*${alias.source}: ${reason}`)
    },
  })
  if (!readable) return { faults: sorted(faults) }

  const { contents } = document
  const parsed = catalogSchema(own.prefixes).safeParse(document.toJS())
  const routed = keysAt(contents, ['operations']).filter((id) => isRouted(contents, id))
  for (const path of operationPaths(contents)) {
    const id = path.at(-1) ?? ''
    const isOurs = own.operationIds.includes(id)
    const place = () => find(contents, path).keyOffset
    if (isOurs && routed.includes(id) && path.length === 2) {
      report(place(), path, 'is an operation of our own, which no upstream carries out: choose another id')
    } else if (!isOurs && !routed.includes(id)) {
      report(place(), path, `no endpoint has this id; ${hint(id, [...own.operationIds, ...routed])}`)
    }
  }
  for (const issue of withoutEchoes((parsed.error?.issues ?? []).flatMap(branchOf))) {
    // No endpoint's id is malformed, so a malformed one has been told above, unless it leads to an upstream.
    const isToldAbove = issue.path.at(-2) === 'operations' && !routed.includes(String(issue.path.at(-1)))
    if (issue.code === 'invalid_key' && isToldAbove) continue
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        const path = [...issue.path, key]
        report(find(contents, path).keyOffset, path, 'is not a key that is known here; see pricing/README.md')
      }
    } else {
      const place = find(contents, issue.path)
      report(place.valueOffset, issue.path, reason(issue, place))
    }
  }
  return parsed.success && faults.length === 0 ? { catalog: parsed.data } : { faults: sorted(faults) }
}

/**
 * What is wrong with something that may have several shapes is told of the one that was meant: of those that it
 * could be at all, the one with the fewest faults.
 */
function branchOf(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0 || issue.message !== 'Invalid input')
    return [issue]
  const [first = [], ...others] = issue.errors
  const possible = [first, ...others].filter((faults) => faults.every(({ path }) => path.length > 0))
  const [meant = first] = possible.toSorted((one, other) => one.length - other.length)
  return meant.map((fault) => ({ ...fault, path: [...issue.path, ...fault.path] }))
}

/** Of what has the wrong type its length is judged as well, which only confuses. */
function withoutEchoes(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const mistyped = new Set(
    issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => path.join('.')),
  )
  return issues.filter(
    ({ code, path }) => !(code === 'too_big' || code === 'too_small') || !mistyped.has(path.join('.')),
  )
}

/** Whether the entry says that an upstream carries it out. */
function isRouted(contents: unknown, id: string): boolean {
  return keysAt(contents, ['operations', id]).some((key) => key === 'upstream' || key === 'route')
}

function sorted(faults: readonly Fault[]): Fault[] {
  return faults.toSorted((a, b) => a.line - b.line || a.column - b.column)
}

/** Where something stands in the file, or would stand. */
interface Place {
  /** Of the key; for a key that is missing, of its parent. */
  readonly keyOffset: number
  /** Of the value when it is a single word, number or text; otherwise of the key. */
  readonly valueOffset: number
  readonly holds: 'nothing' | 'empty' | 'text' | 'plain' | 'collection'
  /** The value as written, when it is a single one. */
  readonly source: string
  readonly node: unknown
}

/** Walks down the document. Of a repeated key the last one counts, as it does for the value. */
function find(contents: unknown, path: readonly PropertyKey[]): Place {
  let node = contents
  let keyOffset = 0
  for (const step of path) {
    const pair = isMap(node) ? node.items.findLast(({ key }) => keyText(key) === String(step)) : undefined
    if (!pair) return { keyOffset, valueOffset: keyOffset, holds: 'nothing', source: '', node: undefined }
    if (isScalar(pair.key)) keyOffset = pair.key.range?.[0] ?? keyOffset
    node = pair.value
  }
  const atKey = { keyOffset, valueOffset: keyOffset, source: '', node }
  if (node === null) return { ...atKey, holds: 'empty' }
  if (!isScalar(node)) return { ...atKey, holds: 'collection' }
  const source = node.source ?? ''
  if (node.value === null && source === '') return { ...atKey, holds: 'empty' }
  const holds = typeof node.value === 'string' ? 'text' : 'plain'
  return { keyOffset, valueOffset: node.range?.[0] ?? keyOffset, holds, source, node }
}

/** Where the file names an operation: what is offered, and what each tier covers. */
function operationPaths(contents: unknown): string[][] {
  const tiers = keysAt(contents, ['tiers']).map((tier) => ['tiers', tier, 'operations'])
  return [['operations'], ...tiers].flatMap((path) => keysAt(contents, path).map((id) => [...path, id]))
}

function keysAt(contents: unknown, path: readonly string[]): string[] {
  const { node } = find(contents, path)
  return isMap(node) ? [...new Set(node.items.map(({ key }) => keyText(key)))] : []
}

function keyText(key: unknown): string {
  return String(isScalar(key) ? key.value : key)
}

/** What is wrong, in words for whoever edits the file. */
function reason(issue: z.core.$ZodIssue, { holds, source }: Place): string {
  if (issue.code === 'invalid_union' && 'options' in issue && issue.options)
    return `must be one of: ${issue.options.join(', ')}`
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  if (issue.code !== 'invalid_type') return issue.message
  if (holds === 'nothing') return 'is missing'
  if (holds === 'empty') return 'is empty'
  if (issue.expected === 'string' && holds === 'plain') return `must be in quotes: write "${source}"`
  if (issue.expected === 'array')
    return holds === 'text' ? `must be a list: write ["${source}"]` : 'must be a list'
  if (issue.expected === 'boolean') return 'must be true or false, without quotes'
  if (issue.expected !== 'string' && holds === 'text')
    return `must be a plain ${issue.expected}, without quotes`
  return issue.message
}

/** A hint at what was meant: the known id that takes the fewest edits (Levenshtein) to reach, or all. */
function hint(id: string, known: readonly string[]): string {
  const [best] = known.map((name) => ({ name, edits: edits(id, name) })).sort((a, b) => a.edits - b.edits)
  if (best && best.edits <= id.length / 2) return `did you mean "${best.name}"?`
  return `the ids are: ${known.join(', ')}`
}

function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries()) {
      const swap = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(swap, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

async function readText(path: string): Promise<string> {
  const refusal = (message: string, cause?: unknown) =>
    new CatalogError(path, [{ line: 1, column: 1, path: '', message }], { cause })
  const bytes = await buffer(createReadStream(path, { end: maxBytes })).catch((error: unknown) => {
    throw refusal(`cannot be read: ${error instanceof Error ? error.message : String(error)}`, error)
  })
  if (bytes.length > maxBytes) throw refusal('is larger than 1 MB, so it is hardly a price list')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw refusal('is not UTF-8 text', error)
  }
}
