/**
 * Makes choices that vary between requests without being random: the same request always gets the same text, byte for
 * byte.
 */

/**
 * Chooses an item by the hash of `seed`.
 * @throws RangeError for an empty list.
 */
export function choose<Item>(items: readonly Item[], seed: string): Item {
  const item = items[hash(seed) % items.length]
  if (item === undefined) throw new RangeError('the list is empty')
  return item
}

/** FNV-1a over UTF-16 code units, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}
