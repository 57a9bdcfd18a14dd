import { footersOf } from '../site/contact/footers.ts'
import { isNavigation, metaOf } from '../site/html/elements.ts'
import { nodesOf, textOf } from '../site/html/json-ld.ts'
import { linesWithin, textWithin } from '../site/html/visible-text.ts'
import type { Page, Site } from '../site/site.ts'
import { isGeneric } from './generic-titles.ts'
import { isGreeting, withoutGreeting } from './greetings.ts'
import { ownEntities } from './own-entities.ts'

/**
 * Returns the name on which at least two of the four places agree, in the spelling of the markup or else of
 * the first place before it. The footer only confirms a name, because it may repeat any word of the menu.
 */
export function agreedName(home: Page, site: Site): string | undefined {
  const places = placesOf(home, site)
  const best = commonestName(places, ({ names }, name) => names.some((one) => normalized(one) === name))
  if (best === undefined || best.holders.length < 2) return undefined
  const wanted = normalized(best.name)
  const spellings = [...places]
    .reverse()
    .filter(({ isBottom }) => !isBottom)
    .flatMap(({ names }) => names)
    .concat(best.name)
    .filter((name) => normalized(name) === wanted)
  return spellings.find((name) => !isSlug(name)) ?? spellings[0]
}

/** "example-com": the name of a repository or a folder, which a template writes for the name of the site. */
function isSlug(name: string): boolean {
  return /^[a-z0-9]+(?:[-_][a-z0-9]+)+$/.test(name)
}

/** Returns the names that follow a copyright sign in the footer. */
export function copyrightNamesOf(home: Page): readonly string[] {
  const template = templateName(home)
  return copyrightNames(footerLines(home)).filter((name) => normalized(name) !== template)
}

/** The name of the template that the pages were made from, as it says itself: "<!-- Template Name: Nord - v4.3.0 -->". */
function templateName({ reply }: Page): string | undefined {
  const [, name] = /Template Name: {0,3}([\p{L}\p{N} ]{2,40})/u.exec(reply.body.slice(0, 50_000)) ?? []
  return name === undefined ? undefined : normalized(name)
}

/** Returns the name that most places have; with equal counts the first one. */
function commonestName(
  places: readonly Place[],
  has: (place: Place, name: string) => boolean,
): { name: string; holders: readonly Place[] } | undefined {
  const candidates = places
    .flatMap(({ names }) => names)
    .filter((name) => normalized(name) !== '' && !isGeneric(name))
  let best: { name: string; holders: readonly Place[] } | undefined
  for (const name of candidates.slice(0, 40)) {
    const holders = places.filter((place) => has(place, normalized(name)))
    if (holders.length > (best?.holders.length ?? 0)) best = { name, holders }
  }
  return best
}

export interface Place {
  readonly label: string
  /** The footer, or the end of a page that has none. */
  readonly isBottom: boolean
  /** Candidates for the name in this place. */
  readonly names: readonly string[]
  /** What to quote when the place lacks the name. */
  readonly texts: readonly string[]
  readonly hasName: (name: string) => boolean
  /** The name as it is written there, which may differ in accents and case; undefined where it cannot be told. */
  readonly spellingOf: (name: string) => string | undefined
}

