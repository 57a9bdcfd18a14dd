import { attributeOf } from '../../site/html/elements.ts'
import type { Element } from '../../site/html/visible-text.ts'

/** What the handlers of forms in a script do, as far as their text tells. No script is run. */

/** The bodies of the functions that run when a form is sent; undefined for one that was not found. */
export function handlersIn(code: string): readonly (string | undefined)[] {
  return bodiesBehind(onSubmit, code)
}

/**
 * The bodies of the functions that run when this form is sent, as far as the code tells them apart; undefined for one that
 * was not found. Where the code does not say which form a function is for, it may be for this one.
 */
export function handlersFor(form: Element, code: string): readonly (string | undefined)[] {
  const id = attributeOf(form, 'id')
  const named = id === '' || byElement.test(code) ? [] : handlersOf('submit', id, code)
  if (named.length > 0) return [...named, ...handlersOfAll(code)]
  return bodiesBehind(onSubmit, code, (before) => !isAnother(form, receiverOf(before, code)))
}

/** The bodies of the functions that run when any form of the page is sent. */
export function handlersOfAll(code: string): readonly (string | undefined)[] {
  return bodiesBehind(onSubmitAnywhere, code)
}

/** A script that takes forms by their element may take each form. */
const byElement =
  /querySelector(?:All)?\(\s{0,9}["'`]form|getElementsByTagName\(\s{0,9}["'`]form|document\.forms|\$\(\s{0,9}["'`]form/

/** The id or the class of the element that gets a handler: `$("#contact").on(…`, or a variable that stands for it. */
function receiverOf(before: string, code: string): string | undefined {
  const direct = ofSelector.exec(before) ?? undefined
  if (direct !== undefined) return selectorIn(direct)
  const [, name] = /(?<![\w$.])([\w$]{2,60})\??$/.exec(before) ?? []
  if (name === undefined) return undefined
  const given = Array.from(
    code.matchAll(
      new RegExp(
        String.raw`(?<![\w$.])${name.replaceAll('$', '\\$')}\s{0,9}=(?!=)\s{0,9}(?:${found}|.)`,
        'g',
      ),
    ),
    selectorIn,
  )
  return new Set(given).size === 1 ? given[0] : undefined
}

const found = String.raw`(?:document\.)?(?:getElementById\(\s{0,9}["'\`]([\w-]{1,100})|(?:querySelector|\$)\(\s{0,9}["'\`]([#.][\w-]{1,100}))["'\`]\s{0,9}\)`
const ofSelector = new RegExp(String.raw`${found}(?:\.\w{1,40}\([^()]{0,60}\)){0,2}\??$`)

function selectorIn([, id, selector]: RegExpMatchArray): string | undefined {
  return id === undefined ? selector : `#${id}`
}

function isAnother(form: Element, selector: string | undefined): boolean {
  if (selector === undefined) return false
  const name = selector.slice(1)
  return selector.startsWith('#')
    ? attributeOf(form, 'id') !== name
    : !attributeOf(form, 'class').split(/\s+/).includes(name)
}

/**
 * The bodies of the functions that scripts add to the element with the id, directly or by a variable; undefined for one that
 * was not found.
 */
export function handlersOf(
  event: 'click' | 'submit',
  id: string,
  code: string,
): readonly (string | undefined)[] {
  // A long one would make an expression that no engine compiles.
  if (id.length > maxId || !code.includes(id)) return []
  const found = String.raw`(?:getElementById\(\s{0,9}["'\`]|querySelector\(\s{0,9}["'\`]#|\$\(\s{0,9}["'\`]#)${escaped(id)}["'\`]\s{0,9}\)`
  const names = Array.from(
    code.matchAll(new RegExp(String.raw`([\w$]{1,60})\s{0,9}=\s{0,9}(?:document\.)?${found}`, 'g')),
    ([, name = '']) => name.replaceAll('$', '\\$'),
  ).slice(0, maxHandlers)
  const on = String.raw`\??\.(?:addEventListener\(\s{0,9}["'\`]${event}["'\`]\s{0,9},|on\(\s{0,9}["'\`]${event}["'\`]\s{0,9},|${event}\((?=\s{0,9}(?:async\s|function|\())|on${event}\s{0,9}=)\s{0,9}`
  const added = new RegExp(
    `(?:${[found, ...names.map((name) => String.raw`(?<![\w$.])${name}`)].join('|')})${on}`,
    'g',
  )
  return bodiesBehind(added, code)
}

/** A name as a part of an expression. */
export function escaped(name: string): string {
  return name.replace(/[^\w-]/g, '\\$&')
}

/**
 * @param pattern global; matches up to where the function is written or named.
 * @param isWanted gets what stands before the match.
 */
function bodiesBehind(
  pattern: RegExp,
  code: string,
  isWanted: (before: string) => boolean = () => true,
): readonly (string | undefined)[] {
  return [...code.matchAll(pattern)]
    .filter(({ index }) => isWanted(code.slice(Math.max(0, index - maxBefore), index)))
    .slice(0, maxHandlers)
    .map(({ 0: matched, index }) => {
      const start = index + matched.length
      return bodyOf(code.slice(start, start + maxBody), code)
    })
}

const maxBefore = 300

const maxId = 100

const onSubmit =
  /(?:\.?addEventListener\(\s{0,9}["'`]submit["'`]\s{0,9},|\.on\(\s{0,9}["'`]submit["'`]\s{0,9},|\.submit\((?=\s{0,9}(?:async\s|function|\())|\.onsubmit\s{0,9}=)\s{0,9}/g

/** On the whole page, where each form arrives. */
const onSubmitAnywhere =
  /(?<![\w$.])(?:document|window|document\.body|\$\(\s{0,9}(?:document|window|["'`]body["'`])\s{0,9}\))\.(?:addEventListener|on)\(\s{0,9}["'`]submit["'`]\s{0,9},\s{0,9}/g

const maxHandlers = 20
const maxBody = 20_000

/** The body of the function that stands at the beginning of a text, or that is named there. */
export function bodyOf(text: string, code: string): string | undefined {
  const literal =
    /^(?:async\s+)?(?:function[^({]{0,60}\([^)]{0,100}\)|(?:\([^)]{0,100}\)|[\w$]{1,40})\s{0,9}=>)\s{0,9}\{/.exec(
      text,
    )
  if (literal) return blockAt(text, literal[0].length)
  const [, name] = /^(?:return\s+)?([\w$]{1,60})\s{0,9}[(),;]/.exec(text) ?? []
  return name === undefined ? undefined : bodiesOf(name, code)
}

/** Of all functions with this name: files of one page use the same short names. */
function bodiesOf(name: string, code: string): string | undefined {
  const escaped = name.replaceAll('$', '\\$')
  const declared = new RegExp(
    `(?:function\\s+${escaped}\\s{0,9}\\([^)]{0,100}\\)|(?<![\\w$.])${escaped}\\s{0,9}=\\s{0,9}(?:async\\s+)?(?:(?:function[^({]{0,60})?\\([^)]{0,100}\\)(?:\\s{0,9}=>)?|[\\w$]{1,40}\\s{0,9}=>))\\s{0,9}(?:\\{|(?<==>\\s{0,9})([^{;][^;]{0,300}))`,
    'g',
  )
  const bodies = Array.from(
    code.matchAll(declared),
    ({ 0: matched, 1: value, index }) => value ?? blockAt(code, index + matched.length),
  )
  const whole = bodies.slice(0, maxHandlers).filter((body) => body !== undefined)
  return whole.length === 0 || whole.length < bodies.length ? undefined : whole.join('\n')
}

/** From behind an opening brace to the one that closes it. Braces in strings and comments are text. */
function blockAt(code: string, start: number): string | undefined {
  let depth = 1
  for (const { 0: token, index } of code.slice(start, start + maxBody).matchAll(braceOrText)) {
    if (token === '{') depth += 1
    if (token === '}') depth -= 1
    if (depth === 0) return code.slice(start, start + index)
  }
  return undefined
}

const braceOrText =
  /"(?:[^"\\\n]|\\.){0,2000}"|'(?:[^'\\\n]|\\.){0,2000}'|`(?:[^`\\]|\\[\s\S]){0,2000}`|(?<!:)\/\/[^\n]*|\/\*[\s\S]{0,2000}?\*\/|[{}]/g

/** What a handler runs: its own code and that of the functions it calls, as far as they are written out. */
export function reachOf(handler: string, code: string): Reach {
  const functions = new Set<string>()
  const unknown = new Set<string>()
  const waiting = [handler]
  let text = ''
  for (let part = waiting.pop(); part !== undefined && functions.size < maxHandlers; part = waiting.pop()) {
    text += `${part}\n`
    for (const [, name = ''] of part.slice(0, maxBody).matchAll(/(?<![\w$.])([\w$]{1,60})\(/g)) {
      if (isHarmless(name) || functions.has(name)) continue
      const body = bodiesOf(name, code)
      if (body !== undefined) {
        functions.add(name)
        waiting.push(body)
      } else if (!checks.test(name)) unknown.add(name)
    }
  }
  return { text, functions, isWhole: unknown.size === 0 && waiting.length === 0 }
}

/** By its name it looks at what was typed in. */
const checks = /valid|check/i

export interface Reach {
  readonly text: string
  /** The names of the functions whose code is in the text. */
  readonly functions: ReadonlySet<string>
  /** Whether each function that is called by its name is among them. */
  readonly isWhole: boolean
}

/** Code without the calls of these functions: what they do stands beside. */
export function withoutCalls(code: string, functions: ReadonlySet<string>): string {
  return code.replace(/(?<![\w$.])([\w$]{1,60})\(/g, (call, name: string) =>
    functions.has(name) ? '' : call,
  )
}

/** Whether a handler sends nothing, and calls nothing that may. */
export function isQuiet(handler: string, code: string): boolean {
  const { text, functions, isWhole } = reachOf(handler, code)
  if (sends(withoutCalls(text, functions))) return false
  const callsObjects = Array.from(text.matchAll(/\.([\w$]{1,60})\(/g), ([, name = '']) => name).some(
    (name) => !ofPages.test(name),
  )
  return (isWhole && !callsObjects) || !sends(code)
}

/** Methods of elements, lists and texts. One of another name may belong to an object that sends. */
const ofPages =
  /^(?:preventDefault|stop(?:Immediate)?Propagation|querySelector(?:All)?|getElement(?:sBy\w+|ById)|closest|matches|forEach|map|filter|find|some|every|from|entries|reset|focus|blur|click|trim|test|match|replace|includes|split|join|slice|push|add|remove|toggle|contains|(?:set|get|has|remove)Attribute(?:NS)?|append(?:Child)?|prepend|insertBefore|insertAdjacent\w+|createElement(?:NS)?|removeChild|getBoundingClientRect|scroll(?:IntoView|To)|checkValidity|reportValidity|setCustomValidity|is|on|off|each|val|text|html|attr|prop|show|hide|fade(?:In|Out)|slide(?:Up|Down)|addClass|removeClass|toggleClass|modal|log|error|warn|info|toLowerCase|toUpperCase|toString|get|set|now|toLocale\w+|getTime|keys|values)$/

/** Whether a handler keeps the browser from sending in any case, and not only where a field is left empty. */
export function stopsAlways(handler: string): boolean {
  let depth = 0
  let from = 0
  let own = ''
  for (const { 0: token, index } of handler.matchAll(braceOrText)) {
    if (token === '{' && depth++ === 0) own += handler.slice(from, index)
    if (token === '}' && --depth === 0) from = index
  }
  if (depth <= 0) own += handler.slice(from)
  return /(?:^|[;{}\n,])\s{0,20}(?:(?:[\w$]{1,40}\??\.)?preventDefault\(|return\s+(?:false|!1))/.test(own)
}

/** Whether code may send something: by a request, by mail, by a messenger, or by a function with such a name. */
export function sends(code: string): boolean {
  return sending.test(code)
}

/** Whether code hands what was typed in to the mail program of the visitor, and to nothing else that is known. */
export function opensMail(code: string): boolean {
  return code.includes('mailto:') && !sendsItself.test(code)
}

const sendsItself =
  /\bfetch\(|XMLHttpRequest|\$\.(?:ajax|post|get)|axios|sendBeacon|WebSocket|\.submit\(\s{0,9}\)|wa\.me|whatsapp|\bt\.me\/|emailjs|formspree|formsubmit|web3forms|firebase|supabase/i

const sending =
  /\bfetch\(|XMLHttpRequest|\$\.(?:ajax|post|get)|axios|sendBeacon|WebSocket|\.submit\(\s{0,9}\)|submit\.(?:call|apply)|mailto:|wa\.me|whatsapp|\bt\.me\/|emailjs|formspree|formsubmit|web3forms|firebase|supabase|location(?:\.href)?\s{0,9}=[^=]|location\.(?:assign|replace)\(|window\.open\(|(?<![\w$])(?![\w$]{0,40}(?:valid|check|AnimationFrame))[\w$]{0,40}(?:send|submit|post|save|request|mail)[\w$]{0,40}\((?!\s{0,9}["'`]submit)/i

/** Whether a function of this name sends nothing by itself. */
function isHarmless(name: string): boolean {
  return harmless.has(name)
}

const harmless: ReadonlySet<string> = new Set([
  ...['alert', 'setTimeout', 'clearTimeout', 'FormData', 'String', 'Number', 'Boolean', 'Date', 'Promise'],
  ...['requestAnimationFrame', 'isNaN', 'RegExp', 'Array', 'Object', 'encodeURIComponent'],
  ...['parseInt', 'parseFloat', 'if', 'for', 'while', 'switch', 'function', 'return', 'catch', '$', 'jQuery'],
  // In selectors, and in the values of styles.
  ...['not', 'is', 'has', 'where', 'child'],
  ...['var', 'calc', 'rgb', 'rgba', 'scale', 'rotate', 'translate', 'translateX', 'translateY', 'url'],
])
