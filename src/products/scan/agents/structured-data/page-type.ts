import { fail, notApplicable, type Outcome, pass } from '../../findings/check.ts'
import { andOthers, isMost, listed, portion, toMend } from '../../findings/share.ts'
import { hasOrderButton } from '../../signals/offer-signals.ts'
import { depthOf, pathOf, shown } from '../../site/addresses.ts'
import { pricesIn } from '../../site/amounts.ts'
import { type Article, articlesOf } from '../../site/articles.ts'
import { metaOf } from '../../site/html/elements.ts'
import { nodesOf, typeName } from '../../site/html/json-ld.ts'
import { asksQuestion } from '../../site/html/words.ts'
import { isPathOfKind, noticeKinds, type PageKind } from '../../site/kinds/page-kinds.ts'
import { pagesOfKind } from '../../site/linked-pages.ts'
import type { Page, Site } from '../../site/site.ts'
import { hasProperty } from './required-properties.ts'

/**
 * Judges whether articles, products and question pages declare their kind in markup. Address and content
 * tell the kind, because a page without markup declares none and would otherwise lose nothing.
 */
export function judgePageTypes(_: readonly Page[], site: Site): Outcome {
  const pages = typedPages(site)
  if (pages.length === 0)
    return notApplicable('None of the pages that were read is an article, a product or a list of questions.')
  const undeclared = pages.filter(({ isDeclared }) => !isDeclared)
  const good = pages.length - undeclared.length
  const [first] = undeclared
  const evidence = (first === undefined ? pages : undeclared)
    .slice(0, 5)
    .map(({ page, requirement, isDeclared, standing }) => ({
      url: page.url,
      value:
        standing === undefined
          ? `${isDeclared ? '' : 'no '}${requirement}`
          : `${standing} without ${requirement}`,
    }))
  const kinds = listed([...new Set(pages.map(({ kind }) => kind))])
  const reason = `${portion(good, pages.length, 'page', 'declares its', 'declare their')} kind (${kinds}) with the essential properties.`
  if (first === undefined || isMost(good, pages.length)) return pass(reason, ...evidence)
  return fail(
    `${reason} Without that, engines must guess what a page is, and may leave it out of answers made from its kind.`,
    `${additionTo(first)}${andOthers(toMend(good, pages.length))}`,
    ...evidence,
  )
}

export interface TypedPage {
  readonly page: Page
  readonly kind: 'article' | 'product' | 'questions'
  /** What the page has to declare, or what its node lacks. */
  readonly requirement: string
  readonly isDeclared: boolean
  /** The type of the page's own node that only lacks something. A second node beside it would contradict it one day. */
  readonly standing?: string
}

/** A page without JSON-LD has none to add to. */
function additionTo({ page, requirement, standing, kind }: TypedPage): string {
  const place = shown(page.url)
  if (standing !== undefined) return `Add ${requirement} to the ${standing} node in the JSON-LD of ${place}.`
  const what =
    kind === 'questions' ? ': each question as a Question with its acceptedAnswer, in mainEntity' : ''
  return page.jsonLd.blocks === 0
    ? `Add a script of type application/ld+json with a schema.org ${requirement} to ${place}${what}.`
    : `Add ${requirement} to the JSON-LD of ${place}${what}.`
}

/** The pages whose kind is known, and whether their markup says it. */
export function typedPages(site: Site): TypedPage[] {
  const articles = articlesOf(site).map(({ page, node }) => typedArticle(page, node))
  const products = site.pages
    .filter((page) => isProductPage(page, site))
    .map((page): TypedPage => {
      const [node] = nodesOf(page, 'Product')
      const isDeclared = node !== undefined && hasPrice(page)
      return {
        page,
        kind: 'product',
        requirement: `${node === undefined || isDeclared ? 'Product with ' : ''}an Offer (price, priceCurrency)`,
        isDeclared,
        ...(node !== undefined && !isDeclared && { standing: typeName(node, 'Product') }),
      }
    })
  const questions = site.pages
    .filter(
      (page) =>
        isQuestionPage(page) ||
        pagesOfKind(site, 'faq').includes(page) ||
        nodesOf(page, 'FAQPage').some((node) => hasProperty(node, 'mainEntity')),
    )
    .filter((page) => page.lines.slice(0, 3_000).filter(asksQuestion).length >= 2 || hasQuestionNode(page))
    .map((page) => ({
      page,
      kind: 'questions' as const,
      requirement: 'FAQPage',
      isDeclared: nodesOf(page, 'FAQPage').some((node) => hasProperty(node, 'mainEntity')),
    }))
  return [...articles, ...products, ...questions]
}

const articleProperties = ['headline', 'datePublished', 'author']

function typedArticle(page: Page, node: Article['node']): TypedPage {
  const isDeclared = nodesOf(page, 'Article').some((one) =>
    articleProperties.every((name) => hasProperty(one, name)),
  )
  return isDeclared || node === undefined
    ? { page, kind: 'article', requirement: `Article (${articleProperties.join(', ')})`, isDeclared }
    : {
        page,
        kind: 'article',
        requirement: listed(articleProperties.filter((name) => !hasProperty(node, name))),
        isDeclared,
        standing: typeName(node, 'Article'),
      }
}

function hasQuestionNode(page: Page): boolean {
  return nodesOf(page, 'FAQPage', 'Question').length > 0
}

/** Whether the page shows one product, by its preview, its address or its markup. */
function isProductPage(page: Page, { home }: Site): boolean {
  if (depthOf(page.url) === 0 || otherKinds.some((kind) => isPathOfKind(page.url, kind))) return false
  // When the home page is called a product too, the template calls every page one, and the name proves
  // nothing.
  const isNamedProduct = isCalledProduct(page) && !(home !== undefined && isCalledProduct(home))
  if (isNamedProduct) return true
  if (depthOf(page.url) < 2) return false
  // Shops embed a product in an article, which remains an article.
  if (isPathOfKind(page.url, 'blog') || metaOf(page, 'og:type').toLowerCase() === 'article') return false
  // "/p/" leads to posts as often as to products: there must be something to buy.
  const isAddressed =
    /\/(?:products?|items?|p|produkte?|produits?|productos?)\/[^/]+\/?$/i.test(pathOf(page.url)) &&
    (hasOrderButton(page) || pricesIn(page.text, 1).length > 0)
  return isAddressed || nodesOf(page, 'Product').filter(({ isTop }) => isTop).length === 1
}

const otherKinds: readonly PageKind[] = ['about', 'contact', 'faq', 'careers', ...noticeKinds]

function isCalledProduct(page: Page): boolean {
  return /^(?:og:)?product(?:\.item)?$/i.test(metaOf(page, 'og:type'))
}

function hasPrice(page: Page): boolean {
  return (
    nodesOf(page, 'Offer', 'PriceSpecification', 'UnitPriceSpecification').some(
      (node) => hasProperty(node, 'price') && hasProperty(node, 'priceCurrency'),
    ) ||
    nodesOf(page, 'AggregateOffer').some(
      (node) => hasProperty(node, 'lowPrice') && hasProperty(node, 'priceCurrency'),
    )
  )
}

function isQuestionPage({ title, headings }: Page): boolean {
  const top = headings.find(({ level }) => level === 1)?.text ?? ''
  return [title, top].some((text) => /\bfaqs?\b|\bfrequently asked questions\b/i.test(text.slice(0, 300)))
}
