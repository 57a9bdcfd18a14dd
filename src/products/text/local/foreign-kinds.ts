import { terms } from '../knowledge/industry.ts'
import { wordsOf } from './words.ts'

/**
 * Kinds of organization that the knowledge base does not describe, although one of their words is the alias of an
 * industry: a food bank lends no money, and a hospital does not run like a practice with four clinicians. Without this
 * list they would get a text about another kind of work.
 */
const foreign =
  terms(`food bank, food pantry, soup kitchen, blood bank, blood drive, sperm bank, seed bank, time bank, toy
  library, power bank, river bank, hospital, health system, medical school, university, research institute, airline,
  airport, railway, nonprofit, non-profit, charity, charitable, foundation, church, parish, mosque, synagogue, temple, ngo,
  association, trade union, labor union, sports club, football club, government, municipality, city council, city hall,
  public sector, ministry, army, navy, police, fire department, embassy, prison, political party, energy,
  utilities, power plant, nuclear plant, wind farm, solar farm, server farm, waste management, oil and gas, mining,
  quarry, farm, farming, agriculture, ranch, vineyard, fishery, forestry, film, movie, music label, record label, museum,
  zoo, aquarium, theater, theatre, opera, orchestra, newspaper, publisher, publishing, broadcaster, radio station, casino,
  gambling, betting, semiconductor, telecom, data center, hedge fund, private equity, venture capital, crypto exchange,
  vacation rental, short-term rental, airbnb, self storage, coworking, cemetery, funeral
  home, shelter, orphanage, volunteer, donor, fundraising, circus, theme park, shipyard, houseplant, plant care, garden plant`)

/** Of these, the ones that are another kind of business with a longer name. */
const familiar = terms(`animal hospital, pet hospital, veterinary hospital, hotel association,
  solar installer, movie rental store, zoo animal vet, farm shop, farm store, theater lighting store`)

const foreignWords = foreign.map((name) => ({ name, words: wordsOf(name).map(singular) }))
const familiarWords = familiar.map((name) => wordsOf(name).map(singular))

/** The kinds without a profile that a text names, each in its singular. */
export function foreignKindsIn(text: string): readonly string[] {
  const words = wordsOf(text).map(singular)
  if (familiarWords.some((wanted) => startsOf(words, wanted).length > 0)) return []
  return foreignWords
    .filter(({ words: wanted }) => startsOf(words, wanted).length > 0)
    .map(({ name }) => name)
}

/** The text without these kinds, so that a part of their name is not taken for an industry. */
export function withoutForeignKinds(text: string): string {
  const kinds = new Set(foreignKindsIn(text))
  if (kinds.size === 0) return text
  const words = wordsOf(text)
  const singulars = words.map(singular)
  const isGone = words.map(() => false)
  for (const { name, words: wanted } of foreignWords) {
    if (!kinds.has(name)) continue
    for (const start of startsOf(singulars, wanted)) isGone.fill(true, start, start + wanted.length)
  }
  return words.filter((_, place) => !isGone[place]).join(' ')
}

/** Where the wanted words stand one after the other. */
function startsOf(words: readonly string[], wanted: readonly string[]): readonly number[] {
  return words.flatMap((_, start) =>
    wanted.every((each, offset) => words[start + offset] === each) ? [start] : [],
  )
}

/** Word stems would make "better" a form of "betting". */
function singular(word: string): string {
  if (word.length < 4) return word
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<=sh|ch|x)es$/, '')
    .replace(/(?<=[^siu])s$/, '')
}
