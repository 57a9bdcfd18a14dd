import type { Evidence } from '../findings/check.ts'
import type { Challenge } from '../findings/results.ts'
import type { Work } from '../findings/work.ts'

/**
 * Several checks may report one fault, such as a line of robots.txt or a missing certificate. The fault is
 * charged and named once, by the finding that leads its cause. Otherwise a site would pay for one fault as
 * often as our checks meet it.
 */
export interface Fault {
  /** Agent and check: `core-snapshot/reach`. */
  readonly id: string
  readonly severity: Challenge['severity']
  readonly evidence: readonly Evidence[]
  /** What it asks for, where that tells two faults of one check apart. */
  readonly work?: Work | undefined
}

/**
 * Finds faults that have the same cause. Returns the id of the leading fault for each of them. A report names
 * them once.
 */
export function leadersOf(faults: readonly Fault[]): ReadonlyMap<string, string> {
  return leadersBy(sharedCauses, faults)
}

/**
 * The same for faults that are charged once. All but the leader cost nothing, so only faults belong here that
 * the leader's fix removes for certain. A fault that stays would cost something only when its leader is
 * mended, and mending a fault could lower the score.
 */
export function chargedOnce(faults: readonly Fault[]): ReadonlyMap<string, string> {
  return leadersBy(
    sharedCauses.filter(({ isChargedOnce }) => isChargedOnce),
    faults,
  )
}

function leadersBy(causes: readonly SharedCause[], faults: readonly Fault[]): ReadonlyMap<string, string> {
  const leaders = new Map<string, string>()
  for (const { leads, others, needs } of causes) {
    if (needs !== undefined && !faults.some((fault) => isSymptom(needs, fault))) continue
    const lead = leads.flatMap((symptom) => faults.filter((fault) => isSymptom(symptom, fault)))[0]
    if (lead === undefined) continue
    const seen = faults.filter((fault) => [...leads, ...others].some((symptom) => isSymptom(symptom, fault)))
    for (const { id } of seen) if (!leaders.has(id)) leaders.set(id, lead.id)
  }
  return leaders
}

function isSymptom(symptom: Symptom, fault: Fault): boolean {
  return fault.severity !== 'unmeasured' && fault.id === symptom.id && (symptom.when?.(fault) ?? true)
}

interface SharedCause {
  /** The first of these that was found leads; the one with the clearest fix comes first. */
  readonly leads: readonly Symptom[]
  /** Faults that the same fix removes. */
  readonly others: readonly Symptom[]
  /** Without this fault there is no such cause. */
  readonly needs?: Symptom
  readonly isChargedOnce: boolean
}

/** A check that reports the cause, if the fault fits `when`. */
interface Symptom {
  readonly id: string
  readonly when?: (fault: Fault) => boolean
}

const textChecks: readonly Symptom[] = [
  { id: 'render-performance/js-shell' },
  { id: 'core-snapshot/ssr-text', when: isSevere },
  { id: 'content-answerability/depth' },
  { id: 'content-answerability/answer-first' },
]

