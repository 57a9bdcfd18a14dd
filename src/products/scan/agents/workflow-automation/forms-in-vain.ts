import { asking, type Evidence, fail, type Outcome, warn } from '../../findings/check.ts'
import { asksConsent } from '../../findings/forms/consent.ts'
import { countForms, pagesOfForms, type SilentForm } from '../../findings/forms/silent-forms.ts'
import { runsNoPrograms } from '../../findings/hosting.ts'
import { maxPlaces } from '../../findings/share.ts'
import { pathOf, shown } from '../../site/addresses.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { type Form, isEntry } from '../../site/html/forms.ts'
import { around } from '../../site/html/visible-text.ts'
import { markupOf } from '../accessibility-actionability/markup.ts'

/** As far as the scripts of the page were read. A test by the owner settles it. */
export function formsThatSendNothing(
  forms: readonly SilentForm[],
  effect = 'No message arrives.',
  judge: typeof fail = fail,
): Outcome {
  const hasServer = programOf(forms) === undefined && !forms.some(({ page }) => runsNoPrograms(page.reply))
  const found = judge(
    `${reasonOf(forms)} ${effect}`,
    `Let ${countForms(forms) === 1 ? 'the form' : 'each form'} on ${pagesOfForms(forms)} really send what is typed in, to a form service${hasServer ? ' or to your server' : ''}. ${forms.some((form) => form.isNameless || namelessFields(form).length > 0) ? 'Give each field a name first. ' : ''}${forms.every(hasButton) ? '' : 'Put a button of the type “submit” where only a link looks like one. '}Then send a test through every form of the site, and see that it arrives. Does a page say that its form is only a demonstration? Then take that sentence out once the form works.`,
    ...forms
      .slice(0, maxPlaces)
      .flatMap((form) => [
        { url: form.page.url, value: whySilent(form) },
        ...(form.isNameless ? [] : namelessFields(form)),
      ]),
  )
  return asking(found, {
    kind: 'mend-forms',
    isForBooking: forms.some(({ use }) => use === 'booking'),
    isConsentAsked: !forms.every(asksConsent),
  })
}

/** Forms for comments and reviews. The business is reached without them. */
export function commentsInVain(forms: readonly SilentForm[]): Outcome {
  return formsThatSendNothing(forms, 'What visitors write there is lost.', warn)
}

/**
 * The fields that a browser leaves out when it sends the form. Where all of them lack a name, a script of the site takes
 * them by their ids, as far as is known.
 */
export function namelessFields({ node, page }: Form): Evidence[] {
  const fields = page.elements.filter((element) => element.form === node && isEntry(element))
  const nameless = fields.filter((field) => attributeOf(field.node, 'name') === '')
  if (nameless.length === fields.length) return []
  return nameless.slice(0, maxFields).map((field) => ({
    url: page.url,
    value: `${markupOf(field)} has no name attribute, so nothing is sent of it`,
  }))
}

const maxFields = 10

/** A link that looks like a button sends no form by itself. */
function hasButton({ node, page }: SilentForm): boolean {
  return page.elements.some(
    ({ name, node: control, form }) =>
      (form === node || around(control).includes(node)) &&
      (name === 'button' || (name === 'input' && /^(?:submit|image)$/i.test(attributeOf(control, 'type')))),
  )
}

function reasonOf(forms: readonly SilentForm[]): string {
  const count = countForms(forms)
  const isOne = count === 1
  const subject = isOne
    ? `A form${forms.length > 1 ? ` that stands on ${forms.length} pages` : ''}`
    : `${count} forms`
  if (forms.every((form) => form.isNameless))
    return `${subject} ${isOne ? 'has' : 'have'} fields without a name. A browser sends nothing of such fields.`
  if (forms.every((form) => form.isStopped))
    return `${subject} ${isOne ? 'keeps' : 'keep'} the browser from sending, and no script sends what is typed in, as far as we can read the scripts.`
  const program = programOf(forms)
  if (isEachSentToItself(forms))
    return `${subject} ${isOne ? 'is sent to its own page' : 'are sent to their own pages'}, and no script of ${isOne ? 'it' : 'them'} takes what is typed in, as far as we can read the scripts. GitHub Pages, which serves this site, runs no program that could.`
  if (program === undefined)
    return `${subject} ${isOne ? 'thanks its visitor and sends' : 'thank their visitors and send'} nothing, as far as we can read the scripts.`
  const sent = forms.filter((form) => form.program !== undefined)
  const refusal = !forms.some(({ page }) => runsNoPrograms(page.reply))
    ? `${shown(pathOf(program))} is a program, and the server of this site sends the source of such programs and runs none`
    : isPhp(program)
      ? `${shown(pathOf(program))} is a PHP program, and GitHub Pages, which serves this site, runs none`
      : `what is sent to ${shown(pathOf(program))} is refused by GitHub Pages, which serves this site`
  const part = countForms(sent)
  return `${subject} ${isOne ? 'delivers' : 'deliver'} nothing, as far as we can read the scripts${part === count ? '' : `. ${part === 1 ? 'One is' : `${part} are`} sent to a program of this host`}: ${refusal}.`
}

function programOf(forms: readonly SilentForm[]): string | undefined {
  return forms.find(({ program }) => program !== undefined)?.program
}

function isEachSentToItself(forms: readonly SilentForm[]): boolean {
  return forms.every((form) => form.isSentToItself)
}

function whySilent({ label, program, isSentToItself, isNameless, isStopped }: SilentForm): string {
  if (isStopped) return `${shown(label)} has onsubmit="return false", and nothing else sends it`
  if (isNameless) return `${shown(label)}: no field has a name, so it sends nothing`
  if (isSentToItself) return `${shown(label)} is sent to its own page, which takes nothing`
  return program === undefined
    ? `${shown(label)}: its script only shows a message, and sends nothing`
    : `${shown(label)} is sent to ${shown(pathOf(program))}, ${isPhp(program) ? 'which this host does not run' : 'and this host refuses it'}`
}

function isPhp(url: string): boolean {
  return /\.php$/i.test(pathOf(url))
}
