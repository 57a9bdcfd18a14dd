import { compile } from 'css-select'
import { type CssNode, generate, parse, walk } from 'css-tree'
import { repliesFor } from '../../site/capture.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { stylesheetsOf } from '../../site/html/references.ts'
import { around, type Element, type Node } from '../../site/html/visible-text.ts'
import type { Page, Site } from '../../site/site.ts'
import { codeOf } from '../forms/form-code.ts'
import { scriptsOf } from '../scripted/filled-pages.ts'
import { writtenIds } from '../scripted/written-ids.ts'

/**
 * Tells the images of a page that visitors see with the file that the HTML names. A script may choose another file, or take
 * what comes in place of one that is missing, and a style sheet may hide the image: then there is no gap that anybody sees.
 */
export function leftAsSent(page: Page, site: Site): (image: Element) => boolean {
  const code = scriptsOf(page, site)
    .map((script) => script.code)
    .join('\n')
  if (hearsFaults.test(code)) return () => false
  const ids = new Set(
    page.elements.flatMap(({ name, node }) => (name === 'img' ? attributeOf(node, 'id') : [])),
  )
  ids.delete('')
  const isWhole = ids.size === 0 || codeOf(page, site) !== undefined
  const set = writtenIds(code, ids, 'picture')
  const isHidden = hiddenBy(page, site)
  return (image) => {
    const id = attributeOf(image, 'id')
    return (id === '' || (isWhole && !set.has(id))) && ![image, ...around(image)].some(isHidden)
  }
}

/** A listener for pictures that do not load. Windows, requests and the scripts that a script loads have such faults, too. */
const hearsFaults =
  /(?<!\b(?:window|self|globalThis|worker|script|xhr|req|request|reader|socket|source)\s{0,3}\??)\.\s{0,3}addEventListener\s{0,3}\(\s{0,3}["'`]error["'`]|\.\s{0,3}on\s{0,3}\(\s{0,3}["'`]error["'`]|\$\([^()\n]{1,80}\)\.error\s?\(|\b(?:\w{0,20}(?:img|image|photo|pic(?:ture)?)|this|el|e|i)\s{0,3}\.\s{0,3}onerror\s{0,3}=/i

/** Whether a rule takes an element away, and none for any screen shows it again. */
function hiddenBy(page: Page, site: Site): (element: Element) => boolean {
  const { capture } = site
  const linked = new Set(stylesheetsOf(page.$, page.url))
  const files = repliesFor(capture, 'style').filter(
    ({ status, isCut, url, finalUrl }) =>
      status === 200 && !isCut && (linked.has(url) || linked.has(finalUrl)),
  )
  const rules = [page.$('style').text(), ...files.map(({ body }) => body)].flatMap((css) =>
    rulesIn(css, site),
  )
  const shown = rules.flatMap(({ selector, isAway }) => (isAway ? [] : [selector])).slice(0, maxShown)
  const hidden = rules
    .filter(({ isAway, isForSome }) => isAway && !isForSome)
    .slice(0, maxHidden)
    // `.slide` is hidden, and `.slide.active` is shown.
    .filter(({ selector }) => shown.every((one) => !one.includes(selector)))
    .flatMap(({ selector }) => matcherOf(selector))
  return (element) => hidden.some((matches) => matches(element))
}

/** A hostile site has any number of rules, and each is held against each. */
const maxShown = 3_000
const maxHidden = 300

interface DisplayRule {
  readonly selector: string
  /** It hides; else it shows. */
  readonly isAway: boolean
  /** It stands in a condition. */
  readonly isForSome: boolean
}

/** Read once: the pages of a site have the same style sheets. */
function rulesIn(css: string, site: Site): readonly DisplayRule[] {
  const seen = known.get(site) ?? new Map<string, readonly DisplayRule[]>()
  known.set(site, seen)
  const rules = seen.get(css) ?? displayRules(css)
  seen.set(css, rules)
  return rules
}

const known = new WeakMap<Site, Map<string, readonly DisplayRule[]>>()

/** What is shown in print alone, no visitor sees. */
function displayRules(css: string): readonly DisplayRule[] {
  if (!/display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden/i.test(css)) return []
  const rules: DisplayRule[] = []
  const tree = parse(css.slice(0, 500_000), { parseValue: false, parseAtrulePrelude: false })
  walk(tree, {
    visit: 'Rule',
    enter({ prelude, block }) {
      const condition = this.atrule?.prelude ? generate(this.atrule.prelude).trim() : ''
      if (prelude.type !== 'SelectorList' || this.atrule?.name === 'keyframes' || condition === 'print')
        return
      const states = block.children.toArray().flatMap(stateOf)
      if (states.length === 0) return
      const isAway = states.includes(true)
      const isForSome = this.atrule?.name === 'media' && !/^(?:all|screen)$/i.test(condition)
      for (const selector of prelude.children) rules.push({ selector: generate(selector), isAway, isForSome })
    },
  })
  return rules
}

function stateOf(node: CssNode): readonly boolean[] {
  if (node.type !== 'Declaration') return []
  const value = generate(node.value).trim().toLowerCase()
  switch (node.property.toLowerCase()) {
    case 'display':
      return [value === 'none']
    case 'visibility':
      return [value === 'hidden']
    default:
      return []
  }
}

/** None for a state or a part of an element, such as `:hover` and `::before`, and for a selector that is not known. */
function matcherOf(selector: string): readonly ((element: Element) => boolean)[] {
  if (/:(?!not\(|first-child|last-child|nth-child)/.test(selector)) return []
  try {
    return [compile<Node, Element>(selector)]
  } catch {
    // The library refuses a selector of a newer standard with an exception. Its rule hides nothing then.
    return []
  }
}
