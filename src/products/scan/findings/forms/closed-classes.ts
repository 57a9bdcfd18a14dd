import { generate, parse, walk } from 'css-tree'
import { repliesFor } from '../../site/capture.ts'
import type { Site } from '../../site/site.ts'

/**
 * The classes that the stylesheets of a site switch off (`.widget { display: none }`) on every screen, and that no other
 * rule of the same selector switches on. A compound such as `.widget.active` waits for a script.
 */
export function closedClassesOf({ capture }: Site): ReadonlySet<string> {
  const seen = known.get(capture)
  if (seen !== undefined) return seen
  const off = new Set<string>()
  const on = new Set<string>()
  for (const { status, isCut, body } of repliesFor(capture, 'style')) {
    if (status !== 200 || isCut || !/display\s*:\s*none/i.test(body)) continue
    walk(parse(body.slice(0, maxCharacters), { parseValue: false, parseAtrulePrelude: false }), {
      visit: 'Rule',
      enter(rule) {
        if (rule.prelude.type !== 'SelectorList') return
        for (const one of rule.block.children.toArray()) {
          if (one.type !== 'Declaration' || one.property.toLowerCase() !== 'display') continue
          const isOff = /^\s*none\b/i.test(generate(one.value)) && this.atrule === null
          for (const selector of rule.prelude.children.toArray()) {
            const [, name] = /(?:^|\s)\.([\w-]{2,80})$/.exec(generate(selector)) ?? []
            if (name !== undefined) (isOff ? off : on).add(name)
          }
        }
      },
    })
  }
  const closed = new Set([...off].filter((name) => !on.has(name)))
  known.set(capture, closed)
  return closed
}

const known = new WeakMap<Site['capture'], ReadonlySet<string>>()
const maxCharacters = 300_000
