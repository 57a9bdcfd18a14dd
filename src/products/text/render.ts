import type { Analysis, AnalysisRequest, Blog, Research, ResearchRequest } from './engine.ts'
import { blocks, bullets, heading, inline, labelled, numbered } from './markdown.ts'
import type { AnalysisParts, BlogParts, OpportunityParts, ResearchParts } from './parts.ts'
import { capitalized, listOf, oneLine, presentText, sentence } from './plain-text.ts'

/**
 * Turns parts into the markdown that is sold. Every string passes through `inline` here and nowhere
 * else, so this file is the one to read when asking whether a caller's or a model's text can smuggle
 * markup into the product.
 */

/** Longer names and questions are cut: a page of name would push the product out of sight. */
const maxName = 120
const maxQuestion = 600

/** An analysis: summary, answer to the question, three opportunities, total, quick win, assumptions. */
export function renderAnalysis(request: AnalysisRequest, parts: AnalysisParts): Analysis {
  return {
    industry: presentText(request.industry) === undefined ? parts.industry : (request.industry ?? ''),
    insights: insights(request, parts),
  }
}

function insights(request: AnalysisRequest, parts: AnalysisParts): string {
  const { opportunities, quickWin } = parts
  const name = presentText(request.businessName, maxName) ?? 'this business'
  const question = presentText(request.question, maxQuestion)
  return blocks(
    heading(1, `Automation opportunities for ${name}`),
    inline(parts.summary),
    ...(question === undefined || parts.answer.length === 0
      ? []
      : [heading(2, 'Your question'), `> ${inline(question)}`, ...parts.answer.map(inline)]),
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

function opportunity(parts: OpportunityParts, index: number): string {
  return blocks(
    heading(3, parts.title, `${index + 1}. `),
    inline(parts.description),
    labelled('Today', parts.currentState),
    labelled('With automation', parts.potentialState),
    labelled(
      'Time saved',
      `${hours(parts.hoursMin, parts.hoursMax)} a month. Basis: ${sentence(parts.basis)}`,
    ),
    labelled('Impact and effort', `${parts.impact} impact, ${parts.effort} effort`),
    labelled('How to build it', sentence(capitalized(listOf(parts.approach)))),
    labelled('Recommended tools', sentence(listOf(parts.tools))),
    labelled('Watch out', parts.caution),
  )
}

function savings(opportunities: readonly OpportunityParts[]): string {
  const least = opportunities.reduce((sum, each) => sum + each.hoursMin, 0)
  const most = opportunities.reduce((sum, each) => sum + each.hoursMax, 0)
  return blocks(
    bullets(opportunities.map((each) => `${each.title}: ${hours(each.hoursMin, each.hoursMax)} a month`)),
    labelled(
      'Together',
      `${hours(least, most)} a month, or about ${range(Math.round(least / 8), Math.round(most / 8))} working days of eight hours. The three overlap a little, so plan with the lower figure.`,
    ),
  )
}

function hours(least: number, most: number): string {
  return `${range(least, most)} hours`
}

function range(least: number, most: number): string {
  return least === most ? String(least) : `${least} to ${most}`
}

/** A lead profile: overview, pain points, outreach angle with a first message, conversation starters. */
export function renderResearch(request: ResearchRequest, parts: ResearchParts): Research {
  return { research: profile(presentText(request.companyName, maxName) ?? 'the company', parts) }
}

function profile(company: string, parts: ResearchParts): string {
  const { outreach } = parts
  return blocks(
    heading(1, `Lead research: ${company}`),
    heading(2, 'Company overview'),
    ...parts.overview.map(inline),
    heading(2, 'Pain-point analysis'),
    ...parts.painPoints.flatMap((pain) => [
      heading(3, pain.title),
      inline(pain.detail),
      labelled('Sign to look for', pain.check),
    ]),
    heading(2, 'Outreach angle'),
    labelled('Written for', outreach.role),
    ...outreach.angle.map(inline),
    labelled('Expect this objection', outreach.objection),
    heading(3, 'A first message'),
    outreach.message.map((paragraph) => `> ${inline(paragraph)}`).join('\n>\n'),
    heading(2, 'Conversation starters'),
    numbered(parts.starters),
    heading(2, 'What this rests on'),
    bullets(parts.assumptions),
  )
}

/**
 * An article: one first-level heading, sections, and questions with answers under third-level headings
 * at the end, which is the form that FAQ structured data is generated from.
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
