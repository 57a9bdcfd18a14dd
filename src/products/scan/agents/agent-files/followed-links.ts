import { type Evidence, fail, type Outcome, pass, unmeasured, warn } from '../../findings/check.ts'
import { isLasting, isRefusal } from '../../findings/document.ts'
import { andTheRest, portion } from '../../findings/share.ts'
import { shown } from '../../site/addresses.ts'
import type { Exchange } from '../../site/capture.ts'

/**
 * Judges the links of a file for agents by a sample of them that was followed.
 * @param file its name as a sentence begins with it, and its address
 */
export function judgeFollowed(
  exchanges: readonly Exchange[],
  { name, url }: { readonly name: string; readonly url: string },
): Outcome {
  const links = exchanges.flatMap(followed)
  if (links.length === 0) return unmeasured(`No link of ${name} gave an answer that tells whether it works.`)
  const deadLinks = links.filter(({ isGood }) => !isGood)
  const good = links.length - deadLinks.length
  const statement = `${name}: ${portion(good, links.length, 'sampled link', 'works', 'work')}.`
  if (deadLinks.length === 0) return pass(statement, { url, value: statement })
  const evidence = deadLinks.slice(0, 5).map(({ place }) => place)
  if (good * 100 >= links.length * 90) return pass(statement, ...evidence)
  return (good * 100 >= links.length * 70 ? warn : fail)(
    `${statement} Agents that follow it reach nothing by the dead ones.`,
    `Correct or remove the link to ${shown(deadLinks[0]?.place.url ?? url)} in ${url}.${andTheRest(deadLinks.length - 1, 'dead link')} A page that is about to be published keeps its link.`,
    ...evidence,
  )
}

/** A refusal or a rejected method says nothing about the link. */
function followed(exchange: Exchange): { isGood: boolean; place: Evidence }[] {
  const { url } = exchange
  if (exchange.outcome === 'skipped') return []
  if (exchange.outcome === 'failed') {
    return isLasting(exchange)
      ? [{ isGood: false, place: { url, value: `no answer: ${exchange.reason}` } }]
      : []
  }
  if (exchange.status !== 500 && (exchange.status === 405 || isRefusal(exchange.status))) return []
  return [{ isGood: exchange.status === 200, place: { url, value: `status ${exchange.status}` } }]
}
