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
    !things.test(first.text) &&
    others.some(({ text }) => learned.test(text.trim()))
  )
}

const personsName = /^(?:\p{Lu}[\p{Ll}'’-]+\.?\s){1,3}\p{Lu}[\p{L}'’-]+$/u
/** The whole heading: "Training your bite" and "Formation des caries" are about something else. */
const learned =
  /^(?:(?:education|qualifications?|training|academic background|ausbildung|werdegang|qualifikation(?:en)?|formation|diplômes|parcours|formación|estudios|formazione|studi|formação|opleiding(?:en)?|eğitim|образование|wykształcenie)(?:\s(?:académica|académicos|universitarios|accademica|professionale|universitaria|universitaire|professionnelle|professionnel|continue|acadêmica|zawodowe))?(?:(?:,\s|\s?[&/+]\s?|\s(?:and|und|et|y|e|en|ve|i|и)\s)\p{L}[\p{L}-]{1,20}(?:\s\p{L}[\p{L}-]{1,20})?){0,3})\s?:?$/iu

/** Treatments, goods and courses: "Electric Tooth Brush", "Dr Smile Whitening Kit". */
const things =
  /(?<!\p{L})(?:treatments?|therap(?:y|ies)|care|(?:kit|set)(?=\s*$)|(?:tooth)?brush|toothpaste|teeth|tooth|aligners?|braces|implants?|whitening|bleaching|crowns?|veneers?|dentures?|course|programme?|products?|dent(?:al|ale|ali|ales|aires?)|ortodon\p{L}{1,4}|orthodont\p{L}{1,4}|impiant[io]|implantes?|caries?|zahn\p{L}{0,20}|behandlung(?:en)?|tratamientos?|trattament[io]|traitements?|tedavi\p{L}{0,4}|clinic|clinique|clínica|klinik|praxis|practice|cabinet|studio|nurse)(?!\p{L})/iu

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
  return headings
    .slice(0, 3)
    .some(({ text }) => text.length <= 60 && doctor.test(text.trim()) && !goods.test(text))
}

/** Only what bears the name of a doctor and is sold: a practice that is called after one is mostly about that person. */
const goods =
  /(?<!\p{L})(?:(?:kit|set)(?=\s*$)|(?:tooth)?brush|toothpaste|whitening|bleaching|aligners?|treatments?|course|products?|shop)(?!\p{L})/iu

const doctor =
  /^(?:D[Rr]|D[Rr]A|Dra|Doctor|DOCTOR|Doktor|Docteur|Dott|Dottor|Dottoressa|Doctora|Prof|PROF)\.?(?:ssa)?\s(?:(?:med|dent|vet)\.\s?){0,2}\p{Lu}[\p{L}'’-]*\.?(?:\s\p{Lu}[\p{L}'’-]*\.?){1,3}(?:,?\s(?:[A-Z]\.?){2,4})*$/u
