import { openStoreIn } from '../database.ts'

/**
 * A program that creates a PGlite database with the gateway's tables in the folder given as its argument. It is a
 * process of its own because creating a database takes 400 MB, which a process keeps until it ends: `npm run bench --
 * start` measures the gateway's resident memory.
 */
const [folder] = process.argv.slice(2)
if (!folder) throw new Error('usage: create-embedded FOLDER')
const database = await openStoreIn(folder)
await database.close()
