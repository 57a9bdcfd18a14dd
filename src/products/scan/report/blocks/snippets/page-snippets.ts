import type { Block } from '../../../findings/results.ts'
import { siteLanguage } from '../../../signals/page-language.ts'
import { shown } from '../../../site/addresses.ts'
import { metaOf } from '../../../site/html/elements.ts'
import { imageOf } from '../facts/facts.ts'
import { meta } from '../head-block.ts'
import { escaped } from './escaped.ts'
import { pageNamedIn } from './hand-on-block.ts'
import { questionLines } from './question-lines.ts'
import type { Snippet, SnippetParts } from './snippet.ts'

/**
 * Lines of HTML that are added to pages. No snippet stands in place of lines that a page has: the scan quotes elements in
 * short, so a rewritten one would lose its class, its alternative text or its end, and with that the layout or the form.
 * Changes of what is there are handed on in words.
 */
export const pageSnippets: readonly (readonly [id: string, make: Snippet])[] = [
  ['core-snapshot/contact-path', contactLinks],
  ['structured-data/open-graph', preview],
  ['entity-trust/brand-name', oneName],
  ['freshness-index/footer-year', footerYear],
  ['workflow-automation/faq', questions],
  ['workflow-automation/support', questions],
  ['content-answerability/question-blocks', questions],
]

function html(where: string, lines: readonly string[]): Block {
  return { kind: 'html', where, text: `${lines.join('\n')}\n`, missing: [] }
}

const written = 'Write your own words where capital letters stand.'

function contactLinks({ site, facts }: SnippetParts): Block | undefined {
  const { telephone, email } = facts
  const lines = [
    ...(telephone === undefined
      ? []
      : [`<a href="tel:${telephone.replace(/[^\d+]/g, '')}">${escaped(telephone)}</a>`]),
    ...(email === undefined ? [] : [`<a href="mailto:${escaped(email)}">${escaped(email)}</a>`]),
  ]
  return lines.length === 0 ? undefined : html(`Put it into the footer of ${site.origin}/.`, lines)
}

function preview({ site, facts }: SnippetParts): Block | undefined {
  const { home } = site
  const image = home === undefined ? undefined : (facts.image ?? imageOf(home))
  if (home === undefined || image === undefined || metaOf(home, 'og:image') !== '') return undefined
  return html(
    `Paste it into the head of ${shown(home.url)}. The picture is the first of the page. Name another one if it fits better.`,
    [meta('property', 'og:image', image)],
  )
}

/** A title is never replaced: most hold more than the name, and engines show them. */
function oneName({ site, facts }: SnippetParts): Block | undefined {
  const { home } = site
  if (home === undefined || facts.name === undefined || metaOf(home, 'og:site_name') !== '') return undefined
  return html(
    `Paste it into the head of ${shown(home.url)}. Leave the title and all other lines as they are. Write the name in the same way into the other places that this step names.`,
    [meta('property', 'og:site_name', facts.name)],
  )
}

/** A year in a block would be wrong again after the next one, and a script that writes it has to fit the template. */
function footerYear({ facts, change }: SnippetParts): Block | undefined {
  const old = change.evidence[0]?.value
  if (facts.name === undefined || old === undefined) return undefined
  return html(
    `Put this in place of the line with “${old}” that you have in the footer of all pages. Without a year it never grows old. Whoever looks after your website can let a program write the year there instead.`,
    [`© ${escaped(facts.name)}`],
  )
}

/** Without a fact of the site it would be an empty form, in a language that the reader may not know. */
function questions({ site, facts, change }: SnippetParts): Block | undefined {
  const page = pageNamedIn(change.fix)
  const lines = questionLines(siteLanguage(site), facts)
  if (lines.length === 0) return undefined
  return html(
    `Begin with these, on ${page ?? 'a page of its own with a link in the menu'}. Write your other questions and answers in the same form. ${written}`,
    lines.flatMap(({ question, answer }) => [`<h2>${escaped(question)}</h2>`, `<p>${escaped(answer)}</p>`]),
  )
}
