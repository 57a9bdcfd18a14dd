import { reachOf, sends, withoutCalls } from './submit-handlers.ts'

/**
 * The addresses to which the handler of a form sends, by its own code and by that of the functions it calls. Empty where
 * one of them is not written out, or where it may send in another way as well.
 * @param action the address in the form itself, which a handler may take
 */
export function programsIn(handler: string, code: string, action: string | undefined): readonly string[] {
  const { text, functions } = reachOf(handler, code)
  const programs: string[] = []
  const rest = text
    .replace(
      request,
      (whole, literal: string | undefined, constant: string | undefined, own: string | undefined) => {
        const named = constant === undefined ? literal : stringOf(constant, code)
        const address = own === undefined && named !== ownAction ? named : action
        if (address === undefined) return whole
        programs.push(address)
        return ''
      },
    )
    .replace(
      /new XMLHttpRequest\b|["'`]XMLHttpRequest["'`]|\.send\(|location(?:\.href)?\s{0,9}=\s{0,9}["'`](?!\w{1,20}:)[^"'`\n]{0,200}["'`]/g,
      '',
    )
  return sends(withoutCalls(rest, functions)) ? [] : programs
}

const ownAction = Symbol('the action of the form')

/** A string in quotes, or a name that stands for one or for the action of the form. */
const target =
  /(?:["'`]([^"'`\n$]{1,300})["'`]|(?!function\b)([A-Za-z_$][\w$]{0,60})(?=\s{0,9}[,);])|([\w$.()]{1,60}(?:\.action|\.getAttribute\(["'`]action["'`]\)|\.attr\(["'`]action["'`]\))))/

const request = new RegExp(
  `(?:\\bfetch\\(|\\.open\\(\\s{0,9}["'\`]\\w{1,8}["'\`]\\s{0,9},|\\$\\.(?:post|get)\\(|\\$\\.ajax\\(\\s{0,9}\\{[^{}]{0,400}?\\burl\\s{0,9}:|axios\\.post\\(|sendBeacon\\()\\s{0,99}${target.source}`,
  'g',
)

/** The value of a constant: `const endpoint = "/mail.php"`. Two different ones decide nothing. */
function stringOf(name: string, code: string): string | typeof ownAction | undefined {
  const escaped = name.replaceAll('$', '\\$')
  const given = new RegExp(
    `(?<![\\w$.])${escaped}\\s{0,9}=(?!=)\\s{0,9}(?:["'\`]([^"'\`\\n$]{1,300})["'\`]|([\\w$.()]{1,60}(?:\\.action|\\.(?:getAttribute|attr)\\(["'\`]action["'\`]\\)))|.)`,
    'g',
  )
  const values = Array.from(code.matchAll(given), ([, literal, own]) =>
    own === undefined ? literal : ownAction,
  )
  return new Set(values).size === 1 ? values[0] : undefined
}
