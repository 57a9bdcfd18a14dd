import { type Answer, tallyAnswers } from './callers.ts'

/** What honest payers felt in a phase. Times in milliseconds. */
export interface Felt {
  readonly calls: number
  readonly p50: number
  readonly p99: number
  readonly byKind: Readonly<Record<Kind, { readonly calls: number; readonly p50: number }>>
  /** Calls whose `upto` payment named an account that had gone meanwhile, and that were paid to another one. */
  readonly signedAgain: number
  /** How often which refusal came; empty when all were served. */
  readonly refusals: Readonly<Record<string, number>>
}

/** A plain wallet, a stream, a wallet contract, and a call that is repeated for its stored reply. */
export const kinds = ['exact', 'upto', 'contract', 'repeat'] as const
export type Kind = (typeof kinds)[number]

/** @param sent the kinds of the calls, in the order of their answers. */
export function describeCalls(sent: readonly Kind[], answers: readonly Answer[]): Felt {
  const p50Of = (kind: Kind) => {
    const own = answers.filter((_, index) => sent[index] === kind)
    return { calls: own.length, p50: percentile(own, 0.5) }
  }
  return {
    calls: answers.length,
    p50: percentile(answers, 0.5),
    p99: percentile(answers, 0.99),
    byKind: {
      exact: p50Of('exact'),
      upto: p50Of('upto'),
      contract: p50Of('contract'),
      repeat: p50Of('repeat'),
    },
    signedAgain: answers.filter(({ signedAgain }) => signedAgain).length,
    refusals: tallyAnswers(answers.filter(({ status }) => status !== 200)),
  }
}

function percentile(answers: readonly Answer[], share: number): number {
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b)
  return Math.round(times[Math.floor(times.length * share)] ?? 0)
}
