import { fail, notApplicable, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { andOthers, counted, isMost, missingToMost } from '../../findings/share.ts'
import { registrableDomain, shown } from '../../site/addresses.ts'
import { amountsIn } from '../../site/amounts.ts'
import { type Article, articlesOf } from '../../site/articles.ts'
import { attributeOf, metaOf } from '../../site/html/elements.ts'
import { nodesOf, textOf } from '../../site/html/json-ld.ts'
import { textWithin } from '../../site/html/visible-text.ts'
import { countWords } from '../../site/html/words.ts'
import { linksToKind } from '../../site/linked-pages.ts'
import { messengerOf } from '../../site/messenger-address.ts'
import type { Page, Site } from '../../site/site.ts'
import { isSocial } from './profile-addresses.ts'

/** The checks of articles: their authors and their sources. */

export function judgeAuthorship(_pages: readonly Page[], site: Site): Outcome {
  return judgeArticles(site, {
    isGood: (article) => hasAuthor(article, site),
    good: 'names its author to readers and in its markup',
    goodMany: 'name their author to readers and in their markup',
    loss: 'Engines weigh who says something; they cannot attribute the others.',
    fix: (url) =>
      `Put a line "By …" with a link to the author under the title of ${url}, and author with a Person into its markup.`,
    describe: ({ page, node }) => {
      const author = authorOf(page, node, site)
      return `${author === '' ? 'no author in the JSON-LD' : `author "${shown(author, 60)}"`}, ${bylineOf(page, author) ? 'byline' : 'no byline'}`
    },
  })
}

export function judgeCitations(_pages: readonly Page[], site: Site): Outcome {
  const articles = articlesOf(site)
  if (articles.length > 0 && !articles.some(makesClaims))
    return notApplicable(
      'The articles that were read are short and have no figures, so they make no claims that need a source.',
    )
  return judgeArticles(site, {
    isAsked: makesClaims,
    isGood: (article) => sourcesOf(article, site).length >= 2,
    good: 'links at least 2 other sites as sources',
    goodMany: 'link at least 2 other sites as sources',
    loss: 'Claims without sources are quoted less.',
    fix: (url) => `Link the sources of the figures and claims in ${url}, at least two of them.`,
    describe: (article) => `${counted(sourcesOf(article, site).length, 'other site')} linked`,
  })
}

/** A notice of a few sentences without a sum or a percentage makes no claim that needs a source. */
function makesClaims({ page: { mainText } }: Article): boolean {
  return (
    countWords(mainText) >= 150 ||
    /\d\s?(?:[%％‰]|percent|per cent|prozent|pour cent|por ciento|процент)/iu.test(mainText) ||
    amountsIn(mainText, 1).length > 0
  )
}

interface ArticleRule {
  /** Articles that are not asked are left out. */
  readonly isAsked?: (article: Article) => boolean
  readonly isGood: (article: Article) => boolean
  readonly good: string
  readonly goodMany: string
  readonly loss: string
  readonly fix: (url: string) => string
  readonly describe: (article: Article) => string
}

/** Passes when 60 % of the articles are good. */
function judgeArticles(site: Site, rule: ArticleRule): Outcome {
  const { isAsked = () => true, isGood, good, goodMany, loss, fix, describe } = rule
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
    fix(shown(first.page.url)) + andOthers(missingToMost(count, articles.length)),
    ...quote(bad),
  )
}

/** The article shows a byline to readers and declares an author to programs. */
function hasAuthor({ page, node }: Article, site: Site): boolean {
  const author = authorOf(page, node, site)
  const isDeclared =
    author !== '' ||
    metaOf(page, 'author') !== '' ||
    page.elements.some(({ node: element }) =>
      /\bauthor\b/.test(`${attributeOf(element, 'rel')} ${attributeOf(element, 'itemprop')}`),
    )
  return isDeclared && bylineOf(page, author)
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

function bylineOf(page: Page, author: string): boolean {
  if (author.length >= 3 && page.text.toLowerCase().includes(author.toLowerCase())) return true
  if (
    /(?:^|[\s.·|])(?:[Bb]y|[Vv]on|[Pp]ar|[Pp]or|[Dd]i|[Ww]ritten by|[Aa]uthor:)\s\p{Lu}[\p{L}.'’-]{1,30}\s\p{Lu}/u.test(
      page.mainText.slice(0, 1_500),
    )
  ) {
    return true
  }
  return page.elements.some(
    ({ node, isHidden }) =>
      !isHidden &&
      node.name !== 'link' &&
      node.name !== 'meta' &&
      /\bauthor\b|\bbyline\b/i.test(
        `${attributeOf(node, 'rel')} ${attributeOf(node, 'itemprop')} ${attributeOf(node, 'class').slice(0, 300)}`,
      ) &&
      textWithin([node]).length >= 3,
  )
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
