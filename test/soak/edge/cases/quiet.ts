import { setTimeout as pause } from 'node:timers/promises'
import type { Case } from '../case.ts'

export const quiet: readonly Case[] = [
  {
    name: 'quiet',
    attack: 'no attack: what the probes alone find',
    prepare: async ({ sizes }) => {
      return async () => {
        await pause(sizes.seconds * 1_000)
        return []
      }
    },
  },
]