/** The four places where engines look for a name. */
export function placesOf(home: Page, site: Site): Place[] {
  const exactly = (label: string, written: readonly string[]): Place => {
    const names = [...new Set(written)].filter((name) => name !== '')
    const spellingOf = (name: string) => names.find((one) => normalized(one) === name)
    return {
      label,
      isBottom: false,
      names,
      texts: names,
      hasName: (name) => spellingOf(name) !== undefined,
      spellingOf,
    }
  }
  const footer = footerOf(home)
  const signed = copyrightNames(footerLines(home))
  // The name within a mail address or a host is not how the business writes itself.
  const ending = withoutAddresses(`${footer} ${footerLogos(home)}`)
  // With legal forms and without: a name may lack its own, or begin with such a word.
  const words = ` ${wordsOf(ending).join(' ')} · ${normalized(ending)} `
  const titleParts = [home.title, ...partsOf(home.title)].flatMap((part) => [part, beginningOf(part)])
  return [
    {
      ...exactly(
        'the title',
        [...inTitle(repeatedParts(site), home), ...partsOf(home.title), ...repeatedParts(site)].slice(0, 8),
      ),
      // Parts alone would leave out the one that a reader takes for the name.
      texts: home.title === '' ? [] : [home.title],
      // A part of other titles is a candidate for the name, and does not stand in this one.
      hasName: (name) => titleParts.some((part) => normalized(part) === name) || isBesideTown(name, home),
      spellingOf: (name) =>
        titleParts.find((part) => normalized(part) === name) ??
        (isBesideTown(name, home) ? spellingIn(home.title, name) : undefined),
    },
    // "Le Lind Festival" holds "Le Lind".
    exactly(
      'og:site_name',
      [metaOf(home, 'og:site_name').slice(0, 200)].flatMap((name) => [name, ...shorter(name, home.title)]),
    ),
    withTrade(
      exactly(
        'the JSON-LD',
        [
          ...ownEntities(site).map(({ node }) => node),
          ...nodesOf(home, 'WebSite', 'SoftwareApplication', 'WebApplication', 'MobileApplication').filter(
            ({ isTop }) => isTop,
          ),
        ]
          .slice(0, 10)
          .map(({ properties }) => textOf(properties.name).slice(0, 200))
          .flatMap((name) => [name, ...nameParts(name)]),
      ),
      home,
    ),
    {
      // A page without a footer can say the name in its last lines.
      label: footersOf(home).length > 0 ? 'the footer' : 'the last line',
      isBottom: true,
      names: signed,
      texts: signed.length > 0 || !hasFooter(home) ? signed : [footer.slice(0, 200)],
      hasName: (name) => words.includes(` ${name} `) || isSetInParts(name, words),
      spellingOf: (name) => spellingIn(ending, name),
    },
  ]
}

/**
 * "Lind Zahnarztpraxis" has the name "Lind", where the title calls the site so or what is left is the trade. The longer name is
 * the one candidate all the same. "Ada Lind" is another name.
 */
function withTrade(place: Place, { title }: Page): Place {
  const isLonger = (written: string, name: string) => {
    const words = ` ${normalized(written)} `
    const rest = [` ${name} `]
      .filter((one) => name !== '' && (words.startsWith(one) || words.endsWith(one)))
      .map((one) => words.replace(one, ' ').trim())
    return rest.some(isGeneric) || shorter(written, title).some((beginning) => normalized(beginning) === name)
  }
  return {
    ...place,
    hasName: (name) => place.hasName(name) || place.names.some((written) => isLonger(written, name)),
  }
}

/** A mail address is looked for only where a word begins: from each letter, a text without a blank would be read to its end. */
export function withoutAddresses(text: string): string {
  return text.replace(/(?<!\S)\S+@\S+|(?:https?:\/\/|www\.)\S+/gi, ' ')
}

/** "Lind ThaiMassageUlm": a name whose words stand in elements of their own, without a space between them. */
function isSetInParts(name: string, words: string): boolean {
  const letters = name.replaceAll(' ', '')
  return letters.length >= 10 && name.includes(' ') && words.replaceAll(' ', '').includes(letters)
}

/** "Physio Ana Lind" of "Prices - Physio Ana Lind Ulm", where "89073 Ulm" stands on the page. Other words would make another name. */
function isBesideTown(name: string, { title, text }: Page): boolean {
  return partsOf(title).some((part) => {
    const words = normalized(part)
    const rest = words.startsWith(`${name} `) ? words.slice(name.length + 1) : ''
    return (
      rest !== '' &&
      new RegExp(`(?<!\\p{Nd})\\p{Nd}{4,5} ${rest}(?!\\p{L})`, 'u').test(normalized(text.slice(-20_000)))
    )
  })
}

/** "Café Lind" in "© 2026 Café Lind, Ulm", for "cafe lind". Signs between two names may join them, and then none is found. */
function spellingIn(text: string, name: string): string | undefined {
  const words = text.split(/\s+/).slice(0, 2_000)
  const count = name.split(' ').length
  for (const [at, word] of words.entries()) {
    const first = normalized(word)
    if (first === '' || !name.startsWith(first)) continue
    for (let length = 1; length <= count + 2; length++) {
      const found = words.slice(at, at + length).join(' ')
      if (normalized(found) === name) return found.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}+]+$/gu, '')
    }
  }
  return undefined
}

