import { type Evidence, fail, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { isUnseen } from '../../findings/scripted/shell.ts'
import { listed } from '../../findings/share.ts'
import { normalized, type Place, placesOf } from '../../signals/brand-name.ts'
import { isGeneric, isSampleName } from '../../signals/generic-titles.ts'
import { nameConflict } from '../../signals/name-conflict.ts'
import { brandLinksOf, countSources } from '../../signals/name-sources.ts'
import { ownEntities } from '../../signals/own-entities.ts'
import type { Signals } from '../../signals/signals.ts'
import { shown, shownInQuotes } from '../../site/addresses.ts'
import { nodesOf } from '../../site/html/json-ld.ts'
import { hasMicrodata } from '../../site/html/microdata.ts'
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
    const spelling = place.spellingOf(wanted)
    const held = spelling === undefined ? 'has the name' : `has "${shown(spelling, 60)}"`
    return { url: home.url, value: `${place.label}: ${holders.includes(place) ? held : quoted}` }
  })
  if (holders.length >= 3)
    return pass(`The name "${name}" stands in ${holders.length} of 4 places.`, ...evidence)
  if (home.reply.isCut)
    return unmeasured('The page was too long to be read to its end, where its footer stands.')
  const [sample] = places.flatMap(({ names }) => names.filter(isSampleName))
  if (sample === undefined && !isUnseen(site) && isUncertain(known, places, site))
    return unmeasured(
      `The pages do not agree on a name that we can compare. What was seen: ${evidence.map(({ value }) => value).join('; ')}.`,
    )
  if (sample === undefined && hasMicrodata(home, 'Organization', 'Person', 'WebSite') && !isMarked(home))
    return unmeasured('The page says a name in microdata. This check compares names in JSON-LD only.')
  // Where the other places are enough, a title that would grow too long for engines stays as it is.
  const isFull = ({ label }: Place) =>
    label === 'the title' &&
    holders.length + missing.length > 3 &&
    home.title.length + (known ?? '').length + ' | '.length > maxTitle
  const write = `Write ${known === undefined ? 'the name of the business' : `"${name}"`} in the same spelling into ${listed(missing.filter((place) => !isFull(place)).map(({ label }) => label))} of ${shown(home.url)}.`
  if (sample !== undefined)
    return fail(
      `The site calls itself "${shown(sample, 60)}", the sample name of a website system. Engines can hardly tell whose site it is.`,
      `Replace the name "${shown(sample, 60)}" by your own in the settings of your website. ${write}`,
      ...evidence,
    )
  const [own, rival] = (known !== undefined && nameConflict(site, home, known)) || []
  if (own !== undefined && rival !== undefined) {
    const [one, other] = [own, rival].map(({ value }) => `"${shownInQuotes(value, 60)}"`)
    return fail(
      `The pages give two names: ${one} on ${shown(own.url)}, and ${other} on ${shown(rival.url)}. Engines can hardly tell that both mean the same business.`,
      `Decide which name is right, ${one} or ${other}. Write it in the same spelling into ${listed(missing.map(({ label }) => label))} of ${shown(home.url)}, and wherever another one stands.`,
      { url: rival.url, value: `another name: ${other}` },
      ...evidence,
    )
  }
  return fail(
    known === undefined
      ? 'No name was found in the title, in og:site_name, in the markup or in the footer, so engines cannot tell whose site this is.'
      : `The name "${name}" stands in ${holders.length} of the 4 places that were compared. In fewer than 3, engines can hardly tell that all of them mean the same business.`,
    write,
    ...evidence,
  )
}

/** The longest title that `title-desc` lets pass. */
const maxTitle = 70

/** A name that one place alone has may be a slogan or the text of a picture. Advice to write that everywhere would do harm. */
function isUncertain(known: string | undefined, places: readonly Place[], site: Site): boolean {
  if (known !== undefined)
    return countSources(known, site) < 2 || isTranscribed(known, places) || isOfOwner(known, site)
  return places.some(({ names }) => names.some((one) => normalized(one) !== '' && !isGeneric(one)))
}

/** The markup names the person behind a site whose title and logo say "Nordlicht": it has a name of its own. */
function isOfOwner(known: string, site: Site): boolean {
  const { home } = site
  const entities = ownEntities(site)
  if (home === undefined || entities.length === 0) return false
  const title = ` ${normalized(home.title)} `
  const wanted = normalized(known)
  return (
    entities.every(({ node }) => node.types.includes('Person')) &&
    !title.includes(` ${wanted} `) &&
    brandLinksOf(home).some((name) => normalized(name) !== wanted && title.includes(` ${normalized(name)} `))
  )
}

/** "Tanaka" under a title in Japanese letters: the same name may stand there, and cannot be compared. */
function isTranscribed(known: string, places: readonly Place[]): boolean {
  const [title = ''] = places.find(({ label }) => label === 'the title')?.texts ?? []
  return (
    !/[^\p{Script=Latin}\P{L}]/u.test(known) &&
    /^[^\p{Script=Latin}\p{L}]*[^\p{Script=Latin}\P{L}]/u.test(title)
  )
}

function isMarked(home: Page): boolean {
  return nodesOf(home, 'Organization', 'Person', 'WebSite').length > 0
}
