import { documentsOf } from '../../findings/document.ts'
import { addressKey, shown } from '../../site/addresses.ts'
import { depthBelowHome, rootNote } from '../../site/below-home.ts'
import { pagesOfKind } from '../../site/linked-pages.ts'
import { isPathOfKind, type PageKind } from '../../site/page-kinds.ts'
import type { Page, Site } from '../../site/site.ts'
import type { Draft } from './block.ts'
import type { SiteFacts } from './facts/facts.ts'
import { listedPages } from './listed-pages.ts'

/**
 * An llms.txt of the pages that the scan has read, in their own words. A file that the site has stays, and gets what it
 * lacks: a title, a summary, a list of pages.
 */
export function llmsBlock(site: Site, home: Page, facts: SiteFacts): Draft | undefined {
  const name = facts.name ?? site.capture.domain
  const [document] = documentsOf(site.capture, 'llms')
  const isText = document?.state === 'present' && !document.answer.isCut
  const own = isText ? document.answer.body.replace(/^\ufeff/, '').trim() : ''
  if (own.length > maxCharacters) return undefined
  const lines = own.split(/\r?\n/)
  const title = /^#\s+\S/.test(lines[0] ?? '') ? lines.shift() : `# ${oneLineOf(name)}`
  const rest = lines.join('\n').trim()
  const hasSummary = /^>\s?\S/m.test(rest)
  const hasPages = /^##\s[^\n]*\n(?:(?!#)[^\n]*\n)*?\s{0,8}[-*+]\s+\[[^\]]+\]\([^)\s]+/m.test(rest)
  const text = `${[
    title,
    ...(hasSummary || facts.description === undefined ? [] : [`> ${oneLineOf(facts.description)}`]),
    ...(rest === '' ? [] : [rest]),
    ...(hasPages ? [] : sections(site, home)),
  ].join('\n\n')}\n`
  return {
    block: {
      kind: 'llms.txt',
      where: `Save it as ${site.origin}/llms.txt, as plain text.${rootNote(site)}`,
      text,
      missing:
        hasSummary || facts.description !== undefined
          ? []
          : ['one sentence on what you offer and for whom (the line that begins with ">")'],
    },
    title: `${own === '' ? 'Publish' : 'Complete'} llms.txt, a short guide to your pages for assistants.`,
    why:
      site.pages.length === 1
        ? 'An assistant that reads this file learns in plain text what you offer.'
        : 'An assistant that reads this file finds the right page at once.',
    pasted: { llms: text },
    aims: ['core-snapshot/llms-sane', 'agent-files/llms-present', 'agent-files/llms-structure'],
  }
}

const maxCharacters = 20_000

function sections(site: Site, home: Page): string[] {
  const { pages } = site
  const seen = new Set([addressKey(home.url)])
  const listed = listedPages(pages).filter((page) => {
    const key = addressKey(page.url)
    if (seen.has(key) || page.title === '') return false
    return seen.add(key)
  })
  const isArticle = ({ url }: Page) => isPathOfKind(url, 'blog') && depthBelowHome(url, site) > 1
  const notices = new Set(legalKinds.flatMap((kind) => pagesOfKind(site, kind)))
  const isLegal = (page: Page) => notices.has(page)
  const legal = listed.filter(isLegal)
  const articles = listed.filter((page) => !isLegal(page) && isArticle(page))
  const others = listed.filter((page) => !isLegal(page) && !isArticle(page))
  return [
    section('Pages', [home, ...others]),
    ...(articles.length > 0 ? [section('Articles', articles)] : []),
    ...(legal.length > 0 ? [section('Legal', legal)] : []),
  ]
}

const legalKinds: readonly PageKind[] = ['privacy', 'terms', 'imprint']

function section(heading: string, pages: readonly Page[]): string {
  return [`## ${heading}`, '', ...pages.slice(0, 30).map(line)].join('\n')
}

function line({ url, title, description }: Page): string {
  const words = oneLineOf(title).replace(/[[\]]/g, '')
  return `- [${words}](${url.replace(/[()]/g, encodeURIComponent)})${description === '' ? '' : `: ${oneLineOf(description)}`}`
}

function oneLineOf(text: string): string {
  return shown(text, 200)
}
