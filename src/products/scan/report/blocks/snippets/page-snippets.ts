import type { Block } from '../../../findings/results.ts'
import { listed } from '../../../findings/share.ts'
import { isSampleName } from '../../../signals/generic-titles.ts'
import { siteLanguage } from '../../../signals/page-language.ts'
import { kindOfSite, nounOf } from '../../../signals/site-kind/site-kind.ts'
import { shown, shownInQuotes } from '../../../site/addresses.ts'
import { atBottomOf } from '../../../site/contact/footers.ts'
import { inMenuOf } from '../../../site/contact/menus.ts'
import { hasEmptyMeta, metaOf } from '../../../site/html/elements.ts'
import { askedName } from '../facts/asked-name.ts'
import { previewAsks } from '../facts/asked-once.ts'
import { placeholderFor } from '../facts/name-placeholder.ts'
import {
  betterPictureAsk,
  meta,
  missingPreview,
  previewOf,
  shownPicture,
  takenPicture,
} from '../head-block.ts'
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
  ['crawl-access/canonical', canonicalLine],
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

function contactLinks({ site, facts, change }: SnippetParts): Block | undefined {
  // A number that is there and wrong is replaced where it stands.
  if (change.fix.startsWith('Write ')) return undefined
  const { telephone, email } = facts
  const lines = [
    ...(telephone === undefined
      ? []
      : [`<a href="tel:${telephone.replace(/[^\d+]/g, '')}">${escaped(telephone)}</a>`]),
    ...(email === undefined ? [] : [`<a href="mailto:${escaped(email)}">${escaped(email)}</a>`]),
  ]
  return lines.length === 0 ? undefined : html(`Put it ${atBottomOf(site)}.`, lines)
}

/** Of a site that has no https yet. Of another one the line stands among those for the head. */
function canonicalLine({ site, change }: SnippetParts): Block | undefined {
  const { home } = site
  const [, address = ''] =
    / of the kind "canonical" that names (https:\S+) to the head of http:/.exec(change.fix) ?? []
  return home === undefined || address === ''
    ? undefined
    : html(`Paste it into the head of ${shown(home.url)}, once the site is served over https.`, [
        `<link rel="canonical" href="${escaped(address)}">`,
      ])
}

/** The lines of a preview for which the page has the words. The message asks for the other ones. */
function preview({ site, facts, change }: SnippetParts): Block | undefined {
  const { home } = site
  if (home === undefined) return undefined
  // Another step may bring a part, and then the fix no longer asks for it.
  const [, added = ''] = /^Add (.+?) as /.exec(change.fix) ?? []
  const [given = ''] = / Let .+ which a separate message brings\./.exec(change.fix) ?? []
  const isAsked = (name: string) => added.includes(name) && metaOf(home, name) === ''
  const values = previewOf(home, facts, site)
  const lines = missingPreview(
    home,
    Object.fromEntries(Object.entries(values).filter(([name]) => isAsked(name))),
  )
  if (lines.length === 0) return undefined
  const open = previewNames.filter((name) => isAsked(name) && values[name] === undefined)
  const isPictureChosen =
    shownPicture(home, facts) === undefined && lines.some((line) => line.includes('"og:image"'))
  const isDescribed = open.includes('og:description') && change.fix.includes('as the description of the page')
  const empty = lines
    .flatMap((line) => /property="(og:\w+)"/.exec(line)?.[1] ?? [])
    .filter((name) => hasEmptyMeta(home, name))
  return {
    ...html(
      [
        `Paste it into the head of ${shown(home.url)}.`,
        ...(isPictureChosen ? [takenPicture] : []),
        ...(empty.length === 0 ? [] : [`Take out what stands there and is empty: ${listed(empty)}.`]),
        ...(open.length === 0
          ? []
          : [
              `Add ${listed(open)} in the same way, with what the answers say.${open.some((name) => hasEmptyMeta(home, name)) ? ' A line that is there and empty is filled in.' : ''}${isDescribed ? ' The sentences become the description of the page as well.' : ''}`,
            ]),
        ...(given === '' ? [] : [given.trim()]),
      ].join(' '),
      lines,
    ),
    ...(isPictureChosen && { says: [`picture in previews: ${shown(values['og:image'] ?? '', 200)}`] }),
    missing: [...open.map((name) => previewAsks[name]), ...(isPictureChosen ? [betterPictureAsk] : [])],
  }
}

