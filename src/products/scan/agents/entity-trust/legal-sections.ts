import type { Evidence } from '../../findings/check.ts'
import { addressKey, shown } from '../../site/addresses.ts'
import { attributeOf, spokenText } from '../../site/html/elements.ts'
import { around, type Element, isElement, textWithin } from '../../site/html/visible-text.ts'
import { countWords, splitCamelCase } from '../../site/html/words.ts'
import { isPathPartOfKind, isTextOfKind } from '../../site/kinds/kind-phrases.ts'
import { noticeKinds } from '../../site/kinds/page-kinds.ts'
import type { Page, Site } from '../../site/site.ts'

type LegalKind = (typeof noticeKinds)[number]

/**
 * The part of a page that a link such as "Legal" to `/#legal` leads to, if a heading or a summary in it names the kind.
 * A site of one page has its privacy notice, terms and imprint there, one below the other.
 */
export function legalSection(site: Site, kind: LegalKind): Evidence | undefined {
  const targets = new Set(site.pages.flatMap(legalAnchors))
  if (targets.size === 0) return undefined
  for (const page of site.pages) {
    const sections = new Set<Element>()
    for (const { node, isHidden } of page.elements) {
      const id = attributeOf(node, 'id')
      if (!isHidden && id !== '' && targets.has(`${addressKey(page.url)}#${id}`)) sections.add(node)
    }
    if (sections.size === 0) continue
    const title = page.elements.find(
      ({ name, node, isHidden }) =>
        !isHidden &&
        /^(?:h[1-6]|summary)$/.test(name) &&
        isTitleOf(spokenText(node, 50), kind) &&
        around(node).some((outer) => sections.has(outer)),
    )
    if (title) {
      const word = title.name === 'summary' ? 'summary' : 'heading'
      return { url: page.url, value: `${word} "${shown(spokenText(title.node, 50), 80)}"` }
    }
  }
  return undefined
}

/** A notice in a dialog that a script opens: hidden in the HTML, and a visitor reads it after one click. */
export function legalDialog(site: Site, kind: LegalKind): Evidence | undefined {
  for (const page of site.pages) {
    const dialog = page.elements.find(
      ({ node, isHidden }) =>
        isHidden &&
        isPathPartOfKind(dialogName(attributeOf(node, 'id').slice(0, 60)), kind) &&
        countWords(textWithin(node.children.filter(isElement))) >= minDialogWords,
    )
    if (dialog) return { url: page.url, value: `dialog "${shown(attributeOf(dialog.node, 'id'), 60)}"` }
  }
  return undefined
}

/** A single sentence asks for consent, and is no notice. */
const minDialogWords = 50

/** "privacy" of "privacyModal". */
function dialogName(id: string): string {
  return splitCamelCase(id, '-')
    .replaceAll('_', '-')
    .toLowerCase()
    .replace(/-?(?:modal|dialog|popup|overlay|lightbox)(?:-|$)/, '')
}

/** A link that bears the name of the kind and has no address: that of a template that was not filled in. */
export function deadLink(site: Site, kind: LegalKind): Evidence | undefined {
  for (const page of site.pages) {
    const link = page.elements.find(
      ({ name, node, isHidden }) =>
        name === 'a' &&
        !isHidden &&
        /^(?:#|javascript:.*)?$/i.test(attributeOf(node, 'href').slice(0, 100)) &&
        isTextOfKind(spokenText(node, 50), kind),
    )
    if (link)
      return { url: page.url, value: `link "${shown(spokenText(link.node, 50), 80)}" without an address` }
  }
  return undefined
}

/** The addresses with fragments that the page links as legal. */
function legalAnchors(page: Page): readonly string[] {
  return page.elements.flatMap(({ name, node }) => {
    const href = name === 'a' ? attributeOf(node, 'href').slice(0, 500) : ''
    if (!href.includes('#')) return []
    const url = URL.parse(href, page.url)
    if (url === null || url.hash.length < 2) return []
    const text = spokenText(node, 50)
    if (!noticeKinds.some((kind) => isTextOfKind(text, kind)) && !legalPart.test(url.hash)) return []
    return [`${addressKey(url.href.replace(/#.*$/s, ''))}${url.hash}`]
  })
}

/** What parts of a page with terms are called, whatever the menu says of them. */
const legalPart =
  /^#(?:licen[cs]e|licensing|terms|legal|conditions|refunds?|returns|agb|cgv|cgu|impressum|imprint|privacy|datenschutz)$/i

/** One of the subjects of a heading such as "Licence · updates · refunds". */
function isTitleOf(title: string, kind: LegalKind): boolean {
  return [title, ...title.slice(0, 200).split(/\s*[·•|/,&]\s*/)].some(
    (part) => isTextOfKind(part, kind) || (kind === 'terms' && conditions.test(part)),
  )
}

const conditions = /^(?:licen[cs]e|licen[cs]ing|licence terms|refunds?|refund policy|returns)$/i
