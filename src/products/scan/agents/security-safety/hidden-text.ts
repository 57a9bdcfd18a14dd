import { type Element, isElement, isUnseen, type Node } from '../../site/html/visible-text.ts'
import type { Page } from '../../site/site.ts'

/**
 * Text that programs read and people do not see: comments, attribute texts, JSON-LD, and elements that are
 * not shown. Style sheets are not read, so of the classes that hide an element only the usual names are
 * known.
 */
export interface HiddenPart {
  /** For the report: "a comment". */
  readonly kind: string
  readonly text: string
}

export interface PageTexts {
  readonly hidden: readonly HiddenPart[]
  /** All text, visible or not, without scripts and styles. */
  readonly all: readonly string[]
}

/** In document order. */
export function readTexts(page: Page): PageTexts {
  const hidden: { kind: string; texts: string[] }[] = []
  const all: string[] = []
  const put = (kind: string, text: string) => {
    if (text.trim() === '') return
    hidden.push({ kind, texts: [text] })
    all.push(text)
  }
  const stack: { node: Node; within: string[] | undefined }[] = []
  // One at a time: an element may have more children than a call takes arguments.
  const push = (nodes: readonly Node[], within: string[] | undefined) => {
    for (const node of [...nodes].reverse()) stack.push({ node, within })
  }
  push(page.$.root()[0]?.children ?? [], undefined)
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, within } = next
    if (node.type === 'comment') put('a comment', node.data)
    if (node.type === 'text') {
      all.push(node.data)
      within?.push(node.data)
    }
    if (!isElement(node)) {
      // A template holds its content in a document of its own.
      if ('children' in node) push(node.children, within)
      continue
    }
    for (const name of spokenAttributes) {
      const value = node.attribs[name]
      if (value !== undefined && (name !== 'content' || node.name === 'meta'))
        put(`the attribute ${name}`, value)
    }
    if (node.name === 'style' || (node.name === 'script' && !isJsonLd(node))) continue
    let inside = within
    if (!inside && isConcealed(node)) {
      inside = []
      hidden.push({ kind: `hidden text in <${node.name}>`, texts: inside })
    }
    push(node.children, inside)
  }
  return { hidden: hidden.map(({ kind, texts }) => ({ kind, text: texts.join(' ') })), all }
}

const spokenAttributes = ['alt', 'title', 'aria-label', 'aria-description', 'content']

function isJsonLd({ attribs }: Element): boolean {
  return /^\s*application\/ld\+json/i.test(attribs.type ?? '')
}

/** Whether the element is never shown. The elements of the head have their own rules. */
function isConcealed(element: Element): boolean {
  if (
    ['head', 'title', 'svg', 'canvas', 'audio', 'video', 'object', 'datalist', 'iframe'].includes(
      element.name,
    )
  )
    return false
  if (isUnseen(element)) return true
  const style = (element.attribs.style ?? '').slice(0, 1_000)
  return (
    concealing.test(style) ||
    /(?:^|\s)(?:sr-only|visually-hidden|screen-reader-text|visuallyhidden)(?:\s|$)/.test(
      element.attribs.class ?? '',
    )
  )
}

const concealing =
  /(?:^|[;\s])(?:font-size\s{0,3}:\s{0,3}0(?:px|em|rem|pt|%)?\s{0,3}(?:;|!|$)|opacity\s{0,3}:\s{0,3}0?\.?0{1,3}\s{0,3}(?:;|!|$)|(?:text-indent|left|top)\s{0,3}:\s{0,3}-\d{4,}|color\s{0,3}:\s{0,3}transparent)/i
