import { type Evidence, fail, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { listed } from '../../findings/share.ts'
import { normalized, placesOf } from '../../signals/brand-name.ts'
import { isSampleName } from '../../signals/generic-titles.ts'
import type { Signals } from '../../signals/signals.ts'
import { shown } from '../../site/addresses.ts'
import type { Page, Site } from '../../site/site.ts'

/**
 * Judges whether the business uses one name in the four places where engines look for it: the title,
 * og:site_name, the markup and the footer. Three of them are enough. The name is the one that the report
 * calls the site by.
 */
export function judgeBrandName(home: Page, site: Site, { name: known }: Signals): Outcome {
  const places = placesOf(home, site)
  const wanted = normalized(known ?? '')
  const holders = wanted === '' ? [] : places.filter((place) => place.hasName(wanted))
  const missing = places.filter((place) => !holders.includes(place))
  const name = shown(known ?? '', 60)
  const evidence = places.map((place): Evidence => {
    const texts = place.texts.slice(0, 2)
    const quotes = texts.map((text) => `"${shown(text, texts.length > 1 ? 60 : 100)}"`)
    const quoted = quotes.length > 0 ? quotes.join(', ') : 'no name'
    return { url: home.url, value: `${place.label}: ${holders.includes(place) ? `has "${name}"` : quoted}` }
  })
  if (holders.length >= 3)
    return pass(`The name "${name}" stands in ${holders.length} of 4 places.`, ...evidence)
  if (home.reply.isCut)
    return unmeasured('The page was too long to be read to its end, where its footer stands.')
  const [sample] = places.flatMap(({ names }) => names.filter(isSampleName))
  const write = `Write ${known === undefined ? 'the name of the business' : `"${name}"`} in the same spelling into ${listed(missing.map(({ label }) => label))} of ${shown(home.url)}.`
  if (sample !== undefined)
    return fail(
      `The site calls itself "${shown(sample, 60)}", the sample name of a website system. Engines can hardly tell whose site it is.`,
      `Replace the name "${shown(sample, 60)}" by your own in the settings of your website. ${write}`,
      ...evidence,
    )
  return fail(
    known === undefined
      ? 'No name was found in the title, in og:site_name, in the markup or in the footer, so engines cannot tell whose site this is.'
      : `The name "${name}" stands in ${holders.length} of the 4 places that were compared. In fewer than 3, engines can hardly tell that all of them mean the same business.`,
    write,
    ...evidence,
  )
}
