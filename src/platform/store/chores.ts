import type { Books } from './books.ts'

/**
 * Takes the work of that name for this gateway, if no gateway has begun it for `everyMs`. One statement decides, so
 * of all gateways one does it. If that one dies, the next turn continues.
 */
export async function takeChore({ queries, clock }: Books, name: string, everyMs: number): Promise<boolean> {
  const ranAt = new Date(clock.now())
  const taken = await queries
    .insertInto('chores')
    .values({ name, ranAt })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ ranAt })
        .where('chores.ranAt', '<=', new Date(clock.now() - everyMs)),
    )
    .returning('name')
    .executeTakeFirst()
  return taken !== undefined
}
