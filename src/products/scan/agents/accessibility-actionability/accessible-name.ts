import { attributeOf, hasAttribute, type PageElement, spokenText } from '../../site/html/elements.ts'
import { type Element, elementBefore, isElement } from '../../site/html/visible-text.ts'
import type { Page } from '../../site/site.ts'

/**
 * Computes the names of controls in the accessibility tree: the static part of
 * https://www.w3.org/TR/accname-1.2/. Agents see a control by this name and not by its looks; they cannot
 * use a button that has an icon and no name.
 */
export interface Names {
  /** The name of a button or link, which its content may give. */
  ofControl: (element: Element) => string
  /** The name of a form field, which its label may give. */
  ofField: (field: PageElement) => string
  /** The text of a label that stands before a field and is tied to nothing. People read it, and programs do not. */
  untied: (field: PageElement) => string
}

export function namesOn(page: Page): Names {
  const byId = new Map<string, Element>()
  const labels = new Map<string, Element>()
  for (const { node, name } of page.elements) {
    const id = attributeOf(node, 'id')
    if (id !== '' && !byId.has(id)) byId.set(id, node)
    const target = name === 'label' ? attributeOf(node, 'for') : ''
    if (target !== '' && !labels.has(target)) labels.set(target, node)
  }
  const given = (element: Element) =>
    referredText(attributeOf(element, 'aria-labelledby'), byId) || attributeOf(element, 'aria-label')
  return {
    ofControl: (element) => given(element) || ownName(element) || attributeOf(element, 'title'),
    ofField: ({ node, label }) => {
      const labelled = labels.get(attributeOf(node, 'id'))
      return (
        given(node) ||
        (labelled ? sayingMore(nameOfLabel(labelled)) : '') ||
        (label ? sayingMore(spokenText(label)) : '') ||
        attributeOf(node, 'title') ||
        // Browsers name a field by its placeholder when nothing else does (HTML-AAM 1.0, 4.1).
        attributeOf(node, 'placeholder') ||
        attributeOf(node, 'aria-placeholder')
      )
    },
    untied: ({ node, label }) => {
      const isTied = label !== undefined || labels.has(attributeOf(node, 'id')) || given(node) !== ''
      const before = isTied ? undefined : elementBefore(node)
      return before?.name === 'label' && attributeOf(before, 'for') === '' && !holdsField(before)
        ? spokenText(before)
        : ''
    },
  }
}

/** The label of another field is around that one. A star for "required" may have an element of its own. */
function holdsField({ children }: Element): boolean {
  return children.some(
    (child) =>
      isElement(child) &&
      (/^(?:input|select|textarea|button)$/.test(child.name) || child.children.some(isElement)),
  )
}

/** A label of a picture alone has its name in an attribute, as a switch between light and dark. */
function nameOfLabel(label: Element): string {
  return spokenText(label) || attributeOf(label, 'aria-label') || attributeOf(label, 'title')
}

/** "Campo requerido" as the label of each field, where a template says no more, names none of them. */
function sayingMore(label: string): string {
  return onlyRequired.test(label) ? '' : label
}

const onlyRequired =
  /^[\s(*]{0,9}(?:(?:this )?(?:field (?:is )?)?(?:required|mandatory)(?: field)?|(?:campo |este campo es )?(?:requerido|obligatorio|obrigatório|obbligatorio|richiesto)|pflichtfeld|(?:champ )?(?:obligatoire|requis)|verplicht(?: veld)?|obligatoriskt?(?: fält| felt)?|(?:pole )?wymagane|zorunlu(?: alan)?|обязательное поле|حقل مطلوب|必須|필수|必填)[\s)*:.!]{0,9}$/iu

function referredText(ids: string, byId: ReadonlyMap<string, Element>): string {
  return ids
    .split(/\s+/)
    .slice(0, 10)
    .map((id) => {
      const element = byId.get(id)
      return element ? spokenText(element) || attributeOf(element, 'aria-label') : ''
    })
    .join(' ')
    .trim()
}

function ownName(element: Element): string {
  if (element.name !== 'input') return spokenText(element)
  const type = attributeOf(element, 'type').toLowerCase()
  if (type === 'image') return attributeOf(element, 'alt') || attributeOf(element, 'value')
  // Browsers label these "Submit" and "Reset" themselves unless the page sets a value.
  if (!hasAttribute(element, 'value') && (type === 'submit' || type === 'reset')) return type
  return attributeOf(element, 'value')
}
