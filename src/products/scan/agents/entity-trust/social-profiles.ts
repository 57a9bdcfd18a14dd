import { fail, notApplicable, type Outcome, pass } from '../../findings/check.ts'
import { counted, listed } from '../../findings/share.ts'
import { ownEntities } from '../../signals/own-entities.ts'
import { isOnePersons } from '../../signals/site-kind/one-person.ts'
import { shown } from '../../site/addresses.ts'
import { repliesFor } from '../../site/capture.ts'
import { nodesOf } from '../../site/html/json-ld.ts'
import type { Page, Site } from '../../site/site.ts'
import { ownProfiles } from './own-profiles.ts'
import { keyElsewhere, profilesIn } from './profile-addresses.ts'

/**
 * Judges whether the profiles that the home page links equal those in sameAs. From two different lists an
 * engine builds two identities. Registers and encyclopedias are ignored: footers rarely link them, so they
 * may be in the markup alone.
 */
export function judgeProfiles(home: Page, site: Site): Outcome {
  const linked = ownProfiles(home, site)
  const stated = [
    ...ownEntities(site).map(({ node }) => node),
    ...nodesOf(home, 'WebPage', 'ProfilePage', 'AboutPage').filter(({ isTop }) => isTop),
  ].flatMap(({ properties }) => textsOf(properties.sameAs))
  const declared = new Map([...profilesIn(stated), ...statedElsewhere(stated, linked)])
  if (linked.size === 0 && declared.size === 0)
    return notApplicable(
      'The home page links no profile of its own on a social network, and its markup names none.',
    )
  // The page for contact may link them, in place of the home page.
  const all = site.pages.flatMap(({ links }) => links.filter(({ isInternal }) => !isInternal))
  const anywhere = new Set([...linked.keys(), ...profilesIn(all.map(({ url }) => url)).keys()])
  const isScripted = scriptedAddresses(home, site)
  const undeclared = [...linked].filter(([key]) => !declared.has(key)).map(([, url]) => url)
  const unlinked = [...declared]
    .filter(([key, url]) => !anywhere.has(key) && !isScripted(url))
    .map(([, url]) => url)
  if (undeclared.length === 0 && unlinked.length === 0) {
    return pass(
      `sameAs in the markup and the links of the page name the same ${counted(declared.size, 'profile')} in networks.`,
      ...[...declared.values()].slice(0, 5).map((url) => ({ url: home.url, value: shown(url) })),
    )
  }
  const hasMarkup = home.jsonLd.blocks > 0
  return fail(
    `${listed([
      ...(undeclared.length > 0
        ? [
            `${undeclared.length} of ${counted(linked.size, 'profile')} that the page links ${undeclared.length === 1 ? 'is' : 'are'} not in sameAs of ${hasMarkup ? 'its JSON-LD' : 'any JSON-LD, because it has none'}`,
          ]
        : []),
      ...(unlinked.length > 0
        ? [
            `${unlinked.length} of ${counted(declared.size, 'profile')} in networks that sameAs lists ${unlinked.length === 1 ? 'is' : 'are'} not linked on ${site.pages.length === 1 ? 'the page' : 'the pages'}`,
          ]
        : []),
    ])}. Links in both directions confirm an identity.`,
    undeclared.length > 0
      ? `Add ${undeclared
          .slice(0, 3)
          .map((url) => shown(url))
          .join(
            ' and ',
          )} to sameAs of ${hasMarkup ? 'the node that describes you' : isOnePersons(site) ? 'a Person node that describes you' : 'an Organization or Person node that describes you'}.`
      : `Link ${unlinked
          .slice(0, 3)
          .map((url) => shown(url))
          .join(' and ')} from ${shown(home.url)}, or take it out of sameAs.`,
    ...undeclared
      .slice(0, 3)
      .map((url) => ({ url: home.url, value: `linked, not in sameAs: ${shown(url)}` })),
    ...unlinked.slice(0, 2).map((url) => ({ url: home.url, value: `in sameAs, not linked: ${shown(url)}` })),
  )
}

/** Whether a script of the page writes the address, as one that puts a button into the header does. */
function scriptedAddresses({ $ }: Page, { capture }: Site): (url: string) => boolean {
  const inline = $('script:not([src]):not([type*="json"])').toArray()
  const codes = [
    ...inline.map((script) => $(script).text()),
    ...repliesFor(capture, 'script').map(({ body }) => body),
  ]
  return (url) => {
    const bare = url.replace(/^https?:\/\/(?:www\.)?|\/$/g, '')
    return codes.some((code) => code.includes(bare))
  }
}

/** Registers of researchers and the like count where the page links them as well. */
function statedElsewhere(
  stated: readonly string[],
  linked: ReadonlyMap<string, string>,
): readonly (readonly [string, string])[] {
  return stated
    .filter((url) => URL.canParse(url))
    .map((url) => [keyElsewhere(url), url] as const)
    .filter(([key]) => linked.has(key))
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.slice(0, 100).filter((one) => typeof one === 'string') : []
}