/** The beginning of a name by which the title calls the site: "Lind" of "Lind Festival", beside the title "Lind | Home". */
function shorter(name: string, title: string): readonly string[] {
  const bare = normalized(name)
  return partsOf(title).filter((part) => {
    const begun = normalized(part)
    return begun !== '' && bare.startsWith(`${begun} `)
  })
}

/** "Example" of "Example - Bicycles": a name in markup may say its trade, too. None of a name without such a part. */
export function nameParts(name: string): readonly string[] {
  const [first = '', ...rest] = name.split(/\s[-–—|·•»]\s/)
  return rest.length === 0 ? [] : [first.trim()]
}

/** Makes "tqdm" of "tqdm documentation": the word says what the pages are, and does not belong to the name. */
export function withoutDocs(part: string): string {
  return part.replace(docsEnding, '')
}

const docsEnding =
  /(?<=[\p{L}\p{N})])(?:\s[-–—|:]?\s?(?:(?:developer |api |online )?(?:documentation|docs|reference|manual)|dokumentation|documentación|documentazione|documentação|documentatie|dokümantasyonu?|документация|توثيق)|\s?(?:ドキュメント|공식 문서|문서|文档|文檔|官方文档))$/iu

/** "Fine bicycles" and "Example" of "Example | Fine bicycles"; the last part comes first. */
export function partsOf(title: string): string[] {
  const parts = title
    .slice(0, 300)
    .split(/\s[-–—|·•»~]\s|\s?::?\s|[|｜]/)
    .filter((part) => !isGreeting(part))
    .map((part) => withoutDocs(withoutGreeting(part)))
    .filter((part) => part !== '')
  return [...new Set([parts.at(-1) ?? '', ...parts])]
}

