import { fail, notApplicable, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { andOthers, counted, further, isMost, toMend } from '../../findings/share.ts'
import { kindOfSite } from '../../signals/site-kind/site-kind.ts'
import { registrableDomain, shown } from '../../site/addresses.ts'
import { type Article, articlesOf } from '../../site/articles.ts'
import { attributeOf, metaOf } from '../../site/html/elements.ts'
import { nodesOf, textOf } from '../../site/html/json-ld.ts'
import { countWords } from '../../site/html/words.ts'
import { linksToKind } from '../../site/linked-pages.ts'
import { messengerOf } from '../../site/messenger-address.ts'
import type { Page, Site } from '../../site/site.ts'
import { hasByline, isAccount } from './bylines.ts'
import { isSocial } from './profile-addresses.ts'

/** The checks of articles: their authors and their sources. */

export function judgeAuthorship(_pages: readonly Page[], site: Site): Outcome {
  return judgeArticles(site, {
    isGood: (article) => hasAuthor(article, site),
    good: 'names its author to readers and in its markup',
    goodMany: 'name their author to readers and in their markup',
    loss: 'Engines weigh who says something; they cannot attribute the others.',
    fix: (url, { page, node }) =>
      hasByline(page, authorOf(page, node, site), site)
        ? `Put author with a Person into the markup of ${url}. Readers see the name there already, and programs do not.`
        : isDeclared({ page, node }, site)
          ? `Put a line "By …" with a link to the author under the title of ${url}. The markup has the name already.`
          : `Put a line "By …" with a link to the author under the title of ${url}, and author with a Person into its markup.`,
    // Of the others one may lack the line, and the next one the markup.
    others: (count) =>
      count < 1
        ? ''
        : ` Then let ${further(count, 'article')} name the author as well, to readers and in the markup.`,
    describe: ({ page, node }) => {
      const author = authorOf(page, node, site)
      return `${author === '' ? 'no author in the JSON-LD' : `author "${shown(author, 60)}"`}, ${hasByline(page, author, site) ? 'a name for readers' : 'no name for readers'}`
    },
  })
}

export function judgeCitations(_pages: readonly Page[], site: Site): Outcome {
  // What a parish or a club tells its members is known to those who tell it.
  const isAsked = (article: Article) =>
    makesClaims(article) && !/^(?:faith|association|event|library)$/.test(kindOfSite(site))
  const articles = articlesOf(site)
  if (articles.length > 0 && !articles.some(isAsked))
    return notApplicable(
      'The articles that were read cite no studies and few figures, so they make no claims that need a source.',
    )
  return judgeArticles(site, {
    isAsked,
    isGood: (article) => sourcesOf(article, site).length >= 2,
    good: 'links at least 2 other sites as sources',
    goodMany: 'link at least 2 other sites as sources',
    loss: 'Claims without sources are quoted less.',
    fix: (url) => `Link the sources of the figures and claims in ${url}, at least two of them.`,
    describe: (article) => `${counted(sourcesOf(article, site).length, 'other site')} linked`,
  })
}

/**
 * A text claims something that others could check: it tells of shares or of studies. A story, a notice or a guide of the
 * author's own making claims nothing that has a source.
 */
function makesClaims({ page: { mainText } }: Article): boolean {
  const text = mainText.slice(0, 50_000)
  const words = countWords(text)
  if (words < 100) return false
  const shares = text.match(
    /\d[\d.,]{0,8}\s?(?:[%％‰]|percent|per cent|prozent|pour cent|por ciento|per cento|procent|процент)(?!\s?(?:off|discount|rabatt|de descuento|de réduction|di sconto|de desconto|korting|indirim))/giu,
  )
  // One share that is told twice is one, and "100 %" is praise.
  return new Set((shares ?? []).filter((share) => !/^100\D/.test(share))).size >= 2 || studies.test(text)
}

const studies =
  /(?<!\p{L})(?:(?:a|the|recent|new|several|many|some) (?:study|studies|survey|surveys|report) (?:\p{L}{2,15} ){0,2}(?:found|finds?|shows?|showed|suggests?|says?|reveals?)|studies (?:show|suggest|have shown)|research (?:shows|suggests|has shown|found)|researchers (?:found|say|have)|according to (?:a|the|recent|new|research|studies|statistics|data|figures)|(?:eine|die|neue|laut einer|laut der) studien? |studien (?:zeigen|belegen)|forscher (?:haben|fanden)|statistik(?:en)? (?:zeig|beleg)|(?:une|des|selon une|selon des) études?|(?:un|los|según un|según) estudios? |(?:uno|gli|secondo uno) stud(?:io|i) |onderzoek (?:toont|wijst|blijkt)|uit onderzoek|(?:um|estudos|segundo um) estudos? |araştırmalar|исследовани[яе] показ|согласно исследован|badania (?:pokaz|wykaz))/iu

interface ArticleRule {
  /** Articles that are not asked are left out. */
  readonly isAsked?: (article: Article) => boolean
  readonly isGood: (article: Article) => boolean
  readonly good: string
  readonly goodMany: string
  readonly loss: string
  readonly fix: (url: string, first: Article) => string
  /** What is to be done with so many other articles; the same unless it says otherwise. */
  readonly others?: (count: number) => string
  readonly describe: (article: Article) => string
}

/** Passes when 60 % of the articles are good. */
function judgeArticles(site: Site, rule: ArticleRule): Outcome {
  const { isAsked = () => true, isGood, good, goodMany, loss, fix, describe } = rule
  const { others = (count: number) => andOthers(count + 1) } = rule
  const articles = articlesOf(site).filter(isAsked)
  if (articles.length === 0) {
    const [blog] = linksToKind(site, 'blog')
    return blog === undefined
      ? notApplicable('No page that was read is marked or addressed as an article.')
      : unmeasured(`None of the pages that were read was recognised as an article of ${shown(blog.url)}.`)
  }
  const bad = articles.filter((article) => !isGood(article))
  const count = articles.length - bad.length
  const statement = `${count} of ${counted(articles.length, 'article')} ${count === 1 || articles.length === 1 ? good : goodMany}`
  const quote = (list: readonly Article[]) =>
    list.slice(0, 5).map((article) => ({ url: article.page.url, value: describe(article) }))
  const [first] = bad
  if (isMost(count, articles.length) || first === undefined) return pass(`${statement}.`, ...quote(articles))
  return fail(
    `${statement}; at least 60 % should. ${loss}`,
    fix(shown(first.page.url), first) + others(toMend(count, articles.length) - 1),
    ...quote(bad),
  )
}

/** The article shows a byline to readers and declares an author to programs. */
function hasAuthor(article: Article, site: Site): boolean {
  const { page, node } = article
  return isDeclared(article, site) && hasByline(page, authorOf(page, node, site), site)
}

function isName(author: string): boolean {
  return author !== '' && !isAccount(author)
}

function isDeclared({ page, node }: Pick<Article, 'page' | 'node'>, site: Site): boolean {
  return (
    isName(authorOf(page, node, site)) ||
    isName(metaOf(page, 'author')) ||
    page.elements.some(({ node: element }) =>
      /\bauthor\b/.test(`${attributeOf(element, 'rel')} ${attributeOf(element, 'itemprop')}`),
    )
  )
}

/** Also follows the id of a person who stands elsewhere in the markup. */
function authorOf(page: Page, own: Article['node'], site: Site): string {
  const node =
    own ??
    nodesOf(page, 'Article', 'WebPage').find(
      ({ isTop, properties }) => isTop && properties.author !== undefined,
    )
  const author: unknown = node?.properties.author
  const name = textOf(author)
  if (name !== '') return name
  const [first]: readonly unknown[] = Array.isArray(author) ? author : [author]
  const id = typeof first === 'object' && first !== null && '@id' in first ? first['@id'] : undefined
  const person =
    id === undefined
      ? undefined
      : [page, ...site.pages]
          .flatMap(({ jsonLd }) => jsonLd.nodes)
          .find(({ properties }) => properties['@id'] === id && textOf(properties.name) !== '')
  return textOf(person?.properties.name) || metaOf(page, 'author')
}

/** Lists the other sites that the article links, each once and without links for sharing. */
function sourcesOf({ page }: Article, site: Site): readonly string[] {
  const domains = page.elements.flatMap(({ name, node, region, isHidden }) => {
    if (name !== 'a' || isHidden || region === 'nav' || region === 'footer' || region === 'aside') return []
    const url = URL.parse(attributeOf(node, 'href').slice(0, 2_048), page.url)
    return url && /^https?:$/.test(url.protocol) && !isSocial(url.href) && messengerOf(url) === undefined
      ? [registrableDomain(url.href)]
      : []
  })
  return [...new Set(domains)].filter((domain) => domain !== site.registrableDomain && domain !== '')
}
