import type { CheerioAPI } from 'cheerio'
import type { Page } from '../site.ts'
import { attributeOf } from './elements.ts'
import { type Element, isElement, textWithin } from './visible-text.ts'
import { countWords } from './words.ts'

/**
 * Opens the dialogs, folds and tabs that a control of the page opens. Builders mark them hidden until then; without this,
 * the rooms and prices of a guest house would count as not published, although every reader opens them with one click.
 */
export function openDialogs($: CheerioAPI): void {
  const targets = new Set(
    $(
      '[data-bs-target], [data-target], [aria-controls], a[href^="#"], [data-micromodal-trigger], [data-modal]',
    )
      .toArray()
      .slice(0, maxControls)
      .flatMap(({ attribs }) =>
        [
          attribs['data-bs-target'],
          attribs['data-target'],
          attribs['aria-controls'],
          attribs.href,
          attribs['data-micromodal-trigger'],
          attribs['data-modal'],
        ].flatMap((target) => target?.trim().replace(/^#/, '') || []),
      ),
  )
  for (const element of $('[aria-hidden="true"][id]').toArray().slice(0, maxControls))
    if (targets.has(element.attribs.id ?? '') && isDialog(element)) delete element.attribs['aria-hidden']
  // Bootstrap's own are closed by their class. A few words in one that no control names are its buttons: "Cite", "Copy".
  for (const element of $('.modal[id]:not(.show):not(.in)').toArray().slice(0, maxModals))
    if (
      !targets.has(element.attribs.id ?? '') &&
      isBootstraps(element) &&
      countWords(textWithin([element])) < minWords
    )
      element.attribs.hidden = ''
  const unfolded = new Set(
    $('[aria-expanded][aria-controls], [role="tab"][aria-controls]')
      .toArray()
      .slice(0, maxControls)
      .map(({ attribs }) => attribs['aria-controls']?.trim()),
  )
  for (const element of $('[hidden][id]').toArray().slice(0, maxControls))
    if (unfolded.has(element.attribs.id) && !isMenu(element)) delete element.attribs.hidden
}

const maxControls = 1_000
const maxModals = 100
const minWords = 100

function isBootstraps({ children }: Element): boolean {
  return children.some(
    (child) =>
      isElement(child) &&
      /(?:^|\s)modal-(?:dialog|content)(?:\s|$)/.test(attributeOf(child, 'class').slice(0, 300)),
  )
}

/** Not a menu, a search or a notice about cookies, which open in the same way and are no content. */
function isDialog({ attribs }: Element): boolean {
  const name = `${attribs.id ?? ''} ${attribs.class ?? ''} ${attribs.role ?? ''}`.slice(0, 400)
  return (
    /(?:^|[\s_-])(?:modal|dialog|popup|pop-up|lightbox|collapse|accordion|drawer|details)/i.test(name) &&
    !isMenu({ attribs })
  )
}

function isMenu({ attribs }: Pick<Element, 'attribs'>): boolean {
  return /menu|nav|search|cookie|consent|cart|login|newsletter|subscribe/i.test(
    `${attribs.id ?? ''} ${attribs.class ?? ''} ${attribs.role ?? ''}`.slice(0, 400),
  )
}

/** Whether a page hides a longer text that scripts may show: a dialog or a tab. */
export function hasClosedText({ $ }: Pick<Page, '$'>): boolean {
  return $('[hidden], [aria-hidden="true"], dialog, [style*="display"]')
    .toArray()
    .slice(0, 200)
    .some((element) => isClosed(element) && countWords(shownText(element)) >= minWords)
}

function isClosed(element: Element): boolean {
  return (
    element.name !== 'script' &&
    element.name !== 'svg' &&
    !/menu|nav|cookie|consent/i.test(
      `${attributeOf(element, 'id')} ${attributeOf(element, 'class')}`.slice(0, 400),
    )
  )
}

/** Its text as it is once it is open. */
function shownText({ children }: Element): string {
  return children
    .map((child) => (child.type === 'text' ? child.data : 'attribs' in child ? textWithin([child]) : ''))
    .join(' ')
}
