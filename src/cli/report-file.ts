import { existsSync } from 'node:fs'
import { open, stat, unlink, writeFile } from 'node:fs/promises'
import { reasonOf } from '../client/fetch-failure.ts'
import { CommandError } from './command-error.ts'
import { note, print } from './output.ts'

/** The file name that stands for standard output. */
export const standardOutput = '-'

/**
 * Finds out whether a report can be written there, before a scan is started for it that uses the quota.
 * @throws CommandError when the folder is missing, or the file is a folder or may not be written
 */
export async function checkReportFile(file: string): Promise<void> {
  if (file === standardOutput) return
  try {
    const isThere = existsSync(file)
    if (isThere && (await stat(file)).isDirectory())
      throw new CommandError(`${file} is a folder. Name a file in it.`)
    // Only the system knows which names it takes.
    await (await open(file, 'a', 0o600)).close()
    if (!isThere) await unlink(file)
  } catch (cause) {
    throw cause instanceof CommandError
      ? cause
      : new CommandError(`The report cannot be written: ${reasonOf(cause)}`, { cause })
  }
}

/**
 * Writes the page of a report. A new file is readable by its user alone, as the report may be of a private scan.
 * @throws CommandError when it cannot be written
 */
export async function writeReportFile(file: string, page: string): Promise<void> {
  if (file === standardOutput) return printPage(page)
  try {
    await writeFile(file, page, { mode: 0o600 })
  } catch (cause) {
    throw new CommandError(`The report cannot be written: ${reasonOf(cause)}`, { cause })
  }
  note(`The report is in ${file}.`)
}

/** A file or a program gets the page as it is. A terminal would obey characters that the scanned site wrote. */
function printPage(page: string): void {
  if (process.stdout.isTTY) print(page)
  else process.stdout.write(page)
}
