import { withoutCodeComments } from '../../site/html/scripted/comments.ts'

/** The text of an element, or the file of a picture and what stands in for one that is not there. */
type Kind = 'text' | 'picture'

/**
 * Those of the ids whose elements a script writes to: `getElementById("name").textContent = …`, the same by a variable, by
 * a function that is called with the id or the element, or by a loop over a table of ids. An id that only stands in the
 * code, for an animation or a counter of visits, is none of them.
 */
export function writtenIds(code: string, ids: ReadonlySet<string>, kind: Kind): ReadonlySet<string> {
  const written = new Set<string>()
  if (ids.size === 0) return written
  const read = readWrites(withoutCodeComments(code), kind)
  let count = 0
  for (const { index, 0: quoted, 2: id = '' } of read.code.matchAll(quotedId)) {
    if (!ids.has(id) || written.has(id)) continue
    count += 1
    if (count > maxMentions) break
    if (isWritten(read, index, index + quoted.length)) written.add(id)
  }
  return written
}

const maxMentions = 1_000

/** `"hero"`, `'#hero'` and `"h1#hero"`. */
const quotedId = /(["'`])(?:[\w-]{0,20}#)?([\w-]{1,60})\1/g

/** What the code does with elements by name, where each of them stands in the code. */
interface Writes {
  readonly code: string
  /** What follows an element that is written to, up to the equals sign or the bracket. */
  readonly follows: RegExp
  /** Where an element is written to, by its name in the code. */
  readonly written: ReadonlyMap<string, readonly number[]>
  /** Where a name begins to stand for something else. */
  readonly assigned: ReadonlyMap<string, readonly number[]>
  /** The functions that write to the element that they are called with, or to the one of the id. */
  readonly writers: ReadonlySet<string>
  /** An element is found by an id that a variable holds, and written to. */
  readonly hasLoop: boolean
}

const ways: Readonly<Record<Kind, string>> = {
  text: String.raw`\.\s{0,3}(?:(?:inner|outer)HTML|textContent|innerText)\s{0,3}\+?=(?!=)|\.\s{0,3}(?:insertAdjacent\w{4,7}|append(?:Child)?|prepend|replaceChildren|replaceWith|html|text|load|render)\s{0,3}\(\s{0,3}(?!\))`,
  picture: String.raw`\.\s{0,3}(?:src|srcset|onerror)\s{0,3}=(?!=)|\.\s{0,3}(?:setAttribute|attr|prop)\s{0,3}\(\s{0,3}\{?\s{0,3}["'\x60]?src|\.\s{0,3}(?:remove|replaceWith|hide)\s{0,3}\(`,
}

/** `$("#name").empty().append(…)` */
const chain = String.raw`[!?]?(?:\s{0,9}\.\w{1,30}\([^()]{0,100}\)){0,3}\s{0,20}`

function readWrites(code: string, kind: Kind): Writes {
  const way = ways[kind]
  const follows = new RegExp(String.raw`^${chain}(?:${way})|^\s?\)\s?\.render\(`)
  const written = placesOf(code, new RegExp(String.raw`(?<![\w$])([\w$]{1,60})${chain}(?:${way})`, 'g'))
  const assigned = placesOf(code, /(?<![\w$.])([\w$]{1,60})\s{0,3}=(?!=)/g)
  const functions = functionsOf(code)
  for (const { parameters, from } of functions)
    for (const name of parameters) (assigned.get(name) ?? assigned.set(name, []).get(name))?.push(from)
  const found: Omit<Writes, 'writers' | 'hasLoop'> = { code, follows, written, assigned }
  const lookups = [...code.matchAll(foundByVariable)]
    .slice(0, maxMentions)
    .filter(
      ({ index, 0: { length }, 1: name }) =>
        name !== 'this' && isFoundAndWritten(found, index, index + length),
    )
  const writers = functions.filter(({ parameters, from, to }) =>
    parameters.some(
      (name) =>
        (written.get(name) ?? []).some((at) => at >= from && at < to) ||
        lookups.some((lookup) => lookup[1] === name && lookup.index >= from && lookup.index < to),
    ),
  )
  return {
    ...found,
    writers: new Set(['render', 'mount', ...writers.map(({ name }) => name)]),
    hasLoop: lookups.length > 0,
  }
}

/** `(id)`, `("#" + id)` and `(`#${id}`)` behind the name of a function that finds an element. */
const foundByVariable =
  /(?<=(?:getElementById|querySelector|\$|jQuery)\s?)\(\s{0,3}(?:["']#["']\s?\+\s?|`#\$\{)?([\w$]{1,60})(?:[.[][\w$.\]]{1,60})?(?:\}`)?\s{0,3}\)/g

function placesOf(code: string, pattern: RegExp): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const { index, 1: name = '' } of code.matchAll(pattern)) {
    const own = places.get(name)
    if (own === undefined) places.set(name, [index])
    else own.push(index)
  }
  return places
}

interface NamedFunction {
  readonly name: string
  readonly parameters: readonly string[]
  readonly from: number
  readonly to: number
}

function functionsOf(code: string): readonly NamedFunction[] {
  return [...code.matchAll(functionStart)].slice(0, maxFunctions).flatMap((match) => {
    const { index, 1: declared, 2: given, 3: method = '', 4: list, 5: only = '' } = match
    const name = declared ?? given ?? method
    if (statements.has(name)) return []
    const parameters = (list ?? only).split(',').map((one) => /^[\s{[.]*([\w$]*)/.exec(one)?.[1] ?? '')
    return [{ name, parameters, from: index, to: endOfBlock(code, index + match[0].length) }]
  })
}

const maxFunctions = 5_000

const functionStart =
  /(?<![\w$])(?:function\s{1,3}([\w$]{1,60})\s{0,3}(?=\()|([\w$]{1,60})\s{0,3}[:=]\s{0,3}(?:async\s{1,3})?(?:function\s{0,3}[\w$]{0,60}\s{0,3})?|([\w$]{0,60})\s{0,3}(?=\([^()]{0,200}\)\s{0,3}(?:=>|\{)))(?:\(([^()]{0,200})\)\s{0,3}(?:=>\s{0,9}\{?|\{)|([\w$]{1,60})\s{0,3}=>\s{0,9}\{?)/g

const statements: ReadonlySet<string> = new Set('if for while switch catch with'.split(' '))

/** Where the block ends that begins right before this place; of an arrow without braces, where its line does. */
function endOfBlock(code: string, start: number): number {
  const limit = Math.min(code.length, start + maxBody)
  if (code[start - 1] !== '{') {
    const end = code.slice(start, limit).search(/[;\n]/)
    return end === -1 ? limit : start + end
  }
  let depth = 1
  for (let at = start; at < limit; at++) {
    if (code[at] === '{') depth += 1
    else if (code[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  return limit
}

const maxBody = 1_500

/** @param from where the quoted id begins, and `to`, where it ends */
function isWritten(read: Writes, from: number, to: number): boolean {
  const { code, writers, hasLoop } = read
  const before = code.slice(Math.max(0, from - 300), from)
  const after = code.slice(to, to + 60)
  const [, bracket] = /^(\s{0,3}\))/.exec(after) ?? []
  const opens = /\(\s{0,3}$/.exec(before)
  if (bracket !== undefined && opens !== null) {
    const at = from - opens[0].length
    if (isFoundAndWritten(read, at, to + bracket.length)) return true
    // fill(document.getElementById("name"), …)
    const [, outer = ''] =
      /([\w$]{1,60})\s?\(\s{0,3}(?:[^()]{0,100},\s{0,3})?[\w$.]{1,60}\s?\(\s{0,3}$/.exec(before) ?? []
    if (writers.has(outer)) return true
  }
  const [, called = ''] = /([\w$]{1,60})\s?\(\s{0,3}(?:[^()]{0,100},\s{0,3})?$/.exec(before) ?? []
  // new Typed("#name", { strings: … })
  if (
    /\bnew\s{1,3}[\w.]{1,40}\(\s{0,3}$/.test(before) &&
    /^\s{0,3},\s{0,3}\{[^}]{0,40}\bstrings\b/.test(after)
  )
    return true
  return writers.has(called) || (hasLoop && isInTable(before, after))
}

/** Whether the element that is found from `from` to `to` is written to, at once or by the name that it is given. */
function isFoundAndWritten(
  { code, follows, written, assigned }: Pick<Writes, 'code' | 'follows' | 'written' | 'assigned'>,
  from: number,
  to: number,
): boolean {
  if (follows.test(code.slice(to, to + 400))) return true
  const [, name = ''] =
    /([\w$]{1,60})\s{0,3}(?:=|:|\?\?=|\|\|=)\s{0,9}[\w$.?]{1,80}\s?$/.exec(
      code.slice(Math.max(0, from - 160), from),
    ) ?? []
  const at = (written.get(name) ?? []).find((place) => place > from)
  return at !== undefined && !(assigned.get(name) ?? []).some((place) => place > from && place < at)
}

/** `["name", "price"]`, `{ "name": … }` and `{ id: "name" }`. */
function isInTable(before: string, after: string): boolean {
  return (
    /\[(?:\s{0,20}["'`][^"'`\n]{0,80}["'`]\s{0,3},)*\s{0,20}$/.test(before) ||
    /[{,]\s{0,20}["'`]?[\w$-]{1,40}["'`]?\s{0,3}:\s{0,3}$/.test(before) ||
    (/^\s{0,3}:/.test(after) && /[{,]\s{0,20}$/.test(before))
  )
}