/** "Lind Bakery" of "Lind Bakery, bread and cakes in Ulm". The full stop of "M. Lind" belongs to the name. */
function beginningOf(title: string): string {
  return withoutGreeting(title.slice(0, 300).split(/[,;!?،、。(（]|(?<!(?:^|\s)\p{L})\./u, 1)[0] ?? '')
}

/** Parts that the titles of at least half of the other pages share. */
export function repeatedParts({ pages, home }: Site): string[] {
  const others = pages.filter((page) => page !== home)
  const counts = new Map<string, number>()
  for (const page of others)
    for (const part of partsOf(page.title)) counts.set(part, (counts.get(part) ?? 0) + 1)
  return [...counts]
    .filter(([part, count]) => part !== '' && count >= 2 && count * 2 >= others.length)
    .map(([part]) => part)
}

/** Of two parts of the title, the one that other titles have as well is the name: "Lind" of "Lind - Project" and "Lind - Team". */
function inTitle(repeated: readonly string[], { title }: Page): readonly string[] {
  const own = new Set(partsOf(title))
  return repeated.filter((part) => own.has(part))
}

/** A logo in the footer says the name by its alternative text. */
function footerLogos(home: Page): string {
  return home.elements
    .filter(({ name, region, isHidden }) => name === 'img' && region === 'footer' && !isHidden)
    .slice(0, 20)
    .map(({ node }) => (node.attribs.alt ?? '').slice(0, 200))
    .join(' ')
}

/** An empty footer is one that a script fills. */
function hasFooter(home: Page): boolean {
  return footerText(home) !== ''
}

function footerText(home: Page): string {
  return footersOf(home)
    .slice(0, 20)
    .map(({ node }) => textWithin([node]))
    .join(' ')
    .trim()
}

/** As `footerOf`, with a line for each of its parts: the maker of the pages may stand beside the name. */
function footerLines(home: Page): string {
  const lines = footersOf(home)
    .slice(0, 20)
    .flatMap(({ node }) => linesWithin([node]))
  return lines.length === 0 ? footerOf(home) : lines.join('\n').slice(0, 20_000)
}

/** Text of the footer, or the end of the page when no element is marked as footer. */
function footerOf(home: Page): string {
  const text = footerText(home)
  return text === '' ? lastLines(home) : text.slice(0, 20_000)
}

/**
 * The end of a page without a footer: the second half of its lines, without the menu. The top of a short page does not
 * count, because the name stands there on every page.
 */
function lastLines({ $ }: Page): string {
  const lines = linesWithin($('body').toArray(), isNavigation)
  return lines
    .slice(Math.floor(lines.length / 2))
    .join(' ')
    .slice(-300)
}

/** "Example Ltd" of "© 2026 Example Ltd. All rights reserved." */
function copyrightNames(footer: string): string[] {
  const marks = footer.matchAll(
    /(?:©|\(c\)(?!\p{L})|copyright)[\s©]{0,3}(?:\p{Nd}{4}\s?(?:[-–—]\s?(?:\p{Nd}{2,4}|present|today|heute))?)?[\s,.:•·|-]{0,4}([^©|•·\n]{2,80})/giu,
  )
  const behind = Array.from(marks, ([, name = '']) => (isStreet.test(name) ? '' : nameInCopyright(name)))
  const before = Array.from(footer.matchAll(beforeSign), ([, name = '']) =>
    ofMaker.test(name) || !/^\p{Lu}/u.test(name) ? '' : nameInCopyright(name),
  )
  return [...behind, ...before]
    .filter((name) => /\p{L}/u.test(name) && !/^copyright$/i.test(name))
    .slice(0, 3)
}

/** "102 E Main St Suite 101" in the line below "© 2020". */
const isStreet =
  /^[\s,.-]{0,4}\d{1,5}\s(?:[\p{L}.]{1,20} ){1,4}(?:st|street|ave|avenue|rd|road|blvd|boulevard|dr|drive|ln|lane|way|hwy|highway|suite|ste)(?!\p{L})/iu

function nameInCopyright(text: string): string {
  const [name = ''] = text
    .replace(reserved, '. ')
    // "© Copyright Nord": the sign and its word.
    .replace(/^\s{0,3}copyright(?!\p{L})/iu, '')
    // The figure of "3D Nord" belongs to the name.
    .replace(/^[\s\p{Nd}.,:-]{1,20}(?![\p{L}\p{Nd}])/u, '')
    // The full stop of "Dr. med." and of "Ada M. Lind" ends no name.
    .split(
      /(?<!(?:^|\s)(?:\p{L}|prof|dr|med|dent|vet|phil|rer|nat|jur|dipl))\.\s|\.$|,\s|\s[-–—]\s|\s\p{Nd}{4}(?!\p{L})/iu,
      1,
    )
  // Of "Pte. Ltd." the first half is left here.
  return name.trim().replace(/\s(?:pte|pvt)$/i, '')
}

/** "All rights reserved", with the word that leads to a name: "Todos los derechos reservados por". Some reserve only some of them. */
const reserved = new RegExp(
  String.raw`(?<!\p{L})(?:${[
    '(?:all|some|no) rights? (?:are )?reserved|(?:alle|einige|sämtliche) rechte (?:sind )?vorbehalten',
    '(?:tous|certains) (?:les |des )?droits (?:sont )?r[ée]serv[ée]s|(?:todos|algunos) (?:los )?derechos (?:est[áa]n )?reservados',
    'tutti i diritti (?:sono )?riservati|alcuni diritti riservati|(?:todos|alguns) (?:os )?direitos (?:est[ãa]o )?reservados',
    'tots els drets reservats|(?:alle|sommige) rechten voorbehouden|wszelkie prawa zastrze[żz]one|wszystkie prawa zastrze[żz]one',
    't[üu]m hakları saklıdır|bütün hakları saklıdır|(?:все|некоторые) права защищены|(?:усі|всі) права захищен[іо]',
    'med ensamrätt|alla rättigheter (?:är )?förbehållna|alle rettigheder forbeholdes|alle rettigheter (?:er )?reservert|kaikki oikeudet pidätetään',
    'toate drepturile (?:sunt )?rezervate|všechna práva vyhrazena|všetky práva vyhradené|minden jog fenntartva|sva prava (?:su )?pridržana|sva prava zadržana|vse pravice pridržane|всички права запазени',
    'με επιφύλαξη παντός δικαιώματος|جميع الحقوق محفوظة|כל הזכויות שמורות|版权所有|版權所有|保留所有权利|保留所有權利',
  ].join('|')})(?:\s(?:by|to|por|von|par|di|da|à|لدى|ل))?(?!\p{L})[\s.,:|]{0,4}`,
  'giu',
)

/** "Example Ltd © 2026", "Example Ltd © All rights reserved": a line whose sign has no name behind it. */
const beforeSign = new RegExp(
  String.raw`^\s{0,4}([^©|•·\n!?]{2,60}?)[\s,–-]{0,3}(?:©|\(c\)(?!\p{L}))[\s.,:-]{0,3}(?:\p{Nd}{4}(?:\s?[-–—]\s?\p{Nd}{2,4})?)?[\s.,:|–-]{0,4}(?:${reserved.source})?$`,
  'gimu',
)

/** "Made by Nord", "All texts of Lind". */
const ofMaker =
  /(?<!\p{L})(?:by|por|von|par|door|made|all|texts?|photos?|fotos?|images?|design\p{L}*|develop\p{L}*|desenvolvid\p{L}*|diseñ\p{L}*|created|powered|erstellt|réalis\p{L}*|copyright|web\p{L}*|hosted)(?!\p{L})/iu

/** For comparison: lower case, without punctuation and without the legal form. */
export function normalized(name: string): string {
  return wordsOf(name)
    .filter((word, place) => !(place === 0 ? leadingForms : legalForms).has(word))
    .join(' ')
}

function wordsOf(name: string): string[] {
  return (
    // "Café" and "Cafe" are one name.
    withoutAccents(
      withoutBracket(name)
        .replace(/[™®©℠]/g, ' ')
        .normalize('NFKC')
        .toLowerCase(),
    )
      .replace(/&/g, ' and ')
      .replace(/株式会社|有限会社|合同会社|주식회사|有限公司/g, ' ')
      // "Löhr" and "Loehr" are one name, too.
      .replace(/([aou])e/g, '$1')
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
  )
}

/** Without the accents of Latin letters. A mark on a Japanese letter makes it another one, and stays. */
export function withoutAccents(text: string): string {
  return text
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin})[\u0300-\u036f]+/gu, '')
    .normalize('NFC')
}

