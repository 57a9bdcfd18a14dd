import { listed } from '../../findings/share.ts'
import type { Work } from '../../findings/work.ts'

interface Order {
  /** What is to be done. */
  readonly title: string
  readonly work: Work | undefined
}

/**
 * The order for a preview takes the words that another step asks for: who writes a title and a description of the page
 * has written those of its preview.
 * @param other what that step asks for
 */
export function withGivenWords<Given extends Order>(
  order: Given,
  page: string,
  other: Work | undefined,
): Given {
  const { work } = order
  if (work?.kind !== 'preview' || other?.kind !== 'title') return order
  const given = givenBy(other, work)
  if (given.length === 0) return order
  const asked = work.lacks.filter((name) => !given.includes(name))
  const words = given.map((name) => name.replace('og:', ''))
  const title = [
    ...(asked.length === 0
      ? []
      : [`Add ${listed(asked)} as ${asked.length === 1 ? 'a meta element' : 'meta elements'} to ${page}.`]),
    `Let ${page} have ${listed(given)} ${asked.length === 0 ? 'as meta elements' : 'as well'}, with the words of the new ${listed(words)}, which a separate message brings.`,
  ].join(' ')
  return { ...order, title, work: { ...work, lacks: asked, isDescriptionShared: false } }
}

/** For the message of the step that writes title and description: what of the preview has the same words. */
export function alsoForPreview(title: Work | undefined, preview: Work | undefined): string {
  if (title?.kind !== 'title' || preview?.kind !== 'preview') return ''
  const given = givenBy(title, preview)
  return given.length === 0 ? '' : ` Give ${listed(given)} the same words, for previews.`
}

function givenBy(
  { title, description }: Extract<Work, { readonly kind: 'title' }>,
  { lacks }: Extract<Work, { readonly kind: 'preview' }>,
): readonly string[] {
  return lacks.filter(
    (name) =>
      (name === 'og:title' && title !== undefined) ||
      (name === 'og:description' && description !== undefined),
  )
}
