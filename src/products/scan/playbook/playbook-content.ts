import { z } from 'zod'

/**
 * What a playbook holds (2.7 of the specification), in the form that the store keeps and the API returns.
 * The ids in `relatedTo` are those of the scan's challenges and opportunities, so that every step can be
 * traced to what was seen on the site.
 */

const level = z.enum(['high', 'medium', 'low'])

const skillSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  category: z.string(),
  steps: z.array(z.string()),
  inputs: z.array(z.string()),
  outputs: z.array(z.string()),
  priority: z.number().describe('1 comes first'),
  tools: z.array(z.string()),
  relatedTo: z.array(z.string()),
})

const phaseSchema = z.object({
  goal: z.string(),
  tasks: z.array(
    z.object({
      title: z.string(),
      why: z.string(),
      effort: level,
      relatedTo: z.array(z.string()),
      steps: z.array(z.string()).optional().describe('what belongs to it, where it is more than one thing'),
    }),
  ),
})

const prioritySchema = z.object({
  rank: z.number(),
  id: z.string().describe('of the challenge or the opportunity'),
  kind: z.enum(['challenge', 'opportunity']),
  title: z.string(),
  impact: level,
  effort: level,
})

export const playbookSchema = z.object({
  skillCount: z.number().describe('how many skills it holds'),
  topPrioritySkills: z.array(z.string()).describe('names of those to begin with'),
  roadmap: z.object({ days_1_30: phaseSchema, days_31_60: phaseSchema, days_61_90: phaseSchema }),
  skills: z.array(skillSchema),
  tools: z.array(z.object({ name: z.string(), usedFor: z.array(z.string()) })),
  priorities: z.array(prioritySchema),
})

export type Skill = z.infer<typeof skillSchema>
export type Phase = z.infer<typeof phaseSchema>
export type PlaybookContent = z.infer<typeof playbookSchema>
