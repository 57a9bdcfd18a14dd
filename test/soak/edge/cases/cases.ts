import type { Case } from '../case.ts'
import { charges } from './charges.ts'
import { documents } from './documents.ts'
import { followers } from './followers.ts'
import { headers } from './headers.ts'
import { jsonBodies } from './json-bodies.ts'
import { payments } from './payments.ts'
import { pipelining } from './pipelining.ts'
import { quiet } from './quiet.ts'
import { replies } from './replies.ts'
import { slow } from './slow.ts'
import { spellings } from './spellings.ts'
import { streams } from './streams.ts'
import { upgrades } from './upgrades.ts'

/** All cases, by kind. Each kind has a file. */
export const kinds: Readonly<Record<string, readonly Case[]>> = {
  quiet,
  documents,
  pipelining,
  headers,
  spellings,
  charges,
  payments,
  upgrades,
  slow,
  streams,
  followers,
  // Late, because a process keeps much of the memory that it once took.
  'json-bodies': jsonBodies,
  replies,
}

export const cases: readonly Case[] = Object.values(kinds).flat()

/** @throws Error when there is no such case. */
export function findCase(name: string): Case {
  const found = cases.find((one) => one.name === name)
  if (!found) throw new Error(`there is no case ${name}`)
  return found
}
