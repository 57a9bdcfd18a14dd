import { generate, parse, walk } from 'css-tree'
import { shownInQuotes } from '../../site/addresses.ts'
import { repliesFor } from '../../site/capture.ts'
import type { Site } from '../../site/site.ts'

/**
 * The selectors by which stylesheets tell the parts of a page by what stands around or beside them: `body > section`,
 * `section + footer`, `div:has(+ footer)`. They match nothing more once the content stands in another element.
 */
export function rulesBetweenParts({ capture, pages }: Site): readonly string[] {
  const files = repliesFor(capture, 'style').filter(({ status, isCut }) => status === 200 && !isCut)
  const sheets = [...pages.map(({ $ }) => $('style').text()), ...files.map(({ body }) => body)]
  const found = new Set<string>()
  for (const sheet of new Set(sheets)) {
    if (!mayHold.test(sheet)) continue
    const tree = parse(sheet.slice(0, maxSheet), { parseValue: false, parseCustomProperty: false })
    walk(tree, {
      visit: 'Selector',
      enter(node) {
        const selector = generate(node)
        if (found.size < maxFound && selector.length <= maxSelector && isBetweenParts(selector))
          found.add(shownInQuotes(spaced(selector)))
      },
    })
  }
  return [...found]
}

/** Most sheets have none, and reading one takes long. */
const mayHold = /body\s{0,9}>|[+~]\s{0,9}footer|(?:header|nav)[^\s>+~,{}]{0,60}\s{0,9}[+~]/i

const maxSheet = 500_000
const maxFound = 5
const maxSelector = 120

/** `section + section` holds as before: both are put into the main part. */
function isBetweenParts(selector: string): boolean {
  const own = selector.replace(/^(?:html[ >])?body[ >]/i, '')
  return (
    /^(?:html[ >])?body>(?!(?:header|footer|nav|script)(?![\w-]))/i.test(selector) ||
    /^[^\s>+~]{1,80}[+~]footer(?![\w-])/i.test(own) ||
    /^(?:header|nav)(?![\w-])[^\s>+~]{0,80}[+~](?!(?:header|footer|nav|script)(?![\w-]))/i.test(own) ||
    /^[^\s>+~]{0,80}:has\([+~]footer(?![\w-])/i.test(own)
  )
}

function spaced(selector: string): string {
  return selector.replace(/\s{0,9}([>+~])\s{0,9}/g, ' $1 ').replace('( ', '(')
}
