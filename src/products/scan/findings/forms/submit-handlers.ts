/** What the handlers of forms in a script do, as far as their text tells. No script is run. */

/** The bodies of the functions that run when a form is sent; undefined for one that was not found. */
export function handlersIn(code: string): readonly (string | undefined)[] {
  return bodiesBehind(onSubmit, code)
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
  const escaped = id.replace(/[^\w-]/g, '\\$&')
  const found = String.raw`(?:getElementById\(\s{0,9}["'\`]|querySelector\(\s{0,9}["'\`]#|\$\(\s{0,9}["'\`]#)${escaped}["'\`]\s{0,9}\)`
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

/** @param pattern global; matches up to where the function is written or named. */
function bodiesBehind(pattern: RegExp, code: string): readonly (string | undefined)[] {
  return [...code.matchAll(pattern)].slice(0, maxHandlers).map(({ 0: before, index }) => {
    const start = index + before.length
    return bodyOf(code.slice(start, start + maxBody), code)
  })
}

const maxId = 100

const onSubmit =
  /(?:addEventListener\(\s{0,9}["'`]submit["'`]\s{0,9},|\.on\(\s{0,9}["'`]submit["'`]\s{0,9},|\.submit\((?=\s{0,9}(?:async\s|function|\())|\.onsubmit\s{0,9}=)\s{0,9}/g

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
  if (name === undefined) return undefined
  const escaped = name.replaceAll('$', '\\$')
  const declared = new RegExp(
    `(?:function\\s+${escaped}\\s{0,9}\\([^)]{0,100}\\)|(?<![\\w$.])${escaped}\\s{0,9}=\\s{0,9}(?:async\\s+)?(?:function[^({]{0,60})?\\([^)]{0,100}\\)(?:\\s{0,9}=>)?)\\s{0,9}\\{`,
  ).exec(code)
  return declared === null ? undefined : blockAt(code, declared.index + declared[0].length)
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
export function isHarmless(name: string): boolean {
  return harmless.has(name)
}

const harmless: ReadonlySet<string> = new Set([
  ...['alert', 'setTimeout', 'clearTimeout', 'FormData', 'String', 'Number', 'Boolean', 'Date', 'Promise'],
  ...['parseInt', 'parseFloat', 'if', 'for', 'while', 'switch', 'function', 'return', 'catch', '$', 'jQuery'],
  // In the values of styles.
  ...['var', 'calc', 'rgb', 'rgba', 'scale', 'rotate', 'translate', 'translateX', 'translateY', 'url'],
])
