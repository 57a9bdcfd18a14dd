import { terms } from '../knowledge/industry.ts'
import { wordsOf } from './words.ts'

/**
 * Trades of small businesses that live on appointments, quotes and invoices: the profile of small businesses fits
 * them, although no word of it names them. A topic such as "dog grooming appointment booking" is about booking, for
 * groomers. A trade alone is no task: "dog grooming tips" stays unknown.
 *
 * Only whole phrases count. "Dog" or "grooming" alone can stand for something else.
 */
const trades =
  terms(`dog groomer, dog grooming, dog grooming salon, pet groomer, pet grooming, pet grooming salon,
  mobile dog grooming, dog walker, dog walking, dog trainer, dog training school, pet sitter, pet sitting, pet boarding,
  barber, barber shop, barbershop, massage studio, massage therapist, massage practice, nail salon, nail studio,
  tattoo studio, photographer, wedding photographer, portrait photographer, photo studio, photography studio, freelancer,
  driving school, driving instructor, music school, music teacher, dance school, dance studio, swimming school,
  personal trainer, yoga teacher, pilates studio, car repair, car repair shop, auto body shop, car wash, car detailing,
  bike repair, bike repair shop, locksmith, handyman, gardener, gardening service, lawn care, window cleaner,
  window cleaning, gutter cleaning, chimney sweep, pest control, tree surgeon, tree service, moving company, mover,
  caterer, catering company, wedding planner, event planner, interior designer, translator, translation agency,
  copywriter, graphic designer, tailor, dry cleaner, shoe repair, watch repair, phone repair, phone repair shop,
  appliance repair, computer repair, piano tuner, babysitter, house cleaner, house cleaning, carpet cleaning, pool
  cleaning, pool service, carpenter, upholsterer, sign maker, print shop, towing service, taxi company, limousine service`)
    .map((name) => wordsOf(name).map(singular))
    .toSorted((one, other) => other.length - one.length)

/** Whether a text names such a trade. */
export function namesTrade(text: string): boolean {
  return withoutTrades(text) !== text
}

/** The text without the trades that it names, and without a "for" that has lost its readers. */
export function withoutTrades(text: string): string {
  const words = text.split(/\s+/)
  const plain = words.map((word) => wordsOf(word).map(singular).join(' '))
  const isGone = words.map(() => false)
  for (const trade of trades) {
    for (const start of plain.keys()) {
      if (trade.every((word, offset) => plain[start + offset] === word && !isGone[start + offset]))
        isGone.fill(true, start, start + trade.length)
    }
  }
  if (!isGone.includes(true)) return text
  return words
    .filter((_, place) => !isGone[place])
    .join(' ')
    .replace(
      /(?:^|\s)(?:for|at|in|by|of|as)(?:\s+(?:a|an|the|your|my|our|small|busy|local|independent))*[.?!]*$/i,
      '',
    )
    .trim()
}

function singular(word: string): string {
  if (word.length < 4) return word
  return word.replace(/ies$/, 'y').replace(/(?<=[^siu])s$/, '')
}
