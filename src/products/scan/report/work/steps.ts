import { inCharacters } from './characters.ts'
import { decidingSteps } from './decisions.ts'
import type { Wording } from './texts/wording.ts'
import { alsoInLists, writingSteps } from './texts/writing-steps.ts'
import { asksForCode } from './who-acts.ts'

/**
 * Says how a person does an action for which nothing can be pasted, one step after the other. The owner of a shop knows
 * the answers to the questions of visitors, and does not know that each has to stand below a heading of its own.
 * @param id the leading finding of the action: `entity-trust/about`
 * @returns undefined for what only whoever made the website can do
 */
export function stepsFor(id: string, wording: Wording): readonly string[] | undefined {
  if (asksForCode(wording.work)) return undefined
  const decide = decidingSteps(id, wording.work)
  const steps = (decide ?? writingSteps.get(id))?.(wording)
  const all =
    steps !== undefined && decide === undefined && wording.hasTextLists ? [...steps, alsoInLists] : steps
  return all?.map((step) => inCharacters(step.replaceAll('PAGE', wording.page), wording.language))
}
