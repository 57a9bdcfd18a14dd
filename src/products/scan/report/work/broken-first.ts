import type { Work } from '../../findings/work.ts'
import type { Seen } from './seen.ts'

/**
 * Whether visitors meet the fault where they want to act: a button or a link of the menu shows no page, a form sends
 * nothing, a call reaches nobody, an address is that of a template, or a stylesheet or many
 * pictures are missing. An owner loses
 * customers by it today, and must not find it below advice on headings. Nor must a password that strangers can read
 * stand there.
 */
export function failsVisitors({ check, evidence, work }: Seen): boolean {
  if (work !== undefined && (broken.has(work.kind) || (work.kind === 'gone-pictures' && work.isMany)))
    return true
  const sign = signs.get(check)
  return sign !== undefined && evidence.some(({ value }) => sign.test(value))
}

const broken = new Set<Work['kind']>(['mend-forms', 'sample-address', 'missing-styles'])

const signs: ReadonlyMap<string, RegExp> = new Map([
  ['internal-links', /[,;] (?:linked in the menu|a button) of /],
  ['lead-capture', /^<form> with \w+=|^mailto:/],
  ['contact-path', /^tel:/],
  // Strangers may write in the name of the business, or at its cost.
  ['leaked-keys', /./],
])
