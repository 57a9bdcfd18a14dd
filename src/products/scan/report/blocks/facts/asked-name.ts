import { folded } from '../../../signals/name-sources.ts'
import { shownInQuotes } from '../../../site/addresses.ts'
import type { Page } from '../../../site/site.ts'
import { nameAsk } from './asked-once.ts'

/**
 * What an owner is asked before a name is pasted. A short form that only the title has may not be the name on the sign.
 * @returns undefined where visitors see the name in the text of the page
 */
export function askedName({ text }: Page, name: string): string | undefined {
  return folded(text).includes(folded(name))
    ? undefined
    : `${nameAsk}, if it is not “${shownInQuotes(name, 60)}”`
}
