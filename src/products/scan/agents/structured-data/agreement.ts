import { fail, notApplicable, type Outcome, pass, unmeasured, warn } from '../../findings/check.ts'
import { missingPicture } from '../../findings/dead-ends/missing-picture.ts'
import { isFilledPage } from '../../findings/scripted/filled-pages.ts'
import { counted, listed, maxPlaces, portion } from '../../findings/share.ts'
import { nameParts } from '../../signals/brand-name.ts'
import { knownName } from '../../signals/company-name.ts'
import { comparedHours } from '../../signals/contact/site-hours.ts'
import { ownEntities } from '../../signals/own-entities.ts'
import { shown, shownInQuotes } from '../../site/addresses.ts'
import { metaOf, spokenText } from '../../site/html/elements.ts'
import { nodesOf, picturesIn, textOf, typeName } from '../../site/html/json-ld.ts'
import { asksQuestion } from '../../site/html/words.ts'
import type { JsonLdNode, Page, Site } from '../../site/site.ts'

/**
 * Judges whether the markup agrees with the page. Engines compare the two. A price or name that only the
 * markup has looks like a mistake or a trick, and they then distrust all of it.
 */
export function judgeAgreement(pages: readonly Page[], site: Site): Outcome {
  const { home } = site
  // Visitors may read there what the markup says, and the scan does not.
  const seen = pages.filter((page) => !isFilledPage(page, site))
  const facts = [
    ...(home === undefined ? [] : nameFacts(home, site)),
    ...hoursFacts(site),
    ...(home === undefined ? [] : pictureFacts(home, site)),
    ...seen.flatMap((page) => priceFacts(page, page === home ? pages : [page])),
    ...seen.flatMap(questionFacts),
  ]
  if (facts.length === 0 && seen.length < pages.length)
    return unmeasured(
      'Scripts write the text of the pages whose markup could be compared. None are run, so it was not read.',
    )
  if (facts.length === 0)
    return notApplicable('The markup names neither a business nor a price that could be compared.')
  const missing = facts.filter(({ isOnPage }) => !isOnPage)
  const evidence = (missing.length > 0 ? missing : facts)
    .slice(0, missing.length > 0 ? maxPlaces : 5)
    .map(({ url, value }) => ({ url, value }))
  const [first] = missing
  if (first === undefined)
    return pass(`${counted(facts.length, 'fact')} of the markup can be read on the pages too.`, ...evidence)
  // Engines show no picture then, and distrust nothing.
  const isWrong = missing.some(({ isPicture }) => isPicture !== true)
  return (isWrong ? fail : warn)(
    `${portion(missing.length, facts.length, 'compared fact', 'of the markup does', 'of the markup do')} not agree with the page${isWrong ? ', so engines may distrust all of it' : ''}.`,
    `${first.fix}${missing.length === 1 ? '' : ' Correct what else is named with it in the same way.'}${missing.slice(1).some(({ value }) => value.endsWith(unseenQuestion)) ? ` ${unseenQuestionFix}` : ''}`,
    ...evidence,
  )
}

const unseenQuestion = 'is not on the page'
const unseenQuestionFix =
  'Does a page ask a question of its JSON-LD in other words? Then write it into the JSON-LD as there. Else show it on the page with its answer, or take both out of the JSON-LD.'

interface Fact {
  readonly url: string
  readonly value: string
  readonly isOnPage: boolean
  /** What is to be done where they do not agree. */
  readonly fix: string
  readonly isPicture?: boolean
}

/** One of the names that the markup gives the business must be on the home page. */
function nameFacts(home: Page, site: Site): Fact[] {
  const names = ownEntities(site).flatMap(({ node: { properties } }) =>
    [textOf(properties.name), textOf(properties.alternateName), textOf(properties.legalName)].filter(Boolean),
  )
  const [name] = names
  if (name === undefined) return []
  const places = [
    home.title,
    ...home.headings.filter(({ level }) => level === 1).map(({ text }) => text),
    metaOf(home, 'og:site_name'),
  ].map(plain)
  const shownText = plainText(home.text.slice(0, 100_000))
  const isOnPage = names
    .slice(0, 50)
    .flatMap((one) => [one, ...nameParts(one)])
    .map(plain)
    .some((one) => places.some((place) => holdsName(place, one)) || holdsWords(shownText, one))
  const written = shownInQuotes(name, 80)
  const known = knownName(site)
  const right =
    known !== undefined && places.some((place) => holdsName(place, plain(known))) ? known : undefined
  return [
    {
      url: home.url,
      value: isOnPage
        ? `name "${written}" shown`
        : `name "${written}" is in no title, og:site_name or text of the page`,
      isOnPage,
      fix:
        right === undefined
          ? `Write the name that readers see into the JSON-LD of ${shown(home.url)}, in place of "${written}".`
          : `Write "${shownInQuotes(right, 80)}" as the name into the JSON-LD of ${shown(home.url)}, in place of "${written}", which readers see nowhere.`,
    },
  ]
}

