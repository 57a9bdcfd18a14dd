import { fail, notApplicable, type Outcome, pass, unmeasured } from '../../findings/check.ts'
import { counted } from '../../findings/share.ts'
import { shown } from '../../site/addresses.ts'
import { repliesFor } from '../../site/capture.ts'
import { wordsOf } from '../../site/html/words.ts'
import type { Page, Site } from '../../site/site.ts'
import { announcementOf, type Markdown, markdownOf, pageKey, twinsOf } from './markdown-twins.ts'

/**
 * Judges whether Markdown copies hold the text of their pages. An agent that reads the copy never sees the
 * page, so it misses what the copy leaves out, and an open code fence turns the rest into code.
 */
export function judgeParity(site: Site): Outcome {
  const pairs = pairsOf(site)
  if (pairs.length === 0) {
    const twins = twinsOf(site.capture)
    return twins.length > 0 && twins.every(({ state }) => state !== 'good' && state !== 'unseen')
      ? notApplicable('There is no markdown copy to compare with its page.')
      : unmeasured('No markdown copy was seen together with its page.')
  }
  const compared = pairs.flatMap(compare).filter((one) => !isOtherDocument(one))
  if (compared.length === 0)
    return unmeasured('The copies or their pages were cut, or too short to be compared.')
  const evidence = compared.slice(0, 5).map(({ url, matched, all, isOpen }) => ({
    url,
    value: `${matched} of ${counted(all, 'word')} of the page (${share(matched, all)} %)${isOpen ? ', a code fence is left open' : ''}`,
  }))
  const short = compared.find(({ matched, all }) => matched * 100 < all * minPercent)
  const open = compared.find(({ isOpen }) => isOpen)
  if (short) {
    return fail(
      `The markdown copy holds ${short.matched} of the ${short.all} words of its page, less than ${minPercent} %. Agents that read it miss the rest.`,
      `Make the markdown at ${shown(short.url)} from the same text as the page.`,
      ...evidence,
    )
  }
  if (open) {
    return fail(
      'The markdown copy opens a code fence and never closes it, so agents read what follows as code.',
      `Close the last code fence in the markdown at ${shown(open.url)}.`,
      ...evidence,
    )
  }
  return pass(
    `The markdown of ${counted(compared.length, 'page')} holds at least ${minPercent} % of its words.`,
    ...evidence,
  )
}

const minPercent = 70
/** On shorter pages a few words of navigation would decide. */
const minWords = 20

interface Pair {
  readonly url: string
  readonly page: Page
  readonly markdown: Markdown
}

function pairsOf(site: Site): Pair[] {
  const { capture, home, pages } = site
  const announced = announcementOf(site)
  const negotiated = repliesFor(capture, 'home-markdown').flatMap((answer) => {
    const markdown = markdownOf(answer)
    return home && markdown ? [{ url: answer.url, page: home, markdown }] : []
  })
  const twins = twinsOf(capture).flatMap(({ url, key, markdown }) => {
    const announcedPage = announced?.target === url ? announced.page : undefined
    const page = announcedPage ?? pages.find((one) => pageKey(one.url) === key)
    return page && markdown ? [{ url, page, markdown }] : []
  })
  return [...negotiated, ...twins]
}

/** A page may name a file of short answers as its alternate. Under another name and with other words, it is no copy. */
function isOtherDocument({ url, page, matched, all, own }: Compared): boolean {
  return pageKey(url) !== pageKey(page.url) && matched * 2 < all && matched * 10 < own * 8
}

type Compared = ReturnType<typeof compare>[number]

function compare({ url, page, markdown }: Pair) {
  if (page.reply.isCut || markdown.isCut) return []
  const left = new Map<string, number>()
  const own = wordsOf(markdown.text)
  for (const word of own) left.set(word, (left.get(word) ?? 0) + 1)
  const words = wordsOf(page.mainText)
  if (words.length < minWords) return []
  let matched = 0
  for (const word of words) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    matched += 1
  }
  return [{ url, page, matched, all: words.length, own: own.length, isOpen: endsInFence(markdown.text) }]
}

/** A line closes a fence when it has the same character, is at least as long and holds nothing else. */
function endsInFence(markdown: string): boolean {
  let open = ''
  for (const line of markdown.split('\n')) {
    const [, fence = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line.slice(0, 1_000)) ?? []
    if (fence === '') continue
    if (open === '') {
      if (!(fence.startsWith('`') && rest.includes('`'))) open = fence
    } else if (fence[0] === open[0] && fence.length >= open.length && rest.trim() === '') open = ''
  }
  return open !== ''
}

function share(part: number, all: number): number {
  return Math.floor((part * 100) / all)
}
