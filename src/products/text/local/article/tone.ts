import { presentText } from '../../plain-text.ts'
import { authoritative } from '../../tones/authoritative.ts'
import { casual } from '../../tones/casual.ts'
import { friendly } from '../../tones/friendly.ts'
import { persuasive } from '../../tones/persuasive.ts'
import { playful } from '../../tones/playful.ts'
import { professional } from '../../tones/professional.ts'
import { technical } from '../../tones/technical.ts'
import type { Tone } from '../../tones/tone.ts'
import { phraseScore, phraseWeight, weighPhrases } from '../words.ts'

/** All tones. The first is used when a caller names none. */
export const tones: readonly Tone[] = [
  professional,
  friendly,
  authoritative,
  casual,
  playful,
  technical,
  persuasive,
]

const aliasesOf = new Map(tones.map((tone) => [tone, weighPhrases(tone.aliases, phraseWeight)] as const))

/**
 * Finds the tone nearest to the caller's words; of equals, the first in the list. Undefined where they name none that is
 * known.
 */
export function findTone(wanted: string | undefined): Tone | undefined {
  const text = presentText(wanted, 200)
  if (text === undefined) return tones[0]
  const [best] = tones
    .map((tone) => ({ tone, score: phraseScore(text, aliasesOf.get(tone) ?? []) }))
    .toSorted((one, other) => other.score - one.score)
  return best !== undefined && best.score > 0 ? best.tone : undefined
}

/**
 * Writes a sentence in a tone: contracts it if the tone does, then fills the slots. Contraction comes first, so that it
 * never changes a caller's phrase.
 * @throws RangeError for a slot without a value.
 */
export function say(tone: Tone, template: string, slots: Readonly<Record<string, string>>): string {
  const sentence = tone.contractions ? contract(template) : template
  return sentence.replace(/\{(\w+)\}/g, (_, slot: string) => {
    const value = slots[slot]
    if (value === undefined) throw new RangeError(`no value for {${slot}}`)
    return value
  })
}

/**
 * Turns "it is not" into "it isn’t". "It is" is contracted only where it begins a clause that goes on: English has
 * neither "that is what it’s." nor "answering it’s easier".
 */
function contract(text: string): string {
  return contractions.reduce((rest, [long, short]) => rest.replace(long, short), text)
}

const contractions: readonly (readonly [RegExp, string])[] = [
  [/\b([Ii])s not\b/g, '$1sn’t'],
  [/\b([Aa])re not\b/g, '$1ren’t'],
  [/\b([Dd])oes not\b/g, '$1oesn’t'],
  [/\b([Dd])id not\b/g, '$1idn’t'],
  [/\b([Dd])o not\b/g, '$1on’t'],
  [/\b([Cc])annot\b/g, '$1an’t'],
  [/\b([Hh])as not\b/g, '$1asn’t'],
  [/\b([Hh])ave not\b/g, '$1aven’t'],
  [/\b([Ww])ill not\b/g, '$1on’t'],
  [/\b([Ss])hould not\b/g, '$1houldn’t'],
  [/\b([Ww])ould not\b/g, '$1ouldn’t'],
  [/\b([Ll])et us\b/g, '$1et’s'],
  [/\b([Tt]hat|[Hh]ere|[Tt]here) is(?= (?!not\b)[a-z])/g, '$1’s'],
  [
    /(?<=^|[.,;:?!] |\b(?:and|but|because|if|when|whether|so|while|since|than) )([Ii]t) is(?= (?!not\b)[a-z])/g,
    '$1’s',
  ],
  [/\b([Yy]ou|[Tt]hey|[Ww]e) are(?= (?!not\b)[a-z])/g, '$1’re'],
  [/\b([Yy]ou|[Tt]hey|[Ww]e) will(?= (?!not\b)[a-z])/g, '$1’ll'],
  [/\b([Yy]ou|[Ww]e|[Tt]hey) have(?= (?:got|been|seen|lost|heard)\b)/g, '$1’ve'],
]
