/** The value that most pages show; of equal ones the first. */
export function commonest(lists: readonly (readonly string[])[]): string | undefined {
  const counts = new Map<string, number>()
  for (const value of lists.flatMap((list) => [...new Set(list)]))
    counts.set(value, (counts.get(value) ?? 0) + 1)
  const [best] = [...counts].toSorted(([, one], [, other]) => other - one)
  return best?.[0]
}
