/**
 * An object of the catalog file with its keys in camel case: the file writes snake case. Each such schema has
 * a `read…` function beside it that maps the keys; with this as its result, a forgotten key does not compile.
 */
export type CamelKeys<Written> = Written extends unknown
  ? { [Key in keyof Written as Key extends string ? CamelCase<Key> : Key]: Written[Key] }
  : never

type CamelCase<Text extends string> = Text extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Text
