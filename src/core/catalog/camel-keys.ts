/**
 * The catalog file writes its keys in snake case, the program reads them in camel case. Each schema of the file has
 * a function beside it that maps its keys; with this as its result a forgotten key does not compile.
 */
export type CamelKeys<Written> = Written extends unknown
  ? { [Key in keyof Written as Key extends string ? CamelCase<Key> : Key]: Written[Key] }
  : never

type CamelCase<Text extends string> = Text extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Text
