import type { TextRequest } from './requests.ts'

/** Fixed rules for a reply. A request is right when it is refused as it should be, or its text breaks no rule. */
export const rules = ['refusal', 'topic', 'facts', 'repetition', 'structure', 'hours', 'keyword'] as const
export type Rule = (typeof rules)[number]

/** @returns the rules that the reply breaks. */
export function brokenRules(
  request: TextRequest,
  wanted: 'write' | 'refuse',
  reply: { readonly status: number; readonly text: string },
): readonly Rule[] {
  if (wanted === 'refuse') return reply.status === 422 ? [] : ['refusal']
  if (reply.status !== 200) return ['refusal']
  const { text } = reply
  const checks: Readonly<Record<Exclude<Rule, 'refusal'>, boolean>> = {
    topic:
      request.words.every((word) => has(text, word)) &&
      !(request.never ?? []).some((word) => has(text, word)),
    facts: (request.facts ?? []).every((fact) => text.includes(fact)),
    repetition: !repeatsItself(text),
    structure: structures[request.path](text),
    hours: hoursMultiplyOut(text),
    keyword: hasKeyword(text, request.body.targetKeyword),
  }
  return rules.filter((rule) => rule !== 'refusal' && !checks[rule])
}

function has(text: string, word: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${word})`, 'iu').test(text)
}

function repeatsItself(text: string): boolean {
  const sentences = text
    .replace(/^\*\*(?:Impact and effort|Time saved):.*$|^> .*$/gm, '')
    .split(/\n+|(?<=[.!?])\s+/u)
    .map((each) => (each.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' '))
    .filter((each) => each.split(' ').length >= 7)
  return new Set(sentences).size < sentences.length
}

const structures: Readonly<Record<TextRequest['path'], (text: string) => boolean>> = {
  '/api/analyze': (text) =>
    (text.match(/^### [123]\. /gm) ?? []).length === 3 &&
    /^## Quick win/m.test(text) &&
    (text.match(/\*\*Time saved:\*\*/g) ?? []).length === 3,
  '/api/leads/research': (text) =>
    ['Company overview', 'Pain-point analysis', 'Outreach angle', 'Conversation starters'].every((part) =>
      text.includes(`## ${part}`),
    ),
  '/api/content/blog': (text) => {
    const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
    const faq = text.split('## Frequently asked questions')[1] ?? ''
    return words >= 790 && words <= 1_210 && (faq.match(/^### .+\?$/gm) ?? []).length >= 3
  },
}

const perMonth: Readonly<Record<string, number>> = { day: 21, week: 4.33, month: 1 }
const estimate =
  /\*\*Time saved:\*\* (\d+)(?: to (\d+))? hours? a month\. Basis: (\d+) .+? a (day|week|month) at about ([\d.]+) minutes each(?:, with (\d+)(?: to (\d+))? percent)?/g

function hoursMultiplyOut(text: string): boolean {
  if (!text.includes('**Time saved:**')) return true
  const estimates = [...text.matchAll(estimate)]
  return (
    estimates.length === 3 &&
    estimates.every(([, min, max, count, per, minutes, from, to]) => {
      const hours = (Number(count) * (perMonth[per ?? ''] ?? 0) * Number(minutes)) / 60
      const isNear = (told: string | undefined, share: string | undefined) =>
        share === undefined ||
        Math.abs(Number(told) - (hours * Number(share)) / 100) <= Math.max(1.5, hours * 0.05)
      return isNear(min, from) && isNear(max ?? min, to ?? from)
    })
  )
}

function hasKeyword(text: string, keyword: string | undefined): boolean {
  if (keyword === undefined) return true
  const count = text.toLowerCase().split(keyword.toLowerCase()).length - 1
  return count >= 5 && count <= 10
}
