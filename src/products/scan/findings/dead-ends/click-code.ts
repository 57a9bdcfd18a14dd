import { attributeOf } from '../../site/html/elements.ts'
import { withoutCodeComments } from '../../site/html/scripted/comments.ts'
import { around, type Element, isElement } from '../../site/html/visible-text.ts'
import type { Site } from '../../site/site.ts'

/** What the scripts of a page may do with one of its links, where all of its scripts were read. */
export interface ClickCode {
  readonly text: string
  /** Those of one letter or two only where they may be the name of an element: `"ig"`, `#ig`. */
  readonly words: ReadonlySet<string>
  /** Selected without a class or an id, such as all links. */
  readonly tags: ReadonlySet<string>
  /** Nothing in it could give a link something to do. */
  readonly isSilent: boolean
  /** It binds elements in ways of its own, or hears each click and does not say there what it looks for. */
  readonly isUnclear: boolean
}

/** Read once: the pages of a site often have the same code. */
export function readCode(text: string, site: Site): ClickCode {
  const seen = known.get(site) ?? new Map<string, ClickCode>()
  known.set(site, seen)
  const code = seen.get(text) ?? read(withoutCodeComments(text))
  seen.set(text, code)
  return code
}

const known = new WeakMap<Site, Map<string, ClickCode>>()

function read(text: string): ClickCode {
  return {
    text,
    words: new Set([
      ...Array.from(text.matchAll(/[\w-]{3,80}/g), ([word]) => word),
      ...Array.from(text.matchAll(/["'`#.]([\w-]{1,2})(?=["'`\s])/g), ([, name = '']) => name),
    ]),
    tags: selectedTags(text),
    isSilent: !listens.test(text),
    isUnclear:
      text.length >= maxCode ||
      ownWays.test(text) ||
      [...text.matchAll(hearsAll)].some(({ index }) => !looksFor.test(text.slice(index, index + 800))),
  }
}

/**
 * Whether a script may give a link something to do: it selects the link, or something in or around it, by a name or by its
 * tag, or it looks for the words of the link. Where that is not sure, it may.
 */
export function mayReach(code: ClickCode, link: Element, text: string): boolean {
  if (code.isSilent) return false
  const parts = [link, ...link.children.filter(isElement).slice(0, 10), ...boxesAround(link)]
  return (
    code.isUnclear ||
    parts.some(({ name }) => code.tags.has(name)) ||
    hasName(code, parts.flatMap(namesOf)) ||
    code.text.includes(text.slice(0, 20))
  )
}

/** Whether one of the names is a word of the code. */
export function hasName({ text, words }: ClickCode, names: readonly string[]): boolean {
  return names.some((name) => name !== '' && (/^[\w-]+$/.test(name) ? words.has(name) : text.includes(name)))
}

/** An attribute by which a script puts other words into an element, or moves it into view. */
export function isForShow(attribute: string): boolean {
  return /^data-(?:translate|translation|i18n|l10n|lang|aos|wow)(?:-|$)/.test(attribute)
}

/** All but the whole page. */
function boxesAround(link: Element): readonly Element[] {
  return around(link).filter(({ name }) => name !== 'body' && name !== 'html')
}

function namesOf(element: Element): readonly string[] {
  return [attributeOf(element, 'id'), ...attributeOf(element, 'class').slice(0, 500).split(/\s+/)]
}

/** Longer code was cut. */
const maxCode = 600_000

/** "clickable: true" of a slide show listens to its own buttons alone. */
const listens =
  /['"`\s](?:click|mouse(?:down|up|enter|over)|pointer(?:down|up)|touch(?:start|end)|key(?:down|up)|popstate|hashchange)\b|\bon(?:click|mouse|pointer|touch|key)|\.click\s{0,3}\(|\.on\s{0,3}\(|\bhref\b|\blocation\b|\bimport\b|delegate/i

const ownWays =
  /\bimport\b|hydrat|createApp|createRoot|onClick|_jsx|__webpack|customElements|document\.(?:links|anchors)\b|(?:tagName|nodeName)[^;\n]{0,40}['"`][aA]['"`]|target\s{0,3}\.\s{0,3}(?:href|hash|text|textContent|innerText|getAttribute)\b|\[href\s{0,3}=\s{0,3}\\?['"]?#\\?['"]?\]/

const hearsAll =
  /(?:document|window|body|documentElement)\s{0,3}\.\s{0,3}(?:addEventListener\s{0,3}\(\s{0,3}['"`](?:click|mouse|pointer|touch)|on(?:click|mouse|pointer|touch))|\$\(\s{0,3}(?:document|window|['"]body['"])\s{0,3}\)\s{0,3}\.\s{0,3}(?:on|click)\b/g

const looksFor =
  /\.\s{0,3}(?:contains|closest|matches|classList|getElementById|is|remove|hide|fadeOut)\b|['"`][.#][\w-]/

function selectedTags(code: string): ReadonlySet<string> {
  const tags = new Set<string>()
  for (const [, owner, within, rest = ''] of code.matchAll(selections)) {
    // What stands in an element that has a name of its own is found by that name.
    if (within !== undefined && owner !== undefined && owner.length > 2 && !wholes.has(owner)) continue
    const [, , selector = ''] =
      /^(?:(?:'[\w\s.:-]*'|"[\w\s.:-]*")\s{0,9},\s{0,9})?(['"`])(.*?)\1/.exec(rest) ?? []
    for (const part of selector.split(',')) {
      // To move to a part is nothing to do where there is no such part.
      if (hasAddress.test(part) || (isPart.test(part) && /scroll/i.test(code))) continue
      const bare = part.replace(/\[[^\]]*\]?/g, '').replace(/::?[\w-]+/g, '')
      const [, tag] = /^(?:[^.#]*[\s>+~])?([a-z][\w-]*)$/i.exec(bare.trim()) ?? []
      if (tag !== undefined) tags.add(tag.toLowerCase())
    }
  }
  return tags
}

const selections =
  /(?:([\w$]{1,40})\s{0,3}\.\s{0,3})?(?:\b(querySelector(?:All)?|find|getElementsByTagName)|\b(?:closest|matches|is|on|delegate|live|jQuery)|\$)\s{0,3}\(\s{0,3}(?=([^\n]{1,200}))/g

const wholes: ReadonlySet<string> = new Set('document window body doc root html self this page'.split(' '))

/** `a[href^="tel:"]` finds no link that has no address. */
const hasAddress = /\[href\s{0,3}[\^*$]?=\s{0,3}\\?['"]?(?!#|javascript)[\w/.:]/i
/** `a[href^="#"]` */
const isPart = /\[href\s{0,3}[\^*]=\s{0,3}\\?['"]?#/
