import { languageName } from '../../../core/text/language-name.ts'
import { type Outcome, unmeasured } from '../findings/check.ts'
import { needsPages } from '../findings/needs.ts'
import { unlessShell } from '../findings/scripted/shell.ts'
import type { Signals } from '../signals/signals.ts'
import type { Site } from '../site/site.ts'

/** One area of a scan: its checks concern one subject and are scored together. */
export interface Agent {
  /** `core-snapshot`. */
  readonly id: string
  /** As a category of the breakdown: "Core snapshot". */
  readonly name: string
  readonly checks: readonly Check[]
}

/**
 * A check judges one property of a captured site and returns a verdict. It is a pure function, so anyone who
 * disputes a score can repeat the check on the capture.
 */
export interface Check {
  /** Unique within its agent. */
  readonly id: string
  /** The subject of the check, as a heading: "Search bots are let in". */
  readonly title: string
  /** Whole number; 0: reported and not scored. */
  readonly weight: number
  readonly run: (site: Site, signals: Signals) => Outcome
}

/**
 * Makes a check that judges signals. Where no page was read, or only the shell of an application, the check
 * is unmeasured: no signal can be seen there, and everything would look as if it were missing.
 */
export function bySignals(judge: (signals: Signals, site: Site) => Outcome): Check['run'] {
  return (site, signals) => unlessShell(needsPages((_pages, read) => judge(signals, read)))(site)
}

/**
 * Makes a check that looks for words unmeasured on a site in a language whose words it does not have, unless
 * it found something to praise.
 * @param languages ISO 639-1 codes of the languages that the check was made for
 */
export function byWords(languages: ReadonlySet<string>, run: Check['run']): Check['run'] {
  return (site, signals) => {
    const outcome = run(site, signals)
    if (outcome.result === 'pass' || outcome.result === 'unmeasured') return outcome
    return foreign(languages, signals) ?? outcome
  }
}

/** What a check says of a site in none of its languages; undefined when it has the words. */
export function foreign(languages: ReadonlySet<string>, { language }: Signals): Outcome | undefined {
  if (language === undefined || languages.has(language)) return undefined
  return unmeasured(`The site is in ${languageName(language)}, and this check has no words of that language.`)
}

/** The languages of the words for kinds of pages, contact and prices (`site/kinds/kind-words.ts`). */
export const kindLanguages: ReadonlySet<string> = new Set('en de fr es it pt nl tr ru ar ja ko zh'.split(' '))
