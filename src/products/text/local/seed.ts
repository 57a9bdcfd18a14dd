/**
 * Choices that look varied and are not random: the same request always gets the same words, so a paid
 * reply can be made again byte for byte.
 */

/** The item that `seed` points to. The list must not be empty. */
export function choose<Item>(items: readonly Item[], seed: string): Item {
  const item = items[hash(seed) % items.length]
  if (item === undefined) throw new RangeError('there is nothing to choose from')
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
