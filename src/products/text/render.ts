import type { Analysis, AnalysisRequest, Blog, Research, ResearchRequest } from './engine.ts'
import { blocks, bullets, heading, inline, labeled, numbered } from './markdown.ts'
import type { AnalysisParts, BlogParts, OpportunityParts, ResearchParts } from './parts.ts'
import { capitalized, listOf, oneLine, presentText, sentence } from './plain-text.ts'
import { pagesRead, type SiteReading } from './site.ts'

/**
 * Renders parts as the markdown that is sold. Every string passes through `inline` here and nowhere else: this is the
 * file to check when you ask whether text of a caller or a model can bring markup into a product.
 */

/** In characters. A name as long as a page would push the product out of sight. */
const maxNameLength = 120
const maxQuestionLength = 600

/** Renders summary, answer to the question, three opportunities, their total, the quick win and assumptions. */
export function renderAnalysis(request: AnalysisRequest, parts: AnalysisParts): Analysis {
  return {
    industry: presentText(request.industry) === undefined ? parts.industry : (request.industry ?? ''),
    insights: insights(request, parts),
  }
}

function insights(request: AnalysisRequest, parts: AnalysisParts): string {
  const { opportunities, quickWin } = parts
  const name = presentText(request.businessName, maxNameLength) ?? 'this business'
  const question = presentText(request.question, maxQuestionLength)
  return blocks(
    heading(1, `Automation opportunities for ${name}`),
    inline(parts.summary),
    ...(question === undefined || parts.answer.length === 0
      ? []
      : [heading(2, 'Your question'), `> ${inline(question)}`, ...parts.answer.map(inline)]),
    ...siteSection(request.site),
    heading(2, 'Top 3 automation opportunities'),
    ...opportunities.map(opportunity),
    heading(2, 'Time savings at a glance'),
    savings(opportunities),
    heading(2, `Quick win for this week: ${quickWin.title}`),
    inline(quickWin.why),
    numbered(quickWin.steps),
    heading(2, 'What this analysis rests on'),
    bullets(parts.assumptions),
  )
}

/** What was read, in the words of the site: the buyer sees what the rest of the text is built on. */
function siteSection(site: SiteReading | undefined): string[] {
  if (site?.outcome !== 'read') return []
  const { facts, scan } = site
  const pages = pagesRead(facts)
  const quoted = (sentences: readonly string[]) => sentences.map((each) => `“${each}”`).join(' ')
  return [
    heading(2, `What ${facts.address} says`),
    bullets([
      ...(facts.about.length === 0 ? [] : [`What it is: ${quoted(facts.about)}`]),
      facts.offers.length === 0
        ? `What it offers: ${pages} ${facts.pages.length === 1 ? 'lists' : 'list'} no offers by name.`
        : `What it offers: ${facts.offers.join('; ')}.`,
      facts.prices.length === 0
        ? `What it costs: no prices on ${pages}.`
        : `What it costs: ${facts.prices.join('; ')}.`,
      ...(facts.places.length === 0 ? [] : [`Where: ${facts.places.join('; ')}.`]),
      ...(facts.customers.length === 0 ? [] : [`For whom: ${quoted(facts.customers)}`]),
      facts.contact.length === 0
        ? `How customers get through: no way was found on ${pages}.`
        : `How customers get through: ${listOf(facts.contact)}.`,
      ...(scan === undefined || scan.findings.length === 0
        ? []
        : [
            `${scan.isPublic ? 'The latest public' : 'Your latest'} scan of the site noted: ${scan.findings.join(' ')}`,
          ]),
    ]),
  ]
}

function opportunity(parts: OpportunityParts, index: number): string {
  return blocks(
    heading(3, parts.title, `${index + 1}. `),
    inline(parts.description),
    parts.seen.trim() === '' ? '' : labeled('On the site', parts.seen),
    labeled('Today', parts.currentState),
    labeled('With automation', parts.potentialState),
    labeled('Time saved', `${hours(parts.hoursMin, parts.hoursMax)} a month. Basis: ${basisOf(parts)}`),
    labeled('Impact and effort', `${parts.impact} impact, ${parts.effort} effort`),
    labeled('How to build it', sentence(capitalized(listOf(parts.approach)))),
    labeled('Recommended tools', sentence(listOf(parts.tools))),
    labeled('Watch out', parts.caution),
  )
}

function basisOf({
  volume: { count, unit, per, minutes, removedFrom, removedTo },
}: OpportunityParts): string {
  return `${count} ${unit} a ${per} at about ${minutes} minutes each, with ${range(removedFrom, removedTo)} percent of that work removed.`
}

function savings(opportunities: readonly OpportunityParts[]): string {
  const min = opportunities.reduce((sum, each) => sum + each.hoursMin, 0)
  const max = opportunities.reduce((sum, each) => sum + each.hoursMax, 0)
  return blocks(
    bullets(opportunities.map((each) => `${each.title}: ${hours(each.hoursMin, each.hoursMax)} a month`)),
    labeled(
      'Together',
      `${hours(min, max)} a month, or about ${range(Math.round(min / 8), Math.round(max / 8))} ${Math.round(max / 8) === 1 ? 'working day' : 'working days'} of eight hours. The three overlap a little, so plan with the lower figure.`,
    ),
  )
}

function hours(min: number, max: number): string {
  return `${range(min, max)} ${max === 1 ? 'hour' : 'hours'}`
}

function range(min: number, max: number): string {
  return min === max ? String(min) : `${min} to ${max}`
}

/** Renders overview, pain points, outreach angle with a first message, and conversation starters. */
export function renderResearch(request: ResearchRequest, parts: ResearchParts): Research {
  const company = presentText(request.companyName, maxNameLength) ?? 'the company'
  return { research: profile(company, request, parts) }
}

function profile(company: string, request: ResearchRequest, parts: ResearchParts): string {
  const { outreach } = parts
  return blocks(
    heading(1, `Lead research: ${company}`),
    heading(2, 'Company overview'),
    ...parts.overview.map(inline),
    ...siteSection(request.site),
    heading(2, 'Pain-point analysis'),
    ...parts.painPoints.flatMap((pain) => [
      heading(3, pain.title),
      inline(pain.detail),
      labeled('Sign to look for', pain.check),
    ]),
    heading(2, 'Outreach angle'),
    labeled('Written for', outreach.role),
    ...outreach.angle.map(inline),
    labeled('Expect this objection', outreach.objection),
    heading(3, 'A first message'),
    outreach.message.map((paragraph) => `> ${inline(paragraph)}`).join('\n>\n'),
    heading(2, 'Conversation starters'),
    numbered(parts.starters),
    heading(2, 'What this rests on'),
    bullets(parts.assumptions),
  )
}

/**
 * Renders an article: one first-level heading, sections, and at the end questions as third-level headings, the form
 * that FAQ structured data is generated from.
 */
export function renderBlog(parts: BlogParts): Blog {
  return {
    title: oneLine(parts.title),
    content: blocks(
      heading(1, parts.title),
      ...parts.introduction.map(inline),
      ...parts.sections.flatMap((section) => [
        heading(2, section.heading),
        ...section.paragraphs.map(inline),
        numbered(section.steps),
        ...section.after.map(inline),
      ]),
      heading(2, 'Frequently asked questions'),
      ...parts.faq.flatMap(({ question, answer }) => [heading(3, question), inline(answer)]),
    ),
  }
}