/** Engines show the picture of the business where they find the file. Its logo is judged with its description. */
function pictureFacts(home: Page, site: Site): Fact[] {
  const own = ownEntities(site).filter(({ page }) => page === home)
  return own.flatMap(({ node }) =>
    picturesIn(node.properties.image).flatMap((written) => {
      const missing = missingPicture(written, home, site)
      if (missing === undefined) return []
      const picture = shown(missing.url, 150)
      return [
        {
          url: home.url,
          value: `image ${picture} answers ${missing.status}`,
          isOnPage: false,
          isPicture: true,
          fix: `Correct image in the ${typeName(node)} node in the JSON-LD of ${shown(home.url)}: ${picture} answers ${missing.status}.`,
        },
      ]
    }),
  )
}

/** Wrong hours send customers to a closed door, whichever of the two is right. */
function hoursFacts(site: Site): Fact[] {
  const compared = comparedHours(site)
  if (compared === undefined) return []
  const { url, isDifferent, exceptions } = compared
  const [marked, shownHours] = [compared.marked, compared.shown].map((hours) => shown(hours, 150))
  const named = exceptions.slice(0, 3).map((one) => shown(one))
  return (exceptions.length === 0 ? [url] : exceptions).map((page) => ({
    url: page,
    value: isDifferent
      ? `opening hours ${marked} in the markup, and ${shownHours} on the page`
      : 'opening hours shown',
    isOnPage: !isDifferent,
    fix:
      named.length > 0
        ? `Write the right opening hours on all pages: visitors read ${shownHours} on ${listed(named)}, and ${marked} elsewhere and in the JSON-LD of ${shown(url)}.`
        : `Correct the opening hours in the JSON-LD of ${shown(url)}, which says ${marked}: visitors read ${shownHours}. Are those wrong? Then correct the page.`,
  }))
}

/** Lower case, words only, without the legal form, which pages rarely show. */
function plain(text: string): string {
  return plainText(text.slice(0, 300))
    .replace(/ (?:inc|llc|ltd|limited|plc|corp|co|gmbh|ag|kg|sa|sas|sarl|srl|bv|nv|ab|oy|as|pty)(?= |$)/g, '')
    .trim()
}

/** "Tours & Rental" is "Tours and Rental". */
function plainText(text: string): string {
  const words = ` ${text} `.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
  return words.replace(/ (?:and|und|et|y|e)(?= )/gu, '').trim() || words.trim()
}

/** In running text only whole words count. */
function holdsWords(text: string, name: string): boolean {
  return name !== '' && ` ${text} `.includes(` ${name} `)
}

/** "BrightSmile" matches "Bright Smile"; a short name must match whole words. */
function holdsName(place: string, name: string): boolean {
  if (name === '') return false
  const joined = name.replaceAll(' ', '')
  return (
    ` ${place} `.includes(` ${name} `) || (joined.length >= 6 && place.replaceAll(' ', '').includes(joined))
  )
}

/**
 * A page with variants shows one price at a time, so one of its prices must be there. A price of 0 need not
 * be.
 * @param places where readers may find it: what a business offers may stand on any of its pages
 */
function priceFacts(page: Page, places: readonly Page[]): Fact[] {
  const prices = [...nodesOf(page, 'Offer').map(priceOf), ...nodesOf(page, 'AggregateOffer').map(lowPriceOf)]
    .filter((price) => /^\d{1,9}(?:\.\d{1,4})?$/.test(price) && Number(price) > 0)
    .slice(0, 50)
  const [price] = prices
  if (price === undefined) return []
  const wanted = prices.flatMap(spellings)
  const isOnPage = places.some(({ text }) => {
    const numbers = numbersOf(text)
    return wanted.some((spelling) => numbers.has(spelling))
  })
  return [
    {
      url: page.url,
      value: `price ${price}${isOnPage ? ' shown' : ' is not in the visible text'}`,
      isOnPage,
      fix: `On ${shown(page.url)}, let the text and the JSON-LD name the same price: the JSON-LD has ${price}.`,
    },
  ]
}

