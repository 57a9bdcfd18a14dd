import { type Evidence, fail, notApplicable, type Outcome, pass } from '../../findings/check.ts'
import { counted } from '../../findings/share.ts'
import { shown } from '../../site/addresses.ts'
import { attributeOf } from '../../site/html/elements.ts'
import type { Element } from '../../site/html/visible-text.ts'
import type { Page } from '../../site/site.ts'
import { ariaAttributes, ariaReferences, ariaRoles } from './aria-words.ts'

/**
 * Judges whether roles and aria attributes are those of the standard, and whether the ids they refer to
 * exist once.
 */
export function judgeAria(pages: readonly Page[]): Outcome {
  let uses = 0
  let count = 0
  const faults: Evidence[] = []
  for (const page of pages) {
    const ids = countIds(page)
    for (const { node } of page.elements) {
      const names = Object.keys(node.attribs).filter((name) => name === 'role' || name.startsWith('aria-'))
      if (names.length === 0 && !(node.name === 'label' && attributeOf(node, 'for') !== '')) continue
      uses += 1
      for (const value of faultsOf(node, names.slice(0, 30), ids)) {
        count += 1
        if (faults.length < 5) faults.push({ url: page.url, value })
      }
    }
  }
  if (uses === 0) return notApplicable('No page that was read uses roles, aria attributes or labels by id.')
  const [first] = faults
  if (first === undefined) {
    return pass(
      `${counted(uses, 'element')} with roles, aria attributes or labels by id were checked, and all are valid.`,
      {
        url: pages[0]?.url ?? '',
        value: `${counted(uses, 'element')} on ${counted(pages.length, 'page')}`,
      },
    )
  }
  return fail(
    `${counted(count, 'fault')} in roles, aria attributes or labels by id. What an agent reads from the accessibility tree is wrong or empty there.`,
    `Correct this on ${shown(first.url)}: ${first.value}. Then look for the same fault on the other pages.`,
    ...faults,
  )
}

function countIds(page: Page): ReadonlyMap<string, number> {
  const ids = new Map<string, number>()
  for (const { node } of page.elements) {
    const id = attributeOf(node, 'id')
    if (id !== '') ids.set(id, (ids.get(id) ?? 0) + 1)
  }
  return ids
}

function faultsOf(node: Element, names: readonly string[], ids: ReadonlyMap<string, number>): string[] {
  const role = attributeOf(node, 'role').toLowerCase()
  const roles = role.split(/\s+/).slice(0, 10)
  const unknown = names.filter((name) => name !== 'role' && !ariaAttributes.has(name))
  const references = [
    ...ariaReferences.filter((name) => names.includes(name)),
    ...(node.name === 'label' ? ['for'] : []),
  ]
  return [
    // Of several roles, programs use the first one they know.
    ...(role !== '' && !roles.some((one) => ariaRoles.has(one))
      ? [`role="${shown(role, 60)}" is no role`]
      : []),
    ...unknown.map((name) => `${shown(name, 60)} is no aria attribute`),
    ...references.flatMap((name) => (isFilledLater(node, name) ? [] : brokenReferences(node, name, ids))),
  ]
}

/** The page may create a closed menu when it is opened. */
function isFilledLater(node: Element, name: string): boolean {
  if (name !== 'aria-controls' && name !== 'aria-owns') return false
  return attributeOf(node, 'aria-expanded') === 'false' || attributeOf(node, 'aria-haspopup') !== ''
}

function brokenReferences(node: Element, name: string, ids: ReadonlyMap<string, number>): string[] {
  // The label of a field names one id, which may hold blanks.
  if (name === 'for' && ids.get(attributeOf(node, 'for')) === 1) return []
  return attributeOf(node, name)
    .split(/\s+/)
    .filter((id) => id !== '')
    .slice(0, 10)
    .flatMap((id) => {
      const occurrences = ids.get(id) ?? 0
      if (occurrences === 1) return []
      return [
        `${name}="${shown(id, 60)}" refers to ${occurrences === 0 ? 'an id that does not exist' : `an id that exists ${occurrences} times`}`,
      ]
    })
}
