import { fail, notApplicable, type Outcome, pass } from '../../findings/check.ts'
import { goneImagesOf } from '../../findings/dead-ends/gone-pictures.ts'
import { andTheRest, counted, maxPlaces } from '../../findings/share.ts'
import { isOnComputer, shown } from '../../site/addresses.ts'
import { attributeOf, hasAttribute, type PageElement, spokenText } from '../../site/html/elements.ts'
import { isTrap } from '../../site/html/fields/trap-fields.ts'
import { saysSomething } from '../../site/html/pictures/alternatives.ts'
import { isElement } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'
import { namesOn } from './accessible-name.ts'
import { markupOf } from './markup.ts'

/**
 * The checks of names in the accessibility tree: labels of fields and alternative texts. Each
 * requires a share of all elements of its kind.
 */
export function judgeLabels(pages: readonly Page[]): Outcome {
  return judgeRatio(pages, {
    applies: (field) => !isToggle(field) && isAsked(field) && !isTrap(field),
    isGood: (page) => {
      const names = namesOn(page)
      return (field) => names.ofField(field) !== '' && names.untied(field) === ''
    },
    minPercent: 95,
    none: 'No page that was read shows a field to fill in.',
    noun: 'form field',
    good: 'a label that is tied to it, or a placeholder where no label stands',
    loss: 'Words that only stand beside a field are not tied to it, so an agent cannot tell what belongs into the field.',
    fix: (first) =>
      `Tie ${first} to its label: give the label a for with the id of the field. If the field has no id, give it one. Where there is no label, or one that shows an icon alone, give the field an aria-label.`,
    lacking: 'field',
  })
}

/** Visitors copy from a read-only or disabled field, and write nothing into it. */
function isAsked({ name, node, form }: PageElement): boolean {
  if (hasAttribute(node, 'readonly') || hasAttribute(node, 'disabled')) return false
  // One with a text in it, outside of forms, only shows it.
  if (name === 'textarea') return form !== undefined || textLength(node) < 200
  if (name === 'select') return true
  return name === 'input' && !unfilled.has(attributeOf(node, 'type').toLowerCase())
}

function textLength({ children }: PageElement['node']): number {
  return children.reduce((sum, child) => sum + ('data' in child ? child.data.length : 0), 0)
}

/**
 * A box without a name, or called a toggle, outside of forms: a style sheet opens a menu by it, and nothing is sent. The
 * pictures of a slide show are switched by radio buttons, which need a common name.
 */
function isToggle({ name, node, form }: PageElement): boolean {
  const type = attributeOf(node, 'type').toLowerCase()
  return (
    name === 'input' &&
    (type === 'radio' || (type === 'checkbox' && (attributeOf(node, 'name') === '' || isSwitch(node)))) &&
    form === undefined &&
    attributeOf(node, 'value') === ''
  )
}

function isSwitch(node: PageElement['node']): boolean {
  return /(?:^|[_-])(?:toggle|toggler|switch)(?:$|[_-])/i.test(attributeOf(node, 'id'))
}

const unfilled: ReadonlySet<string> = new Set(['hidden', 'submit', 'button', 'reset', 'image'])

export function judgeAlternatives(pages: readonly Page[], site: Site): Outcome {
  const copied = copiedWords(pages)
  const gone = goneImagesOf(site)
  return judgeRatio(pages, {
    applies: ({ name, node }) =>
      (name === 'img' && isPicture(node) && !isDecoration(node.attribs) && !gone.has(node)) ||
      isNamedDrawing(name, node),
    isGood:
      () =>
      ({ name, node }) =>
        (saysSomething(node) && !(isPhoto(node) && copied.has(wordOf(node)))) ||
        attributeOf(node, 'aria-label') !== '' ||
        isNamedDrawing(name, node),
    minPercent: 90,
    none:
      gone.size === 0
        ? 'No page that was read has an image that is more than decoration.'
        : 'No image that is there is more than decoration.',
    noun: 'content image',
    good: 'alternative text',
    loss: `To programs that read, the others are blank, bear the name of a file or a program, or say no more than “image”${copied.size > 0 ? ' or a word that many pictures share' : ''}.`,
    fix: (first) =>
      `Say in the alt attribute of ${first} what it shows, or where the link leads if nothing else stands in that. alt="" is right for mere decoration alone.`,
    lacking: 'picture',
  })
}

/**
 * The single words that are the alternative text of many pictures: `alt="da"` on each photo of a gallery tells them apart no
 * better than none. Files are counted, because one picture may stand on each page.
 */
