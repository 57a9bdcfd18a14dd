import type { Action, Block } from '../../findings/results.ts'
import { straySitemap } from '../../findings/stray-sitemap.ts'
import { shown } from '../../site/addresses.ts'
import { homeAddress, siteFolder } from '../../site/below-home.ts'
import type { Site } from '../../site/site.ts'
import { otherDomainOf } from '../blocks/hosting/other-domain.ts'
import { handOnBlock } from '../blocks/snippets/hand-on-block.ts'
import { questionStart } from './work-places.ts'

/** What the owner has to answer before any other step can be right. */
export interface FirstQuestion extends Pick<Action, 'id' | 'title' | 'why' | 'seen'> {
  /** The checks that report the same, where they are among the faults. */
  readonly settles: readonly string[]
  readonly steps: readonly string[]
  /** None where the site names no address that would have to change. */
  readonly block?: Block
}

/**
 * Asks which address is the true one, where the site names another domain as its address, or has one and is read at an
 * address that its host lends. To write down the wrong one would take the true site out of search engines.
 */
export function firstQuestion(site: Site): FirstQuestion | undefined {
  const found = otherDomainOf(site)
  if (found === undefined) return undefined
  const { host, seenIn, url } = found
  const other = shown(host, 100)
  const folder = siteFolder(homeAddress(site))
  // A host that lends addresses may give each of its sites a folder of its own.
  const own =
    folder === `${site.origin}/`
      ? new URL(site.origin).host
      : shown(folder.replace(/^https?:\/\/|\/$/g, ''), 100)
  const isNamed = seenIn === 'address'
  const fix = `Write ${shown(folder, 100)} in place of https://${other}/ wherever a page, robots.txt or the sitemap names the address of the site.`
  return {
    id: 'crawl-access/canonical',
    title: `${questionStart}${other} is your true one.`,
    why: isNamed
      ? `Your pages and files name ${other} as the address of this site, and ${own} was scanned. Engines credit the address that is named.`
      : `Your pages have mail addresses or texts with ${other}, and ${own} was scanned, which belongs to the service that hosts this site. This report writes ${own} into what you are to paste. Engines credit the address that is named.`,
    seen: `${shown(url)}: ${other} is named`,
    settles: isNamed
      ? [
          'crawl-access/canonical',
          'crawl-access/sitemap-quality',
          ...(straySitemap(site) === undefined ? [] : ['core-snapshot/sitemap']),
        ]
      : [],
    steps: [
      `Do you not know? Ask whoever looks after your website: “Which address is ours, ${other} or ${own}, and does the other one lead there?”`,
      `Is ${other} your true address, and ${own} a copy of it? Then have ${other} scanned, and wait with all other steps until then. Send a test through its forms, too: they may arrive there and not here.`,
      `In that case also send this: “Please let ${own} and each of its pages lead permanently (301) to ${other}, page by page.”`,
      `Is ${own} a draft of the site that ${other} shall have one day? Then go on with what stands below, in the draft, and have no address changed before it is published.`,
      ...(isNamed
        ? []
        : [`Do you use ${other} for mail alone, or no longer? Then ${own} is your true address.`]),
      isNamed
        ? `Is ${own} your true address? Then send the message below first.`
        : `Is ${own} your true address? Then go on with what stands below.`,
    ],
    ...(isNamed && { block: handOnBlock({ fix, evidence: [] }) }),
  }
}
