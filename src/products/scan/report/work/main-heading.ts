import type { Issue } from '../scoring.ts'
import { placeOf } from './seen.ts'

export const headingOrder = 'content-answerability/hierarchy'
export const mainHeadingCheck = 'core-snapshot/one-h1'

/**
 * What the owner may say of the main heading of a page whose headings are put in order. The first one stays unless the
 * owner names another line, so that nothing waits for an answer.
 * @returns undefined where one of the two findings is missing, or asks for something else
 */
export function mainHeadingWith(
  order: Issue | undefined,
  main: Issue | undefined,
): { readonly order: string; readonly asks: string } | undefined {
  if (order?.work?.kind !== 'heading-order' || main?.work?.kind !== 'one-main-heading') return undefined
  const [first] = main.work.lines
  if (first === undefined || placeOf(order) !== placeOf(main)) return undefined
  return {
    order: `“${first}” stays the one main heading (h1). Does the answer below name another line? Then make that one the h1, and “${first}” an h2.`,
    asks: `the line that says what the page is about, if another line than “${first}” says it better`,
  }
}