/** "Society of Rowing" of "Society of Rowing (SR)": an abbreviation or a translation behind the name. */
function withoutBracket(name: string): string {
  const bare = name.replace(/\s*[(（][^()（）]{1,60}[)）]\s*$/u, '')
  return /\p{L}/u.test(bare) ? bare : name
}

/** Of "ООО Ромашка". The first word of "Co Clean Car" belongs to the name. */
const leadingForms: ReadonlySet<string> = new Set(['ooo', 'ооо', 'ип'])

const legalForms: ReadonlySet<string> = new Set(
  'inc incorporated llc ltd limited corp corporation co company gmbh ag kg ug plc sa sas sarl srl spa bv nv oy ab pty llp sti ooo ооо ип'.split(
    ' ',
  ),
)

/**
 * Returns the name of somebody else with which a description begins: "Wong & Sim Dental Surgery located in two places", on
 * the site of Lind Orthodontics. It was copied with the page.
 */
export function subjectElsewhere(description: string, home: Page): string | undefined {
  const [, subject = ''] = ofSubject.exec(description) ?? []
  const words = subject
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length >= 3 && word !== 'and' && word !== 'the')
    // "Cleaning" is what a page speaks of that says "We clean".
    .map((word) => word.slice(0, Math.max(4, word.length - 3)))
  const own = [
    home.title,
    new URL(home.url).hostname,
    home.text.slice(0, 100_000),
    metaOf(home, 'og:site_name'),
    ...home.jsonLd.nodes
      .slice(0, 200)
      .map(({ properties }) =>
        [properties.name, properties.alternateName, properties.legalName].map(textOf).join(' '),
      ),
  ]
    .join(' ')
    .toLowerCase()
  const unknown = words.filter((word) => !own.includes(word))
  return unknown.length >= 2 && unknown[0] === words[0] && unknown.length * 2 >= words.length
    ? subject
    : undefined
}

/** Three words or more that begin in capitals, and what is said of them. */
const ofSubject =
  /^((?!(?:The|Our|Your|We|My|A|An|Best|Top|Welcome)\s)(?:\p{Lu}[\p{L}'’.-]*)(?:\s(?:\p{Lu}[\p{L}'’.-]*|&|and|of|the)){2,7})\s(?:is|are|was|offers?|provides?|located|serves?|ist|sind|bietet|est|sont|propose|es|son|ofrece|è|sono|offre)\s(?!what|how|why|our|my|your|unsere?|notre|nuestr[oa]|l[ao] que|ce que)/u
