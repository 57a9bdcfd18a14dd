import { pathOf } from '../addresses.ts'
import type { SiteReply } from '../capture.ts'
import { isHtml } from './headers.ts'

/** The text of programs that a server was to run, and that it sends as it is. */
export interface ProgramSource {
  readonly language: 'PHP' | 'ASP or JSP'
  /** A value is given to something called password, secret or key. */
  readonly hasPassword: boolean
}

/** The source of programs in a reply. */
export function programSourceIn(reply: SiteReply): ProgramSource | undefined {
  if (!isHtml(reply) && !ofProgram.test(pathOf(reply.finalUrl))) return undefined
  const codes = sourcesIn(reply.body).map(({ from, to }) => reply.body.slice(from, to))
  const [first] = codes
  if (first === undefined) return undefined
  return {
    language: first.startsWith('<?') ? 'PHP' : 'ASP or JSP',
    hasPassword: codes.some((code) => password.test(code)),
  }
}

/** The page without the source of programs. Readers are not meant to see it, and a report that quotes it may quote a password. */
export function withoutProgramSource(body: string): string {
  let rest = ''
  let at = 0
  for (const { from, to } of sourcesIn(body)) {
    rest += body.slice(at, from)
    at = to
  }
  return at === 0 ? body : rest + body.slice(at)
}

/**
 * Documentation shows code with escaped marks, or in an element for it, and a script or a template of the page may have marks
 * of its own, so what stands in those is left out.
 */
function sourcesIn(body: string): { from: number; to: number }[] {
  if (!/<\?(?:php|=)|<%/i.test(body)) return []
  const sources: { from: number; to: number }[] = []
  const next = new RegExp(marks)
  let closing: string | undefined
  for (let match = next.exec(body); match !== null; match = next.exec(body)) {
    const mark = match[0].toLowerCase()
    if (closing !== undefined) {
      if (mark === closing) closing = undefined
    } else if (mark === '<!--') closing = '-->'
    else if (/^<[a-z]/.test(mark)) closing = `</${mark.slice(1)}`
    else if (/^<[?%]/.test(mark)) {
      const end = body.indexOf(mark.startsWith('<?') ? '?>' : '%>', next.lastIndex)
      const to = end === -1 ? body.length : end + 2
      sources.push({ from: match.index, to })
      next.lastIndex = to
    }
  }
  return sources
}

const ofProgram = /\.(?:php\d?|phtml|aspx?|jsp)$/i

const marks =
  /<!--|-->|<\/?(?:script|style|pre|code|samp|kbd|xmp|textarea|template|noscript)(?![\w-])|<\?php(?![\w-])|<\?=\s{0,9}[$\w]|<%@\s{0,9}(?:page|language|include|import|taglib|control|master|codepage)(?![\w-])|<%\s{0,9}(?:option explicit|dim\s|response\.|request[.(]|server\.|session\()/gi

const password =
  /(?:passw(?:or)?d|passwort|pwd|secret|api_?key)\w{0,10}["'\]]{0,3}\s{0,9}(?:=>?|,|:)\s{0,9}["'][^"'\n]{3,200}["']/i
