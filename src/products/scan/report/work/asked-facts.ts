import type { Work } from '../../findings/work.ts'
import { contactAsks } from '../blocks/facts/asked-once.ts'

interface Place {
  readonly value: string
}

/**
 * The facts that a change needs and that only the owner knows. They are asked for before the message is sent, because the
 * web person would have to ask for them, or would guess.
 * @param fix what the finding asks for
 * @param work the same in values, where the check tells them
 * @param evidence other faults that the message orders, such as "LocalBusiness without address"
 */
export function factsFor(fix: string, evidence: readonly Place[], work?: Work): string[] {
  const lacking = evidence.flatMap(({ value }) => / without ([^"<>]+)$/.exec(value)?.[1] ?? [])
  const [, added = ''] = /^Add (?!autocomplete=)(.+?) (?:to|as) /.exec(fix) ?? []
  const text = [added, fix.startsWith('Write your own number') ? 'telephone' : '', ...lacking].join(' ')
  return [
    ...facts.flatMap(({ pattern, ask }) => (pattern.test(text) ? [ask] : [])),
    ...(/^Correct image in /.test(fix)
      ? ['the picture, in the attachment, if its file cannot be found']
      : []),
    ...(fix.includes('Name another picture in og:image') ? [previewPicture] : []),
    ...(work?.kind === 'mark-dates' ? [dayOfArticles] : []),
    ...(work?.kind === 'left-open-text'
      ? ['what belongs where the template left a line open, as far as you know it']
      : []),
    ...(work?.kind === 'own-titles' && work.areSubjectsAsked
      ? ['what each page without a name behind it is about, in two to five words']
      : []),
    ...(work?.kind === 'empty-links'
      ? [
          `the address for each link that leads nowhere now${work.named.length === 0 ? '' : ` (${work.named.join(', ')})`}, or “take it out”`,
        ]
      : []),
    ...(fix.includes('Is there no such page?')
      ? [
          work?.kind === 'dead-links' && work.asked.length > 1
            ? `for each of the ${work.asked.length} addresses (${work.asked.slice(0, 5).join(', ')}${work.asked.length > 5 ? ' and others' : ''}): which page is meant, its text if there is none yet, or “take the link out”`
            : 'which page is meant, its text if there is none yet, or “take the link out”',
        ]
      : []),
  ]
}

const previewPicture =
  'a picture for the preview, in the attachment: about 1200 by 630 pixels, and one that you may publish'
const dayOfArticles = 'the day on which each article was published'

const facts: readonly { readonly pattern: RegExp; readonly ask: string }[] = [
  { pattern: /\bog:title\b/, ask: 'the title for the preview, in up to 70 characters' },
  { pattern: /\blogo\b/, ask: 'your logo, as a picture in the attachment' },
  {
    pattern: /\bog:description\b/,
    ask: 'one or two sentences of 50 to 170 characters on what you offer, and for whom',
  },
  {
    pattern: /\bog:image\b/,
    ask: previewPicture,
  },
  { pattern: /\baddress\b/, ask: contactAsks.street },
  { pattern: /\btelephone\b/, ask: contactAsks.phone },
  { pattern: /\bemail\b/, ask: contactAsks.pageMail },
  { pattern: /\bdatePublished\b/, ask: dayOfArticles },
  { pattern: /\bauthor\b/, ask: 'the author of each article' },
]
