import { judgeCoverage, mainPages } from '../../../agents/agent-files/llms-coverage.ts'
import { documentsOf } from '../../../findings/document.ts'
import { kindOfSite, nounOf } from '../../../signals/site-kind/site-kind.ts'
import { addressKey, shown, shownInQuotes } from '../../../site/addresses.ts'
import { rootNote } from '../../../site/below-home.ts'
import { bareAddresses, markdownLinks } from '../../../site/files/markdown-links.ts'
import type { Page, Site } from '../../../site/site.ts'
import type { Draft } from '../block.ts'
import { sayingAsks, withoutAnswer } from '../facts/asked-once.ts'
import type { SiteFacts } from '../facts/facts.ts'
import { placeholderFor } from '../facts/name-placeholder.ts'
import { wholeSentences } from '../facts/whole-sentences.ts'
import { isFitToQuote } from '../snippets/fit-to-quote.ts'
import {
  hasLinkedList,
  line,
  sections,
  sortedPages,
  unreadLines,
  withLines,
  withLinkedLines,
} from './llms-lists.ts'

/**
 * An llms.txt of the pages that the scan has read, in their own words. A file that the site has stays, and gets what it
 * lacks: a title, a summary, a list of pages.
 */
export function llmsBlock(site: Site, home: Page, facts: SiteFacts): Draft | undefined {
  const name = facts.name ?? placeholderFor(nounOf(kindOfSite(site)))
  const [document] = documentsOf(site.capture, 'llms')
  const isText = document?.state === 'present' && !document.answer.isCut
  const own = isText ? document.answer.body.replace(/^\ufeff/, '').trim() : ''
  if (own.length > maxCharacters || !isFitToQuote(own)) return undefined
  const lines = own.split(/\r?\n/)
  const title = /^#\s+\S/.test(lines[0] ?? '') ? lines.shift() : `# ${shown(name, 200)}`
  const written = lines.join('\n').trim()
  const rest = hasLinkedList(written) ? written : withLinkedLines(written, site)
  const hasSummary = /^>\s?\S/m.test(rest)
  const summary = hasSummary || facts.description === undefined ? '' : wholeSentences(facts.description)
  const isAsked = !hasSummary && summary === ''
  const textWith = (line: string) =>
    `${[
      title,
      ...(line === '' ? [] : [`> ${line}`]),
      ...(rest === '' ? [] : [hasLinkedList(rest) ? withMainPages(rest, site, home) : rest]),
      ...(hasLinkedList(rest) ? [] : sections(site, home)),
    ].join('\n\n')}\n`
  const text = textWith(summary)
  return {
    block: {
      kind: 'llms.txt',
      where: `${
        own === ''
          ? `Save it as ${site.origin}/llms.txt, as plain text.${rootNote(site)}`
          : `Put it in place of what ${site.origin}/llms.txt holds now, as plain text. What you have written there stays.`
      } A page that visitors look for and that it lacks, or one that is added later, gets a line of the same form.${isAsked ? withoutAnswer : ''}`,
      text,
      ...(summary !== '' && { says: [`in the guide for assistants: “${shownInQuotes(summary, 300)}”`] }),
      missing: [
        ...(isAsked ? [sayingAsks.newGuide] : []),
        ...(summary !== '' && facts.isDescriptionGuessed ? [sayingAsks.guide] : []),
      ],
    },
    title: `${own === '' ? 'Publish' : 'Complete'} llms.txt, a short guide to your pages for assistants.`,
    why: `${
      site.pages.length === 1
        ? 'From a file llms.txt an assistant learns in plain text what you offer.'
        : 'An assistant that reads a file llms.txt finds the right page at once.'
    }${own === '' ? ' A site without it loses nothing; one that has it passes more checks.' : ''}`,
    // The owner writes the line that is asked for, and without it nothing is published.
    pasted: { llms: isAsked ? textWith(sayingAsks.newGuide) : text },
    aims: [
      'core-snapshot/llms-sane',
      'agent-files/llms-present',
      'agent-files/llms-structure',
      'agent-files/llms-coverage',
    ],
  }
}

const maxCharacters = 20_000

/** A guide need not name all pages. Where it leaves out most of those in the menu, it gets those that were read. */
function withMainPages(text: string, site: Site, home: Page): string {
  const url = `${site.origin}/llms.txt`
  const { result } = judgeCoverage(site, { url, text, isCut: false })
  if (result !== 'fail' && result !== 'warn') return text
  const named = new Set([...markdownLinks(text, url), ...bareAddresses(text)].map(addressKey))
  const menu = new Set([
    ...home.links.flatMap(({ url: to, isNavigation }) => (isNavigation ? [addressKey(to)] : [])),
    ...mainPages(site).map(addressKey),
  ])
  const missing = sortedPages(site, home).main.filter(({ url: page }) => {
    const key = addressKey(page)
    return !named.has(key) && (menu.size === 0 || menu.has(key))
  })
  const unread = unreadLines(site, home).filter((one) =>
    markdownLinks(one, url).every((target) => !named.has(addressKey(target))),
  )
  return withLines(text, [...missing.map((page) => line(page, site)), ...unread].slice(0, 60))
}
