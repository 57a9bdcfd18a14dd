/** For comparison: "12 main st" of "12 Main Street", "calle mayor 2" of "Calle Mayor, nº 2". */
export function spelledAddress(address: string): string {
  return address
    .normalize('NFKC')
    .toLowerCase()
    .replace(/straße|strasse/g, 'str')
    .replace(beforeNumber, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => shortened.get(word) ?? word)
    .join(' ')
}

/** "nº", "n.º", "núm." and their like, which say nothing but that a number follows. */
const beforeNumber = /(?<!\p{L})(?:n\.?\s?[°o]|n[uú]m(?:ero)?|nr|n|д(?:ом)?)\.?\s?(?=\d)/gu

const shortened = new Map([
  ['street', 'st'],
  ['avenue', 'ave'],
  ['road', 'rd'],
  ['boulevard', 'blvd'],
  ['suite', 'ste'],
  ['drive', 'dr'],
  ['lane', 'ln'],
  ['highway', 'hwy'],
  ['floor', 'fl'],
  ['улица', 'ул'],
  ['вулиця', 'вул'],
])
