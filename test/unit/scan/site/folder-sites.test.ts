import { describe, expect, test } from 'vitest'
import { entityTrust } from '../../../../src/products/scan/agents/entity-trust/entity-trust.ts'
import { freshnessIndex } from '../../../../src/products/scan/agents/freshness-index/freshness-index.ts'
import { linkFetches } from '../../../../src/products/scan/crawl/capture-plan.ts'
import { type Entries, site } from '../../../support/scans/captured.ts'
import { fixOf, runCheck } from '../../../support/scans/checks.ts'
import { page } from '../../../support/scans/lind-site.ts'

/** A site that has only a folder of a host that a service lends. */

const host = 'https://lind.github.io'
const home = `${host}/dental/`

describe('what a site in a folder does not have', () => {
  test.each(['legal', 'about'])('is told of its home page, and not of the root of the host (%s)', (check) => {
    const outcome = runCheck(entityTrust, check, site({ [home]: page('<p>Crowns and bridges.</p>') }))
    const places = 'evidence' in outcome ? outcome.evidence.map(({ url }) => url) : []
    expect([...new Set(places)]).toEqual([home])
  })
})

describe('a link with a leading slash on a site in a folder', () => {
  const dead = { [`${host}/crowns.html`]: { purpose: 'link', status: 404 } } as const
  const judged = (more: Entries) =>
    runCheck(
      freshnessIndex,
      'internal-links',
      site({ [home]: page('<a href="/crowns.html">Crowns</a>'), ...dead, ...more }),
    )

  test('is to lead into the folder where the page stands there, and its owner is not asked', () => {
    const outcome = judged({ [`${home}crowns.html`]: { purpose: 'folder-link' } })
    expect(fixOf(outcome)).toContain(`lead to ${home}crowns.html. For that, take the slash`)
    expect(outcome).toMatchObject({ work: { asked: [] } })
  })

  test('is asked about where the folder has no such page either', () => {
    const outcome = judged({ [`${home}crowns.html`]: { purpose: 'folder-link', status: 404 } })
    expect(outcome).toMatchObject({ work: { asked: [{ url: `${host}/crowns.html` }] } })
  })

  test('is fetched in both places, as far as requests are left', () => {
    const limits = { maxLinks: 50, isKnown: () => false, folder: home }
    const urls = (requestsLeft: number) =>
      linkFetches([`${host}/crowns.html`, `${home}fees.html`], { ...limits, requestsLeft }).map(
        ({ url }) => url,
      )
    expect(urls(9)).toEqual([`${host}/crowns.html`, `${home}crowns.html`, `${home}fees.html`])
    expect(urls(2)).toEqual([`${host}/crowns.html`, `${home}crowns.html`])
  })
})

describe('a link that names the host beside the folder', () => {
  const linksOf = (entries: Entries, url?: string) =>
    site(entries, url === undefined ? {} : { url }).pages[0]?.links.map(({ isInternal }) => isInternal)

  test('leads to another site, as the credit of a web designer does', () => {
    const credits = `<a href="${host}/">Web design</a><a href="${host}/shop/">Shop</a><a href="${home}fees">Fees</a>`
    expect(linksOf({ [home]: page(credits) })).toEqual([false, false, true])
  })

  test.each([
    ['a redirect led from the root of the host to the folder', home, `${host}/`],
    ['the host belongs to the site', 'https://lind.example/dental/', undefined],
  ])('is one of the site where %s', (_case, found, asked) => {
    const link = page(`<a href="${new URL(found).origin}/fees/">Fees</a>`)
    expect(linksOf({ [found]: { purpose: 'home', body: link } }, asked)).toEqual([true])
  })
})
