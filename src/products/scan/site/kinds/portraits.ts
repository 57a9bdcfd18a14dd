import { pathOf } from '../addresses.ts'
import type { Page } from '../site.ts'

/** A page on one of the people, such as the dentist. */
export function isAboutOnePerson(page: Page): boolean {
  return isPortrait(page.url) || ofBoard.test(page.title) || isOfDoctor(page) || hasLearned(page)
}

/** "Ada Lind" above "Education & Training": what one of the people has learned. */
function hasLearned({ headings }: Page): boolean {
  const [first, ...others] = headings.slice(0, 10)
  return (
    first !== undefined &&
    personsName.test(first.text.trim()) &&
    others.some(({ text }) => learned.test(text.trim()))
  )
}

const personsName = /^(?:\p{Lu}[\p{Ll}'’-]+\.?\s){1,3}\p{Lu}[\p{L}'’-]+$/u
const learned =
  /^(?:education|qualifications?|training|academic background|ausbildung|werdegang|qualifikation(?:en)?|formation|diplômes|parcours|formación|estudios|formazione|studi|formação|opleiding(?:en)?|eğitim|образование|wykształcenie)(?!\p{L})/iu

/** `/team/dr-lind`: each of the people has a page. */
function isPortrait(url: string): boolean {
  const parts = pathOf(url)
    .toLowerCase()
    .replace(/\/(?:index\.\w{2,5})?$/, '')
    .split('/')
  return /^(?:(?:our-|unser-)?team|staff|doctors|dentists|(?:zahn)?(?:ae|ä)rzte|equipo|equipe)$/.test(
    parts.at(-2) ?? '',
  )
}

/** "Lind Foundation: Board Member" above a page for each of them. */
const ofBoard =
  /(?<!\p{L})(?:board members?|trustees?|team members?|our (?:team|staff|people|board)|vorstandsmitglied(?:er)?|mitarbeiter(?:innen)?)(?!\p{L})/iu

/** "Dr. Ada Lind" as a heading: what stands below is about that person. */
function isOfDoctor({ headings }: Page): boolean {
  return headings.slice(0, 3).some(({ text }) => text.length <= 60 && doctor.test(text.trim()))
}

const doctor =
  /^(?:D[Rr]|D[Rr]A|Dra|Doctor|DOCTOR|Doktor|Docteur|Dott|Dottor|Dottoressa|Doctora|Prof|PROF)\.?(?:ssa)?\s(?:(?:med|dent|vet)\.\s?){0,2}\p{Lu}[\p{L}'’-]*\.?(?:\s\p{Lu}[\p{L}'’-]*\.?){1,3}(?:,?\s(?:[A-Z]\.?){2,4})*$/u
