import { notApplicable, type Outcome, unmeasured } from '../../findings/check.ts'
import { documentsOf } from '../../findings/document.ts'
import { mediaTypeOf } from '../../site/files/headers.ts'
import type { Site } from '../../site/site.ts'

/** The text of llms.txt, as the checks of its content read it. */
export interface Guide {
  readonly url: string
  readonly text: string
  readonly isCut: boolean
}

/** Runs a check on the text of llms.txt. Without a text the check does not apply. */
export function withText({ capture }: Site, run: (guide: Guide) => Outcome): Outcome {
  const document = documentsOf(capture, 'llms')[0]
  if (!document) return unmeasured('llms.txt was not asked for.')
  if (document.state === 'unseen') return unmeasured(`llms.txt ${document.why}.`)
  if (document.state !== 'present' || !mediaTypeOf(document.answer).startsWith('text/')) {
    return notApplicable('There is no llms.txt that is text.')
  }
  const { body, isCut } = document.answer
  return run({ url: document.url, text: body, isCut })
}