const previewNames = ['og:title', 'og:description', 'og:image'] as const

/** A title is never replaced: most hold more than the name, and engines show them. */
function oneName({ site, facts, change }: SnippetParts): Block | undefined {
  const { home } = site
  const [, rival] = facts.conflicts.name ?? []
  const known = facts.name ?? (rival && placeholderFor(nounOf(kindOfSite(site))))
  if (home === undefined || known === undefined || metaOf(home, 'og:site_name') !== '') return undefined
  const asked = / into (.+) of https?:/.exec(change.fix)?.[1] ?? ''
  const others = asked.split(/, | and /).filter((place) => place !== '' && !/title|og:site_name/.test(place))
  const asksName = rival === undefined ? askedName(home, known) : undefined
  const name = shownInQuotes(known)
  const block = html(
    [
      `Paste it into the head of ${shown(home.url)}.`,
      /the title/.test(asked)
        ? isSampleName(home.title)
          ? `Write “${name}” into the title, in place of “${shownInQuotes(home.title, 60)}”.`
          : `Write “${name}” into the title as well, and keep what else stands there.`
        : rival === undefined
          ? 'Leave the title and all other lines as they are.'
          : `Does the title have another name? Then write “${name}” in its place.`,
      ...(others.length === 0
        ? []
        : [
            `Write “${name}” in the same way into ${others.join(' and ')}.${others.includes('the last line') ? ' If the page ends with a footer or a copyright line, write it there. Otherwise add it as a line of its own at the end.' : ''}`,
          ]),
      ...(rival === undefined
        ? []
        : [
            `Write it on each page that has another one, too: ${shown(rival.url)} has “${shownInQuotes(rival.value, 60)}”.`,
          ]),
    ].join(' '),
    [meta('property', 'og:site_name', known)],
  )
  return asksName === undefined ? block : { ...block, missing: [`${asksName}. It takes its place here`] }
}

/** A year in a block would be wrong again after the next one, and a script that writes it has to fit the template. */
function footerYear({ site, change }: SnippetParts): Block | undefined {
  const year = /\d{4}/.exec(change.evidence[0]?.value ?? '')?.[0]
  const line = year === undefined ? undefined : lineWith(year, site.home?.lines ?? [])
  // A line with quotation marks of its own is told in words, which they cannot end.
  if (year === undefined || line === undefined || line !== shownInQuotes(line, 200)) return undefined
  return html(
    `On every page that has it, take the year out of the line “${line}”. Keep all else in it, also its links. It then reads as below, and never grows old. A program can write the year there instead. A name that another step writes into the line stays.`,
    [escaped(withoutYear(line, year))],
  )
}

function lineWith(year: string, lines: readonly string[]): string | undefined {
  return lines.findLast(
    (line) => line.includes(year) && line.length <= 200 && /©|\(c\)|copyright|reserv|vorbehalten/i.test(line),
  )
}

/** "Copyright Lind" of "Copyright Lind 2019", and "© Lind" of "© 2011–2019 Lind". */
function withoutYear(line: string, year: string): string {
  return line
    .replace(new RegExp(`(?:\\d{4}\\s?[-–—]\\s?)?${year}`), '')
    .replace(/\s{2,}/g, ' ')
    .replace(/\s+(?=[.,;])|[\s,]+$/g, '')
    .replace(/(©|\(c\)|copyright),/i, '$1')
    .trim()
}

/** Without a fact of the site it would be an empty form, in a language that the reader may not know. */
function questions({ site, facts, change }: SnippetParts): Block | undefined {
  // The questions stand there, and only their answers are too short or too long.
  if (change.work?.kind === 'other-answers') return undefined
  const page = /\bnew page\b/.test(change.fix) ? undefined : pageNamedIn(change.fix)
  const lines = questionLines(siteLanguage(site), facts)
  if (lines.length === 0) return undefined
  const section = change.work?.kind === 'more-questions' ? `below “${change.work.heading}” ` : ''
  const tag = section === '' ? 'h2' : 'h3'
  return html(
    `Begin with ${lines.length === 1 ? 'this one' : 'these'}, ${section}on ${page ?? `a new page ${inMenuOf(site)}`}. Write your other questions and answers in the same form. ${written}`,
    lines.flatMap(({ question, answer }) => [
      `<${tag}>${escaped(question)}</${tag}>`,
      `<p>${escaped(answer)}</p>`,
    ]),
  )
}
