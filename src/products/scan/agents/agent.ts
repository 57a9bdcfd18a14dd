import type { Outcome } from '../findings/check.ts'
import { needsPages } from '../findings/needs.ts'
import { unlessShell } from '../findings/shell.ts'
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
