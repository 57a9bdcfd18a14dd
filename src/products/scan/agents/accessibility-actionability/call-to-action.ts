import { attributeOf, type PageElement, spokenText } from '../../site/html/elements.ts'
import type { Page } from '../../site/site.ts'
import { startTag } from './markup.ts'

/** The next step a page asks for, and whether a program can take it. */
interface CallToAction {
  readonly text: string
  /** The start tag as in the page: `<a href="/book">`. */
  readonly markup: string
  readonly isOperable: boolean
}

/**
 * Finds the first element that is worded as a next step and looks like a control: a link, a button, or an
 * element that is styled or scripted as one. Navigation and footer count only when there is nothing else.
 */
export function findCallToAction(page: Page): CallToAction | undefined {
  const steps = page.elements.filter(
    (element) => !element.isHidden && isControl(element) && isStep(textOf(element)),
  )
  const step = steps.find(({ region }) => region !== 'nav' && region !== 'footer') ?? steps[0]
  if (step === undefined) return undefined
  const markup = startTag(step.node, ['href', 'type', 'class', 'onclick'], { maxLength: 40 })
  return { text: textOf(step), markup, isOperable: isOperable(step) }
}

function isControl(element: PageElement): boolean {
  const { name, node } = element
  if (name === 'a' || name === 'button') return true
  if (name === 'input') return isButtonInput(element)
  if (!/^(?:div|span|p|li|td|label)$/.test(name)) return false
  const classes = attributeOf(node, 'class').slice(0, 500)
  const isStyled = /(?:^|[\s_-])(?:btn|button|cta)(?:$|[\s_-])/i.test(classes)
  const isScripted = node.attribs.onclick !== undefined || attributeOf(node, 'role') === 'button'
  return (isStyled || isScripted) && !holdsControl(element)
}

/** A box around a real button is not the control. */
function holdsControl({ node }: PageElement): boolean {
  const stack = [...node.children]
  for (let count = 0; count < 200; count++) {
    const child = stack.pop()
    if (child === undefined) return false
    if (!('attribs' in child)) continue
    if (child.name === 'a' || child.name === 'button' || child.name === 'input') return true
    stack.push(...child.children)
  }
  return false
}

function isButtonInput({ node }: PageElement): boolean {
  return /^(?:submit|button|image)$/i.test(attributeOf(node, 'type'))
}

function isOperable(element: PageElement): boolean {
  if (element.name === 'button') return true
  if (element.name === 'input') return isButtonInput(element)
  const href = attributeOf(element.node, 'href')
  return element.name === 'a' && href !== '' && href !== '#' && !/^javascript:/i.test(href)
}

function textOf({ name, node }: PageElement): string {
  if (name === 'input') return attributeOf(node, 'value') || attributeOf(node, 'alt')
  return spokenText(node, 50) || attributeOf(node, 'aria-label')
}

function isStep(text: string): boolean {
  return text.length <= 60 && stepWords.test(text)
}

const stepWords =
  /^(?:book|buy|order|shop|get|start|try|sign up|join|request|schedule (?:an?|your|now|online)|contact|call|reserve|subscribe|download|add to|see (?:plans|pricing)|view (?:plans|pricing)|talk to|speak to|apply|donate|register|create|make an? |free trial|learn more|jetzt(?! bewerten)|termin|kontakt|buchen|kaufen|bestellen|anfragen|acheter|commander|réserver|contactez|essayer|comprar|reservar|contactar|prenota|acquista|contattaci)(?!\p{L})/iu
