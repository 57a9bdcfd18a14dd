import type { Action, Block, Message } from '../../findings/results.ts'
import { contactAsks, wrongFactsAsk } from '../blocks/facts/asked-once.ts'
import { namePlaceholder } from '../blocks/facts/name-placeholder.ts'
import { doneWhen, factsToAdd, greeting, inOurWords } from '../blocks/snippets/hand-on-block.ts'
import { isForWriter } from './who-acts.ts'

/**
 * Writes the one message by which an action is handed on: the place, what to do, the block, the facts to add and how to
 * see that it is done. An owner who has to gather these from a report sends half of them.
 * @param titles the names of the checks by their ids, such as `core-snapshot/sitemap`
 * @returns undefined where nothing is handed on
 */
export function messageOf(
  { block, who, seen, settles }: Pick<Action, 'block' | 'who' | 'seen' | 'settles'>,
  titles: ReadonlyMap<string, string>,
): Message | undefined {
  if (block === undefined || isForWriter(who)) return undefined
  const placeholders = placeholdersIn(block)
  const isNameAsked = placeholders.some((one) => one.startsWith('the name of your'))
  const asks = [
    ...placeholders,
    ...[...block.missing, ...conflictsIn(block)].filter((one) => !isNameAsked || !/^the name\b/.test(one)),
    // A legal notice of years ago may have told them.
    ...wrongFacts(block),
  ]
  const { to, rest } = addressee(block)
  const checks = settles.flatMap((id) => titles.get(id) ?? [])
  return {
    to,
    says: block.says ?? [],
    asks,
    text: block.text.startsWith(greeting)
      ? block.text
      : composed({ ...block, where: rest }, asks, seen, doneWhen(checks)),
    checks,
  }
}

function wrongFacts({ says = [], text }: Block): readonly string[] {
  const isOfBusiness =
    says.length > 0 || /"(?:openingHours|opens|streetAddress|telephone)":|"og:site_name"/.test(text)
  return isOfBusiness ? [wrongFactsAsk] : []
}

export const webPerson = 'whoever looks after your website'

function addressee({ where }: Block): { readonly to: string; readonly rest: string } {
  const [, to, rest = ''] = /^(?:Send|Hand) this(?: on)? to ([^.:]+)[.:]\s*([\s\S]*)$/.exec(where) ?? []
  return to === undefined
    ? { to: webPerson, rest: where }
    : { to, rest: rest.trim() === '' ? 'Change the settings of the web server as follows.' : rest }
}

function composed({ where, text }: Block, asks: readonly string[], seen: string, done: string): string {
  return [
    greeting,
    '',
    inOurWords(where.replace(/^(Paste|Save|Put) it /, '$1 the lines below ')),
    '',
    text.trimEnd(),
    '',
    'Here the lines end.',
    '',
    ...whereFactsGo(text, asks),
    ...factsToAdd(asks),
    ...shownAsWell(text, asks),
    ...neverPublished(text),
    ...(seen === '' ? [] : [`Seen today: ${seen}`, '']),
    done,
    '',
  ].join('\n')
}

/** The names in brackets are those of the lines of JSON-LD, which its reader may never have written. */
function whereFactsGo(text: string, asks: readonly string[]): string[] {
  const [, list, type] = /"@type": (\[\s*)?"(?!WebSite)(\w+)"/.exec(text) ?? []
  // Several types stand in a list, and a part within this one may bear its type, too.
  const name = list === undefined ? undefined : /^ {6}"name": ("[^"\n]{1,100}")/m.exec(text)?.[1]
  return type === undefined || !asks.some((one) => /\(\w+\)$/.test(one))
    ? []
    : [
        `Put each answer below into the part with ${name === undefined ? `"@type": "${type}"` : `"name": ${name}, which comes first`}, under the name in brackets${asks.every((one) => /\([\w, ]+\)$/.test(one)) ? '' : '. One without brackets corrects what the lines say'}. Where the name stands there already, replace its value.${asks.some((one) => one.endsWith('(sameAs)')) && text.includes('"sameAs"') ? ' What is for sameAs is added to the addresses there.' : ''}${asks.some((one) => /\(address\w+|postalCode\)/.test(one)) && text.includes('"PostalAddress"') ? ' What belongs to the address goes into its own part, "PostalAddress".' : ''}${asks.some((one) => one.endsWith('(name)')) && text.includes('"WebSite"') ? ' A name goes into the part "WebSite" as well.' : ''}`,
        '',
      ]
}

/** Engines distrust what the markup says and no reader finds on the page. */
function shownAsWell(text: string, asks: readonly string[]): string[] {
  return text.includes('"@type"') &&
    asks.some((one) => /\((?:address|openingHours|telephone|email)\)$/.test(one))
    ? [
        `What you add here has to stand on the page for readers as well, for example at its end.${asks.some((one) => / (?:is|are) right[ ,(]/.test(one)) ? ' Where a page says something else today, correct it there, unless it is true of another place of ours.' : ''}`,
        '',
      ]
    : []
}

function neverPublished(text: string): string[] {
  const [words] = text.match(namePlaceholder) ?? []
  return words === undefined
    ? []
    : [`Replace “${words}” before you publish the lines. If its answer is empty above, ask me first.`, '']
}

/** What the pages say in two ways, as the message asks for it. */
function conflictsIn({ conflicts = [] }: Block): string[] {
  return conflicts.flatMap((text) => conflictAsks[/^The ([a-z ]+): /.exec(text)?.[1] ?? ''] ?? [])
}

const conflictAsks: Readonly<Record<string, string>> = {
  name: 'the name that is right (name)',
  'telephone number': 'the telephone number that is right (telephone)',
  address: 'the street, postal code and town that are right (address)',
  'opening hours':
    'the opening hours that are right, such as Mo-Fr 08:00-12:00, Mo-We 14:00-18:00; nothing, if people come by appointment only (openingHours)',
}

/** Whether the answer to one question of a message is that to the other as well. */
export function answersToo(asked: string, other: string): boolean {
  return sameFact.some(([first, others]) => asked === first && others.includes(other))
}

const sameFact: readonly (readonly [first: string | undefined, others: readonly string[]])[] = [
  [conflictAsks['telephone number'], [contactAsks.phone, contactAsks.markedPhone]],
  [conflictAsks.address, [contactAsks.street, contactAsks.place, contactAsks.visitedPlace]],
]

/**
 * A name in capital letters stands for one that only the owner knows, and would be published as it is if the message did
 * not say what takes its place. Any other words in capital letters are the site's own: "YOUR FAMILY DENTIST".
 */
function placeholdersIn({ text }: Block): string[] {
  return [...new Set(text.match(namePlaceholder) ?? [])].map((one) => {
    const what = one.replace(/^WRITE | HERE$/g, '').toLowerCase()
    return `${what}, in place of each ${one}`
  })
}
