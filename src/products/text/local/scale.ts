import { hoursSaved, type Industry, type Opportunity, type Task } from '../knowledge/industry.ts'

/**
 * Fits the volumes of a profile to the size that a caller names. The figures of a practice with seven people are wrong
 * for one plumber and for twelve clinics, and an estimate is what the buyer pays for.
 */
export interface Scale {
  /** The size in the caller's words: `twelve clinics`; undefined when no field names one. */
  readonly named: string | undefined
  /** How many times the organization of the profile. */
  readonly factor: number
  /** One person without colleagues. */
  readonly isAlone: boolean
}

/** Beyond it, work is organized in another way than the profile says. */
export const maxFactor = 20

export function findScale(industry: Industry, texts: readonly (string | undefined)[]): Scale {
  for (const text of texts) {
    const size = text === undefined ? undefined : sizeIn(text)
    if (size === undefined) continue
    const factor = size.unit === 'people' ? size.count / industry.people : size.count
    return { named: size.words, factor, isAlone: size.unit === 'people' && size.count === 1 }
  }
  return { named: undefined, factor: 1, isAlone: false }
}

interface Size {
  readonly count: number
  readonly unit: 'people' | 'sites'
  readonly words: string
}

const numerals =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, index) => [word, index + 1] as const)
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'
  .split(' ')
  .map((word, index) => [word, (index + 2) * 10] as const)
const words = new Map<string, number>([
  ...numerals,
  ...tens,
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1000],
])

const numeral = `(?:\\d{1,3}(?:,\\d{3})+|\\d{1,6}|${[...words.keys()].join('|')})`
const people =
  'people|persons?|employees?|staff(?: members?)?|members of staff|colleagues|workers|of us|fte|dentists?|plumbers?|electricians?|lawyers?|attorneys?|solicitors?|(?:real estate |estate |sales )?agents?|nurses?|doctors?|physicians?|clinicians?|therapists?|vets?|teachers?|tutors?|consultants?|coaches|coach|accountants?|bookkeepers?|technicians?|mechanics?|engineers?|developers?|drivers?|stylists?|barbers?|hairdressers?|designers?|architects?|brokers?|advisers?|advisors?|cleaners?|cooks?|chefs?|waiters?|freelancers?'
const sites =
  'locations?|sites?|branches|branch|offices?|clinics?|practices?|hospitals?|stores?|shops?|salons?|restaurants?|caf(?:e|é)s?|bakeries|bakery|pharmacies|pharmacy|schools?|campuses|plants?|factories|factory|warehouses?|studios?|gyms?|hotels?|agencies|firms?|garages?|dealerships?'

const patterns: readonly { readonly unit: Size['unit']; readonly pattern: RegExp }[] = [
  {
    unit: 'people',
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}$€£.,-])(${numeral})[ -]+(?:(?:full-time|part-time|small|local|licensed|skilled|hard-working|experienced)[ -])?(?:${people})(?![\\p{L}\\p{N}])`,
      'iu',
    ),
  },
  { unit: 'people', pattern: new RegExp(`\\bteam of (${numeral})(?![\\p{L}\\p{N}])`, 'iu') },
  {
    unit: 'sites',
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}$€£.,-])(${numeral})[ -]+(?:(?:small|local|dental|medical|coffee|retail|family|independent|own|company-owned|veterinary|outpatient|hair|regional|franchise|community|busy|grocery|book|shoe|pet|law|bakery|physical therapy)[ -])*(?:${sites})(?![\\p{L}\\p{N}])`,
      'iu',
    ),
  },
]

const alone =
  /\b(?:solo|sole (?:trader|proprietor|practitioner)|one[- ](?:person|man|woman)|single-handed|self-employed|freelance(?:r)?|just me|only me|on my own|i work alone|by myself|a single (?:plumber|electrician|lawyer|dentist|consultant|coach|designer|tutor))\b/i

/** Removes the size from a text: "we are twelve people" says nothing of the kind of business. */
export function withoutSize(text: string): string {
  const size = sizeIn(text)
  return size === undefined ? text : text.replace(new RegExp(escaped(size.words), 'iu'), ' ')
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Reads the first size in a text. */
function sizeIn(text: string): Size | undefined {
  const solo = alone.exec(text)
  if (solo) return { count: 1, unit: 'people', words: solo[0].toLowerCase() }
  for (const { unit, pattern } of patterns) {
    const found = pattern.exec(text)
    const count = found?.[1] === undefined ? undefined : numberOf(found[1])
    if (found && count !== undefined && count > 0) return { count, unit, words: found[0].toLowerCase() }
  }
  return undefined
}

function numberOf(text: string): number | undefined {
  return words.get(text.toLowerCase()) ?? Number(text.replaceAll(',', ''))
}

/** The opportunity with volumes of this scale; undefined when less than an hour a month would be saved. */
export function scaled(opportunity: Opportunity, { factor }: Scale): Opportunity | undefined {
  if (factor === 1) return opportunity
  const hours = hoursSaved(scaledTask(opportunity.hours.task, factor))
  return hours.min < 1 ? undefined : { ...opportunity, hours }
}

/** Small numbers a day become numbers a week, so that no basis says "0 visits a day". */
function scaledTask(task: Task, factor: number): Task {
  const count = task.count * factor
  if (task.per === 'day' && count < 4) return fitted({ ...task, per: 'week' }, count * 5)
  if (task.per === 'week' && count < 3) return fitted({ ...task, per: 'month' }, count * 4.33)
  return fitted(task, count)
}

function fitted(task: Task, count: number): Task {
  const step = count >= 200 ? 10 : count >= 40 ? 5 : 1
  return { ...task, count: Math.max(2, Math.round(count / step) * step) }
}
