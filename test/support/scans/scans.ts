import type { Analysis } from '../../../src/products/scan/findings/results.ts'
import type { PlaybookContent } from '../../../src/products/scan/playbook/playbook-content.ts'

/** The analysis of a small site. */
export function analysis(change: Partial<Analysis> = {}): Analysis {
  return {
    report: {
      readinessScore: 61,
      aeoScore: 48,
      readinessBreakdown: [{ category: 'Core snapshot', score: 61, explanation: 'No sitemap.' }],
      aeoBreakdown: [],
      executiveSummary: 'A shop in "Köln" – half of it can be read.',
      keyFindings: ['There is no sitemap.'],
      totalTimeSavingsPotential: 'none found',
      workflows: [],
      opportunities: [],
    },
    challenges: [],
    companyName: 'Example',
    industry: 'retail',
    description: '',
    coverage: 100,
    ...change,
  }
}

export function playbook(): PlaybookContent {
  const phase = { goal: 'Be found', tasks: [] }
  return {
    skillCount: 0,
    topPrioritySkills: [],
    roadmap: { days_1_30: phase, days_31_60: phase, days_61_90: phase },
    skills: [],
    tools: [],
    priorities: [],
  }
}
