import { asking, fail, type Outcome } from '../../findings/check.ts'
import { asksConsent } from '../../findings/forms/consent.ts'
import { pagesOfForms, type SilentForm } from '../../findings/forms/silent-forms.ts'
import { runsNoPrograms } from '../../findings/hosting.ts'
import { listed } from '../../findings/share.ts'
import { pathOf, shown } from '../../site/addresses.ts'
import { attributeOf } from '../../site/html/elements.ts'
import { around } from '../../site/html/visible-text.ts'

/** As far as the scripts of the page were read. A test by the owner settles it. */
export function formsThatSendNothing(forms: readonly SilentForm[], effect = 'No message arrives.'): Outcome {
  const pages = pagesOfForms(forms)
  const hasServer = programOf(forms) === undefined && !forms.some(({ page }) => runsNoPrograms(page.reply))
  const found = fail(
    `${reasonOf(forms)} ${effect}`,
    `Let ${forms.length === 1 ? 'the form' : 'each form'} on ${listed(pages)} really send what is typed in, to a form service${hasServer ? ' or to your server' : ''}. ${forms.some((form) => form.isNameless) ? 'Give each field a name first. ' : ''}${forms.every(hasButton) ? '' : 'Put a button of the type “submit” where only a link looks like one. '}Then send a test through every form of the site, and see that it arrives.`,
    ...forms.slice(0, 5).map((form) => ({ url: form.page.url, value: whySilent(form) })),
  )
  return asking(found, {
    kind: 'mend-forms',
    isForBooking: forms.some(({ use }) => use === 'booking'),
    isConsentAsked: !forms.every(asksConsent),
  })
}

/** A link that looks like a button sends no form by itself. */
function hasButton({ node, page }: SilentForm): boolean {
  return page.elements.some(
    ({ name, node: control, form }) =>
      (form === node || around(control).includes(node)) &&
      (name === 'button' || (name === 'input' && /^(?:submit|image)$/i.test(attributeOf(control, 'type')))),
  )
}

function reasonOf(forms: readonly SilentForm[]): string {
  const isOne = forms.length === 1
  if (forms.every((form) => form.isNameless))
    return `${isOne ? 'A form has' : `${forms.length} forms have`} fields without a name. A browser sends nothing of such fields.`
  if (forms.every((form) => form.isStopped))
    return `${isOne ? 'A form keeps' : `${forms.length} forms keep`} the browser from sending, and no script sends what is typed in, as far as we can read the scripts.`
  const program = programOf(forms)
  if (isEachSentToItself(forms))
    return `${isOne ? 'A form is sent to its own page' : `${forms.length} forms are sent to their own pages`}, and no script of ${isOne ? 'it' : 'them'} takes what is typed in, as far as we can read the scripts. GitHub Pages, which serves this site, runs no program that could.`
  if (program === undefined)
    return `${isOne ? 'A form thanks its visitor and sends' : `${forms.length} forms thank their visitors and send`} nothing, as far as we can read the scripts.`
  const sent = forms.filter((form) => form.program !== undefined)
  const refusal = isPhp(program)
    ? `${shown(pathOf(program))} is a PHP program, and GitHub Pages, which serves this site, runs none`
    : `what is sent to ${shown(pathOf(program))} is refused by GitHub Pages, which serves this site`
  return `${isOne ? 'A form delivers' : `${forms.length} forms deliver`} nothing, as far as we can read the scripts${sent.length === forms.length ? '' : `. ${sent.length === 1 ? 'One is' : `${sent.length} are`} sent to a program of this host`}: ${refusal}.`
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
