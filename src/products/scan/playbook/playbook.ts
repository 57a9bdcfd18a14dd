import type { Analysis } from '../findings/results.ts'
import type { PlaybookContent, Skill } from './playbook-content.ts'
import { rank } from './priorities.ts'
import { makeRoadmap } from './roadmap.ts'
import { makeSkills } from './skills-library.ts'

/**
 * Makes the plan for one site from the results of its scan alone. A site without findings gets an empty
 * plan. The stored analysis is enough to make the plan again.
 */
export function makePlaybook(analysis: Analysis): PlaybookContent {
  const ranked = rank(analysis)
  const skills = makeSkills(analysis, ranked)
  return {
    skillCount: skills.length,
    topPrioritySkills: skills.slice(0, 5).map(({ name }) => name),
    roadmap: makeRoadmap(ranked, analysis),
    skills,
    tools: toolsOf(skills),
    priorities: ranked.map(({ id, kind, title, impact, effort }, place) => ({
      rank: place + 1,
      id,
      kind,
      title,
      impact,
      effort,
    })),
  }
}

/** Lists each tool once with the skills that use it, in the order of the skills. */
function toolsOf(skills: readonly Skill[]): PlaybookContent['tools'] {
  const usedFor = new Map<string, string[]>()
  for (const { name, tools } of skills) {
    for (const tool of tools) usedFor.set(tool, [...(usedFor.get(tool) ?? []), name])
  }
  return [...usedFor].map(([name, uses]) => ({ name, usedFor: uses }))
}
