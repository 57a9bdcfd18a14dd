import type { Level, Opportunity, Workflow } from '../findings/results.ts'
import { isUnseen } from '../findings/scripted/shell.ts'
import { nodesOf } from '../site/html/json-ld.ts'
import { isPathOfKind } from '../site/kinds/page-kinds.ts'
import type { Site } from '../site/site.ts'
import { type AutomationRule, bySoftware, type Process, seenAt, toolsFor } from './automation-rule.ts'
import { contactRules } from './contact/contact-rules.ts'
import { mayAskForReviews } from './industry/trade-rules.ts'
import { publishingRules } from './publishing-rules.ts'
import type { Signals } from './signals.ts'
import { isArchived } from './site-kind/archived.ts'
import { kindOfSite } from './site-kind/site-kind.ts'

/**
 * Derives what could be automated from the signals, by fixed rules and without a model: the same signals
 * give the same processes, hours and order, so two scans can be compared. The hours are an estimate for a
 * small business, nothing about them was measured, and every text that names them says so. From the shell of
 * an application no rule concludes.
 */
export function workflowsAndOpportunities(
  site: Site,
  signals: Signals,
): { workflows: Workflow[]; opportunities: Opportunity[] } {
  if (site.pages.length === 0) return { workflows: [], opportunities: [] }
  const isHelpful = ({ id }: AutomationRule) =>
    (id !== 'opp-review-requests' || (kindOfSite(site) === 'business' && mayAskForReviews(site))) &&
    !(isArchived(site) && publishingRules.some((rule) => rule.id === id))
  const rules = isUnseen(site) ? [] : [...contactRules, ...publishingRules].filter(isHelpful)
  const matches = rules.flatMap((rule) => {
    const currentState = rule.currentState(signals)
    return currentState === undefined ? [] : [{ rule, currentState }]
  })
  const factor = sizeFactor(signals.sitemapUrls)
  const isForDevelopers = site.profile.api || site.profile.app
  return {
    workflows: [...matches.map(manualWorkflow), ...runningWorkflows(signals)],
    opportunities: matches
      .map((match) => opportunityOf(match, factor, isForDevelopers))
      .sort(byWorth)
      .map((opportunity, index) => ({ ...opportunity, priority: index + 1 }))
      .map((opportunity) => (isPublication(site, signals) ? withoutHours(opportunity) : opportunity)),
  }
}

/**
 * Whether the site only publishes: articles or documentation, without a price, a shop, booking, a telephone number or
 * markup of a place that customers visit. Such a site has no enquiries or orders that could cost hours.
 */
function isPublication({ pages, profile, origin }: Site, { pricing, shop, booking }: Signals): boolean {
  const publishes =
    profile.content ||
    profile.api ||
    /^https?:\/\/(?:docs?|developers?|blog|wiki)\./.test(origin) ||
    pages.some(({ url }) => isPathOfKind(url, 'docs'))
  return publishes && !sells()

  function sells(): boolean {
    return (
      pricing.how === 'amounts' ||
      pricing.how === 'on-request' ||
      shop.how === 'shop' ||
      booking.how === 'scheduler' ||
      booking.how === 'contact' ||
      pages.some((page) => page.phones.length > 0 || nodesOf(page, 'LocalBusiness').length > 0)
    )
  }
}

function withoutHours(opportunity: Opportunity): Opportunity {
  const { estimatedTimeSavingsHours: _, estimatedTimeSavingsRange: __, ...rest } = opportunity
  return rest
}

interface Match {
  readonly rule: AutomationRule
  readonly currentState: string
}

/** Larger sites belong to businesses with more work. Without a sitemap the smallest size is assumed. */
function sizeFactor(urls: number): number {
  if (urls < 50) return 0.75
  return urls <= 500 ? 1 : 1.5
}

type Ranked = Opportunity & { readonly estimatedTimeSavingsHours: number }

function opportunityOf({ rule, currentState }: Match, factor: number, isForDevelopers: boolean): Ranked {
  const [min, max] = rule.hours
  return {
    id: rule.id,
    title: rule.title,
    description: rule.description,
    currentState,
    potentialState: rule.potentialState,
    impact: rule.impact,
    effort: rule.effort,
    category: rule.category,
    estimatedTimeSavingsHours: Math.round(((min + max) / 2) * factor * 10) / 10,
    estimatedTimeSavingsRange: `${Math.round(min * factor)}–${Math.round(max * factor)} hours a month, estimated`,
    automationApproach: [...rule.approach],
    recommendedTools: [...toolsFor(rule.category, isForDevelopers)],
  }
}

const worth: Readonly<Record<Level, number>> = { high: 3, medium: 2, low: 1 }

/** Orders by impact for the effort, then by hours; equal ones keep the order of the rules. */
function byWorth(a: Ranked, b: Ranked): number {
  const ratio = ({ impact, effort }: Ranked) => worth[impact] / worth[effort]
  return ratio(b) - ratio(a) || b.estimatedTimeSavingsHours - a.estimatedTimeSavingsHours
}

function manualWorkflow({ rule, currentState }: Match): Workflow {
  return {
    ...processOf(rule.workflow),
    isDeterministic: rule.isDeterministic,
    automationPotential: rule.impact,
    currentState,
  }
}

/**
 * Workflows that already run through software. They are listed so that the report shows the whole site and
 * not only its gaps.
 */
function runningWorkflows({ leads, services, booking, shop, hiring }: Signals): Workflow[] {
  const crm = services.find(({ kinds }) => kinds.includes('crm'))
  return [
    ...(leads.how === 'form' && crm ? [running(enquiries, [...leads.evidence, crm.evidence])] : []),
    ...(booking.how === 'scheduler' ? [running(appointments, booking.evidence)] : []),
    ...(shop.how === 'shop' ? [running(orders, shop.evidence)] : []),
    ...(hiring.how === 'service' ? [running(applications, hiring.evidence)] : []),
  ]
}

function running(process: Process, evidence: Parameters<typeof seenAt>[0]): Workflow {
  return {
    ...processOf(process),
    isDeterministic: true,
    automationPotential: 'low',
    currentState: `It runs through software already: ${seenAt(evidence)}.`,
  }
}

function processOf({ name, description, steps }: Process): Pick<Workflow, 'name' | 'description' | 'steps'> {
  return { name, description, steps: steps.map((step) => ({ ...step })) }
}

const enquiries: Process = {
  name: 'Enquiry by form with a contact system',
  description: 'How an enquiry becomes a contact.',
  steps: [
    bySoftware('Send the form', 'The visitor fills in the form.'),
    bySoftware('Open a contact', 'A contact system is connected to the site.'),
  ],
}

const appointments: Process = {
  name: 'Online booking',
  description: 'How an appointment is made.',
  steps: [
    bySoftware('Show free times', 'The scheduling service reads the calendar.'),
    bySoftware('Book', 'The visitor picks a time, and the calendar holds it.'),
  ],
}

const orders: Process = {
  name: 'Online order',
  description: 'How something is bought.',
  steps: [
    bySoftware('Choose', 'The visitor chooses from what is offered.'),
    bySoftware('Order', 'The order is placed online.'),
  ],
}

const applications: Process = {
  name: 'Application through a hiring service',
  description: 'How an application is received.',
  steps: [bySoftware('Apply', 'The applicant fills in the same questions as everybody.')],
}
