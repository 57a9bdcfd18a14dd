import { PGlite } from '@electric-sql/pglite'

/**
 * Run as a program of its own: creates an empty PGlite database in the folder given as its argument.
 * Creating takes 400 MB that a process never gives back; only a process that ends does.
 */
const [folder] = process.argv.slice(2)
if (!folder) throw new Error('usage: create-embedded FOLDER')
const database = await PGlite.create(folder)
await database.close()
