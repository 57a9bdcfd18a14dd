import type { Block } from '../../../findings/results.ts'
import type { Site } from '../../../site/site.ts'
import { readFacts } from '../facts/facts.ts'
import { atOwnHost } from '../hosting/own-host.ts'
import { fileSnippets } from './file-snippets.ts'
import type { Change } from './hand-on-block.ts'
import { pageSnippets } from './page-snippets.ts'
import { serverSnippets } from './server-snippets.ts'
import type { Snippet } from './snippet.ts'

/** Returns a function that makes the snippet for a finding, given its id: `accessibility-actionability/labels`. */
export function snippetsFor(site: Site): (id: string, change: Change) => Block | undefined {
  const facts = site.home === undefined ? undefined : readFacts(site, site.home)
  return (id, change) => {
    const block = facts === undefined ? undefined : snippets.get(id)?.({ site, facts, change })
    return block && atOwnHost(block, site)
  }
}

const snippets: ReadonlyMap<string, Snippet> = new Map([...pageSnippets, ...fileSnippets, ...serverSnippets])