function copiedWords(pages: readonly Page[]): ReadonlySet<string> {
  const files = new Map<string, Set<string>>()
  for (const { elements } of pages)
    for (const { name, node, isHidden } of elements) {
      const word = name === 'img' && !isHidden && isPhoto(node) ? wordOf(node) : ''
      if (word === '') continue
      const own = files.get(word) ?? new Set<string>()
      files.set(word, own.add(attributeOf(node, 'src').slice(0, 500)))
    }
  return new Set([...files].flatMap(([word, own]) => (own.size > 5 ? [word] : [])))
}

/** The alternative text if it is one word. An icon or a logo needs no more. */
function wordOf(node: PageElement['node']): string {
  const alt = attributeOf(node, 'alt').trim().toLowerCase()
  return /^\p{L}[\p{L}\p{M}'’-]{0,24}$/u.test(alt) && !/icon|logo|star|check|arrow|quote|avatar/.test(alt)
    ? alt
    : ''
}

/** Judged by its file and its size: drawings and small pictures are icons. */
function isPhoto({ attribs }: PageElement['node']): boolean {
  const sides = [attribs.width, attribs.height].map((side) => Number.parseInt(side ?? '', 10))
  return (
    /\.(?:jpe?g|png|webp|avif)(?:$|[?#])/i.test((attribs.src ?? '').slice(0, 500)) &&
    !/icon|logo/i.test((attribs.src ?? '').slice(0, 500)) &&
    !sides.some((side) => side <= 64)
  )
}

/** A picture drawn in the page that says what it shows. */
function isNamedDrawing(name: string, node: PageElement['node']): boolean {
  return (
    name === 'svg' &&
    attributeOf(node, 'role') === 'img' &&
    (attributeOf(node, 'aria-label') !== '' ||
      node.children.some((child) => isElement(child) && child.name === 'title' && spokenText(child) !== ''))
  )
}

/** The box in which a script shows a picture later has no picture yet. */
function isPicture({ attribs, parent }: PageElement['node']): boolean {
  // No visitor sees a file on the author's computer, and the check of pictures reports its address.
  if (isOnComputer(attribs.src ?? '')) return false
  const isLoaded = Object.entries(attribs).some(
    ([name, value]) => value.trim() !== '' && /src|data-(?:original|lazy|image|bg)/i.test(name),
  )
  return isLoaded || (parent !== null && 'name' in parent && parent.name === 'picture')
}

function isDecoration(attribs: Readonly<Record<string, string>>): boolean {
  const isTiny = [attribs.width, attribs.height].some((size) => size === '0' || size === '1')
  // What can be clicked decorates nothing.
  const isEmpty = attribs.alt?.trim() === '' && attribs.onclick === undefined
  return isEmpty || ['presentation', 'none'].includes(attribs.role ?? '') || isTiny
}

interface Ratio {
  readonly applies: (element: PageElement) => boolean
  /** Called once for each page. */
  readonly isGood: (page: Page) => (element: PageElement) => boolean
  /** Percent. */
  readonly minPercent: number
  readonly none: string
  readonly noun: string
  readonly good: string
  readonly loss: string
  readonly fix: (first: string) => string
  /** One of the others, as its owner calls it. */
  readonly lacking: string
}

/** Judges the share of elements of one kind, counted over all pages, that have what they should have. */
function judgeRatio(pages: readonly Page[], ratio: Ratio): Outcome {
  let all = 0
  let good = 0
  const bad: { page: Page; element: PageElement }[] = []
  for (const page of pages) {
    const isGood = ratio.isGood(page)
    for (const element of page.elements) {
      if (element.isHidden || !ratio.applies(element)) continue
      all += 1
      if (isGood(element)) good += 1
      else bad.push({ page, element })
    }
  }
  if (all === 0) return notApplicable(ratio.none)
  const noun = all === 1 ? ratio.noun : `${ratio.noun}s`
  const statement = `${good} of ${all} ${noun} ${all === 1 || good === 1 ? 'has' : 'have'} ${ratio.good}`
  const [first] = bad
  const evidence = bad
    .slice(0, maxPlaces)
    .map(({ page, element }) => ({ url: page.url, value: markupOf(element) }))
  if (good * 100 >= all * ratio.minPercent || first === undefined) {
    return pass(
      `${statement}.`,
      { url: pages[0]?.url ?? '', value: `${statement} on ${counted(pages.length, 'page')}` },
      ...evidence.slice(0, 4),
    )
  }
  return fail(
    `${statement}; at least ${ratio.minPercent} % should. ${ratio.loss}`,
    ratio.fix(`${markupOf(first.element)} on ${shown(first.page.url)}`) +
      andTheRest(bad.length - 1, ratio.lacking),
    ...evidence,
  )
}
