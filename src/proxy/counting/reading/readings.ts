import { type ItemsTask, type ReadItems, readItems } from './items.ts'
import { type ReadRequest, type RequestTask, readRequest } from './request.ts'
import {
  type EventTask,
  type ReplyTask,
  readEventTokens,
  readReplyTokens,
  type TokenCount,
} from './tokens.ts'

/** What is read of bodies to count them. A caller or an upstream chooses these bodies. */
export interface ReadingTasks {
  readonly request: RequestTask
  readonly reply: ReplyTask
  readonly event: EventTask
  readonly items: ItemsTask
}

export interface ReadingResults {
  readonly request: ReadRequest
  readonly reply: TokenCount | undefined
  readonly event: TokenCount
  readonly items: ReadItems | undefined
}

export const readings: {
  readonly [Name in keyof ReadingTasks]: (task: ReadingTasks[Name]) => ReadingResults[Name]
} = { request: readRequest, reply: readReplyTokens, event: readEventTokens, items: readItems }

/**
 * Reads a body: at once if it is small, otherwise in a thread.
 * @returns undefined for a body that cannot be read, or that takes more time or memory than it may.
 */
export type Read = <Name extends keyof ReadingTasks>(
  name: Name,
  task: ReadingTasks[Name],
) => ReadingResults[Name] | Promise<ReadingResults[Name] | undefined>
