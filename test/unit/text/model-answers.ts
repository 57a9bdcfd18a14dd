import type { AnalysisParts, BlogParts, ResearchParts } from '../../../src/products/text/parts.ts'

/** Replies of a model that are fit to be sold. */

function opportunity(title: string): AnalysisParts['opportunities'][number] {
  return {
    title,
    description: 'Requests are sorted and answered.',
    currentState: 'Someone reads everything.',
    potentialState: 'Only exceptions reach a person.',
    hoursMin: 11,
    hoursMax: 22,
    volume: { count: 100, unit: 'requests', per: 'week', minutes: 5, removedFrom: 30, removedTo: 60 },
    impact: 'high',
    effort: 'low',
    approach: ['a shared inbox', 'approved answers'],
    tools: ['Front', 'Help Scout'],
    seen: '',
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

/** Makes an article of about `words` words, in which no sentence stands twice. */
export function articleOf(words: number): BlogParts {
  let day = 0
  const paragraph = (count: number) => {
    const sentences: string[] = []
    for (let written = 0; written < count; written += 17) {
      day += 1
      sentences.push(
        `On day ${day} the clerk reads letter ${day * 3}, checks it against order ${day * 7}, and files it in folder ${day * 11}.`,
      )
    }
    return sentences.join(' ')
  }
  const each = Math.round((words - 80) / 8)
  return {
    title: 'A fine article',
    introduction: [paragraph(each)],
    sections: ['One', 'Two', 'Three', 'Four'].map((heading, index) => ({
      heading,
      paragraphs: [paragraph(each)],
      steps: index === 2 ? ['Open the first letter.', 'Write down its date.', 'Put it into its folder.'] : [],
      after: [],
    })),
    faq: ['What is it?', 'Who needs it?', 'When does it pay?'].map((question) => ({
      question,
      answer: paragraph(each),
    })),
  }
}
