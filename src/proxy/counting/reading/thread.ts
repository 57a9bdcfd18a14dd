import { readings } from './readings.ts'

/** The program of the thread of `reader.ts`. */
export const { request, reply, event, items } = readings
