import { readFile, writeFile } from 'node:fs/promises'

/**
 * The peak of a process's resident memory, as Linux keeps it. Samples would miss a peak that lasts for less than the
 * time between two of them.
 */

/** Forgets the peak so far. See clear_refs in https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html */
export async function resetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5')
}

/** @returns megabytes. */
export async function readPeakMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(status) ?? []
  if (kilobytes === undefined) throw new Error(`the memory of process ${pid} cannot be read`)
  return Math.round(Number(kilobytes) / 1024)
}
