import { freeing } from '../../../platform/threads/freeing.ts'
import { readings } from './readings.ts'

/** The program of the thread of `reader.ts`. */
export const request = freeing(readings.request)
export const reply = freeing(readings.reply)
export const event = freeing(readings.event)
export const items = freeing(readings.items)
