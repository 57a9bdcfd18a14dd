import { readFile } from 'node:fs/promises'

/**
 * Reads for how long a process's first thread, which has the event loop, was ready to run and had no CPU, in
 * milliseconds. See https://docs.kernel.org/scheduler/sched-stats.html: the second figure, in nanoseconds.
 */
export async function cpuWaitMs(pid: number): Promise<number> {
  const [, waited = '0'] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')
  return Number(waited) / 1e6
}
