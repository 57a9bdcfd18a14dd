import {
  type Element,
  isElement,
  isIconName,
  isUnseen,
  type LeftOut,
  type Node,
  oneLine,
} from './visible-text.ts'
import { countWords } from './words.ts'

/**
 * The text of a page as the runs that readers see apart: a paragraph, a cell, the text between two boxes. Builders of
 * websites write paragraphs as `div` or straight into a cell, so an element named `p` is no measure of running text.
 */
export interface TextBlock {
  /** The innermost element around the whole run. */
  readonly element: Element
  /** 1 to 6 for a heading. */
  readonly level: number | undefined
  readonly text: string
  /** The same text, divided at its line breaks. */
  readonly lines: readonly string[]
  /** How many of its words stand in links. */
  readonly linkWords: number
}

/** The visible blocks within elements, in their order. Two line breaks in a row end a block, as an empty line does. */
export function textBlocks(elements: readonly Element[], isLeftOut: LeftOut): readonly TextBlock[] {
  const blocks: TextBlock[] = []
  let run: { readonly element: Element; lines: string[]; linked: string[]; breaks: number } | undefined
  const end = () => {
    const lines = (run?.lines ?? []).map(oneLine).filter((line) => line !== '')
    if (run !== undefined && lines.length > 0) {
      const heading = /^h([1-6])$/.exec(run.element.name)?.[1]
      blocks.push({
        element: run.element,
        level: heading === undefined ? undefined : Number(heading),
        text: lines.join(' '),
        lines,
        linkWords: countWords(run.linked.join(' ')),
      })
    }
    run = undefined
  }
  const add = (text: string, element: Element, isLinked: boolean) => {
    if (run === undefined && text.trim() === '') return
    run ??= { element, lines: [''], linked: [], breaks: 0 }
    if (text.trim() !== '') run.breaks = 0
    run.lines.push(`${run.lines.pop() ?? ''}${text}`)
    if (isLinked) run.linked.push(text)
  }
  const breakLine = () => {
    if (run === undefined) return
    run.breaks += 1
    if (run.breaks > 1) end()
    else run.lines.push('')
  }
  // The tree is at most 512 deep (parse-html.ts), so recursion ends.
  const visit = (node: Node, box: Element, isLinked: boolean, isPre: boolean) => {
    if (node.type === 'text') {
      // Notion and others keep the line breaks of the source, and an empty line ends a paragraph.
      const [first = '', ...others] = isPre ? node.data.split(/\n[^\S\n]*\n\s*/) : [node.data]
      add(first, box, isLinked)
      for (const part of others) {
        end()
        add(part, box, isLinked)
      }
    }
    if (!isElement(node)) return
    if (node.name === 'br') return breakLine()
    if (isUnseen(node) || isLeftOut(node) || isIconName(node)) return
    const isInline = inlineNames.has(node.name)
    // What stands in a heading belongs to it, also a div.
    const isHeading = /^h[1-6]$/.test(box.name)
    if (!isInline && !isHeading) end()
    if (!isInline && isHeading) add(' ', box, isLinked)
    const keepsBreaks = isPre || /white-space\s*:\s*(?:pre|break-spaces)/i.test(node.attribs.style ?? '')
    for (const child of node.children)
      visit(child, isInline || isHeading ? box : node, isLinked || node.name === 'a', keepsBreaks)
    if (!isInline && !isHeading) end()
  }
  for (const element of elements) {
    if (isUnseen(element) || isLeftOut(element)) continue
    end()
    for (const child of element.children) visit(child, element, element.name === 'a', false)
    end()
  }
  return blocks
}

/** Elements that break no line; a line of text goes on through them. */
const inlineNames: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr picture q s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)