const sharedCauses: readonly SharedCause[] = [
  {
    // The site has no https. On a site with https the same checks report other faults.
    leads: [{ id: 'core-snapshot/reach', when: hasQuote(/^status 200 .{0,100} at http:/) }],
    others: [
      { id: 'crawl-access/canonical', when: hasQuote(/http:/) },
      { id: 'security-safety/https-redirect' },
      { id: 'security-safety/hsts' },
    ],
    isChargedOnce: true,
  },
  {
    // The page is an empty shell, so every check of the text fails. Texts that its owner adds may land in the same scripts.
    leads: [{ id: 'render-performance/js-shell', when: isShell }],
    others: textChecks,
    isChargedOnce: true,
  },
  {
    // The page has very little text, and both checks ask for more. The step that asks for the most words stays.
    needs: { id: 'core-snapshot/ssr-text', when: isSevere },
    leads: [
      { id: 'content-answerability/depth', when: asks('length') },
      { id: 'core-snapshot/ssr-text', when: isSevere },
    ],
    others: textChecks,
    isChargedOnce: false,
  },
  {
    // Both checks ask for more words on the home page. With the 300 of the first one the 150 of the other are there, too.
    leads: [{ id: 'content-answerability/depth', when: asks('length') }],
    others: [{ id: 'core-snapshot/ssr-text', when: asks('first-text') }],
    isChargedOnce: false,
  },
  {
    // A wall stands before the pages.
    leads: [{ id: 'crawl-access/bot-wall' }, { id: 'crawl-access/challenge' }],
    others: [{ id: 'core-snapshot/reach', when: hasQuote(/^status (?!200 )/) }],
    isChargedOnce: true,
  },
  {
    // Every address answers 200 with a web page, also those of files that do not exist.
    leads: [{ id: 'crawl-access/soft-404', when: hasQuote(/^status 200\b/) }],
    others: [
      { id: 'crawl-access/robots-file', when: hasQuote(/html/) },
      { id: 'core-snapshot/llms-sane', when: hasQuote(/html/) },
      { id: 'agent-files/llms-present', when: hasQuote(/html/) },
      { id: 'agent-protocols/no-fake-200' },
      { id: 'security-safety/security-txt', when: hasQuote(/web page/) },
    ],
    isChargedOnce: true,
  },
  {
    // robots.txt refuses the bots of answer engines, those that search and those that act for a user.
    leads: [
      { id: 'crawl-access/search-tier', when: isSevere },
      { id: 'crawl-access/user-tier', when: isSevere },
    ],
    others: [{ id: 'core-snapshot/search-bots' }],
    isChargedOnce: true,
  },
  {
    leads: [{ id: 'crawl-access/search-tier' }, { id: 'core-snapshot/search-bots' }],
    others: [],
    isChargedOnce: true,
  },
  {
    leads: [{ id: 'core-snapshot/jsonld-any' }, { id: 'structured-data/organization' }],
    others: [],
    isChargedOnce: false,
  },
  {
    // The pages show no way of contact, and the facts that one check asks for are such ways.
    leads: [
      { id: 'entity-trust/nap', when: asks('first-contact-facts') },
      { id: 'entity-trust/nap', when: asks('one-way-of-contact') },
    ],
    others: [
      { id: 'core-snapshot/contact-path', when: asks('first-contact-facts') },
      // Where nothing is sold on the site, a way of contact is enough.
      { id: 'entity-trust/accountability', when: asks('who-answers') },
    ],
    isChargedOnce: false,
  },
  {
    // The site shows no form, no mail address and no telephone number. A dead number to call is a step of its own.
    leads: [
      { id: 'workflow-automation/lead-capture' },
      { id: 'core-snapshot/contact-path', when: asks('first-contact-facts') },
    ],
    others: [],
    isChargedOnce: false,
  },
  {
    // A page of questions with their answers is one job, whichever check asks for it.
    leads: [{ id: 'workflow-automation/faq' }],
    others: [{ id: 'content-answerability/question-blocks' }, { id: 'workflow-automation/support' }],
    isChargedOnce: false,
  },
  {
    // One text is the description of the page and of its preview.
    leads: [
      {
        id: 'structured-data/open-graph',
        when: ({ work }) => work?.kind === 'preview' && work.isDescriptionShared,
      },
    ],
    others: [
      {
        id: 'core-snapshot/title-desc',
        // A title that is wanted, too, is work of its own.
        when: (fault) =>
          fault.work?.kind === 'title' &&
          fault.work.title === undefined &&
          fault.work.slip === undefined &&
          fault.work.isBehindEmpty === undefined &&
          hasQuote(/^no description$/)(fault),
      },
    ],
    isChargedOnce: false,
  },
  {
    // A form for appointments sends nothing. The step that mends all forms mends it as well.
    leads: [{ id: 'workflow-automation/lead-capture', when: asks('mend-forms') }],
    others: [{ id: 'workflow-automation/booking', when: asks('mend-forms') }],
    isChargedOnce: false,
  },
  {
    // The links lead to notices that are not there, and the text of the notices is what is missing.
    leads: [{ id: 'entity-trust/legal', when: asks('notices') }],
    others: [
      {
        id: 'freshness-index/internal-links',
        when: ({ work }) => work?.kind === 'dead-links' && work.areNotices,
      },
    ],
    isChargedOnce: false,
  },
  {
    leads: [
      { id: 'security-safety/security-txt' },
      { id: 'entity-trust/accountability', when: asks('security-file') },
    ],
    others: [],
    isChargedOnce: false,
  },
]

/** As sent, the page has next to no words, also where the check only warns. */
function isShell(fault: Fault): boolean {
  return isSevere(fault) || hasQuote(/^[1-4]?\d words? without JavaScript$/)(fault)
}

/** The check failed with a large weight; a warning is not enough. */
function isSevere({ severity }: Fault): boolean {
  return severity === 'high'
}

function hasQuote(value: RegExp): (fault: Fault) => boolean {
  return ({ evidence }) => evidence.some((seen) => value.test(seen.value))
}

function asks(kind: Work['kind']): (fault: Fault) => boolean {
  return ({ work }) => work?.kind === kind
}