/** Search engines take questions from the markup of a page only where its readers find them. */
function questionFacts(page: Page): Fact[] {
  const questions = nodesOf(page, 'Question')
    .map(({ properties }) => textOf(properties.name))
    .filter((name) => name !== '')
    .slice(0, 30)
  if (questions.length === 0) return []
  // With what a button unfolds.
  const body = page.$('body').clone()
  body.find('script, style').remove()
  // Blocks stand side by side in it without a space.
  const joined = (text: string) => plainText(text).replaceAll(' ', '')
  const seen = joined(body.text().slice(0, 400_000))
  const missing = questions.filter((name) => !seen.includes(joined(name)))
  if (missing.length === 0)
    return [
      { url: page.url, value: `${counted(questions.length, 'question')} shown`, isOnPage: true, fix: '' },
    ]
  // What another question of the markup says is that question.
  const marked = new Set(questions.map(joined))
  const asked = page.elements
    .filter(({ name }) => /^(?:h[2-6]|dt|summary|button|strong|b|p|span|div)$/.test(name))
    .slice(0, 5_000)
    .map(({ node }) => spokenText(node, 40))
    .filter((one) => one.length <= 200 && asksQuestion(one) && !marked.has(joined(one)))
    .slice(0, 200)
    .map((text) => ({ text, words: wordSet(text) }))
  const shownOnes = questions
    .filter((name) => !missing.includes(name))
    .map((name) => ({
      url: page.url,
      value: `question "${shownInQuotes(name, 120)}" shown`,
      isOnPage: true,
      fix: '',
    }))
  const unseen = missing.map((name) => {
    const words = wordSet(name)
    const found = asked.find((one) => isAlike(one.words, words))
    const like = found && { text: found.text, mayDiffer: mayDiffer(found.words, words) }
    const reading =
      like === undefined || like.mayDiffer
        ? ''
        : ` in these words, and reads "${shownInQuotes(like.text, 120)}" there`
    return {
      url: page.url,
      value: `question "${shownInQuotes(name, 120)}" ${unseenQuestion}${reading}`,
      isOnPage: false,
      fix: fixOfQuestion(name, page, like),
    }
  })
  return [...unseen, ...shownOnes]
}

function fixOfQuestion(
  name: string,
  { url }: Page,
  like: { readonly text: string; readonly mayDiffer: boolean } | undefined,
): string {
  const [question, place] = [`"${shownInQuotes(name, 120)}"`, shown(url)]
  if (like === undefined)
    return `Show the question ${question} with its answer on ${place}, or take both out of its JSON-LD.`
  const asThere = `as on the page: "${shownInQuotes(like.text, 120)}"`
  return like.mayDiffer
    ? `Where the question ${question} in the JSON-LD of ${place} has the answer that stands on the page, write it ${asThere}. Where it is another question, show it there with its answer, or take both out of the JSON-LD.`
    : `Write the question in the JSON-LD of ${place} ${asThere}.`
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(plainText(text).split(' '))
}

/** Whether most words of two questions are the same. */
function isAlike(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const shared = [...words].filter((word) => others.has(word)).length
  // "How long does a crown last?" is not "How do I care for a crown?".
  const [first, otherFirst] = [[...words][0], [...others][0]]
  return first === otherFirst && shared >= 3 && shared * 10 >= Math.max(words.size, others.size) * 7
}

/** Whether each has a longer word that the other lacks: "Are you open on Saturday?" and "Are you open on Sunday?" */
function mayDiffer(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return isBeside(words, others) && isBeside(others, words)
}

function isBeside(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...words].some((word) => word.length >= 4 && !others.has(word))
}

function priceOf({ properties }: JsonLdNode): string {
  return textOf(properties.price)
}

function lowPriceOf({ properties }: JsonLdNode): string {
  return textOf(properties.lowPrice)
}

/** The spellings of 1299.5 on pages: 1,299.50, 1.299,50, 1 299,50, 1299.5. */
function spellings(price: string): string[] {
  const [whole = '', fraction = ''] = price.split('.')
  const digits = whole.replace(/^0+(?=\d)/, '')
  const cents = fraction.replace(/0+$/, '')
  const tails = cents === '' ? ['', '00'] : [cents, cents.padEnd(2, '0')]
  const grouped = (mark: string) => digits.replace(/\B(?=(?:\d{3})+$)/g, mark)
  const styles: readonly (readonly [string, string])[] = [
    [digits, '.'],
    [digits, ','],
    [grouped(','), '.'],
    [grouped('.'), ','],
    [grouped(' '), ','],
    [grouped(' '), '.'],
    [grouped("'"), '.'],
    [grouped('’'), '.'],
  ]
  return styles.flatMap(([number, mark]) =>
    tails.map((tail) => (tail === '' ? number : `${number}${mark}${tail}`)),
  )
}

/** Returns whole numbers: 49 is not in 149, 49.90 or 1,490. One pass, because a page may be full of them. */
function numbersOf(text: string): ReadonlySet<string> {
  const runs = Array.from(text.matchAll(/(?<![\d.,'’])\d[\d.,'’]{0,20}/g), ([run]) =>
    run.replace(/[.,'’]{1,20}$/, ''),
  )
  const spaced = Array.from(
    text.matchAll(/(?<![\d.,])\d{1,3}(?: \d{3}){1,2}(?:[.,]\d{1,4})?(?!\d)/g),
    ([run]) => run,
  )
  return new Set([...runs, ...spaced])
}
