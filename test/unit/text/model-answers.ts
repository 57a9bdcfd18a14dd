import type { AnalysisParts, BlogParts, ResearchParts } from '../../../src/products/text/parts.ts'

/** Replies of a model that are fit to be sold. */

function opportunity(title: string): AnalysisParts['opportunities'][number] {
  return {
    title,
    description: 'Requests are sorted and answered.',
    currentState: 'Someone reads everything.',
    potentialState: 'Only exceptions reach a person.',
    hoursMin: 10,
    hoursMax: 20,
    basis: '100 requests a week at about 5 minutes each',
    impact: 'high',
    effort: 'low',
    approach: ['a shared inbox', 'approved answers'],
    tools: ['Front', 'Help Scout'],
    caution: 'Complaints go to a person.',
  }
}

export const goodAnalysis: AnalysisParts = {
  industry: 'retail',
  summary: 'Most hours go into routine questions.',
  answer: ['Begin with the inbox.'],
  opportunities: [opportunity('Inbox'), opportunity('Booking'), opportunity('Invoices')],
  quickWin: {
    title: 'Write ten answers',
    why: 'It takes an hour.',
    steps: ['Count the questions.', 'Write the answers.'],
  },
  assumptions: ['A shop with ten people was assumed.'],
}

export const goodResearch: ResearchParts = {
  overview: ['The company is known by its name only.'],
  painPoints: ['Slow answers', 'Late invoices', 'Lost stock'].map((title) => ({
    title,
    detail: 'It costs customers.',
    check: 'Read the reviews.',
  })),
  outreach: {
    role: 'Owner',
    angle: ['Speak about evenings.'],
    objection: 'There is no time.',
    message: ['Most shops answer the same question forty times.', 'How is it with you?'],
  },
  starters: ['What takes longest?', 'Who answers?', 'What is asked most?', 'What would you drop?'],
  assumptions: ['Nothing was verified.'],
}

/** Makes an article of about `words` words. */
export function articleOf(words: number): BlogParts {
  const paragraph = (count: number) => `${'word '.repeat(Math.max(1, count)).trim()}.`
  const each = Math.round((words - 60) / 8)
  return {
    title: 'A fine article',
    introduction: [paragraph(each)],
    sections: ['One', 'Two', 'Three', 'Four'].map((heading) => ({
      heading,
      paragraphs: [paragraph(each)],
      steps: [],
      after: [],
    })),
    faq: ['What is it?', 'Who needs it?', 'When does it pay?'].map((question) => ({
      question,
      answer: paragraph(each),
    })),
  }
}
