/**
 * The tone of an article. It holds every sentence that is not knowledge, so that two tones differ in how they open,
 * connect, address the reader and close.
 *
 * Sentences have slots in braces: {about} the topic, {key} the keyword, {field}, {organizations}, {customers} of the
 * industry, {main}, {second}, {third} the subjects, {volume}, {minutes}, {least}, {most}, {min}, {max} of an estimate,
 * {tools}, {measure}. A caller writes {about} and {key}, so they stand only after "about" and "on", where a noun,
 * "how to …" and "why …" all read well.
 */
export interface Tone {
  readonly id: string
  /** Words by which callers ask for it. */
  readonly aliases: readonly string[]
  /** Whether "it is" becomes "it’s". */
  readonly contractions: boolean
  /** Follow the topic and a colon in the title. */
  readonly suffixes: readonly string[]
  /** First paragraphs; each names {about} and {key}. */
  readonly openings: readonly (readonly string[])[]
  readonly roadmap: string
  readonly why: { readonly heading: string; readonly bridge: string; readonly more: string }
  /** Stand before the present state of the first, second and third subject. */
  readonly leads: readonly [string, string, string]
  /** Stand before the improved state. */
  readonly changes: readonly [string, string, string]
  readonly hours: readonly [string, string, string]
  readonly tools: string
  /** Stand before a warning. */
  readonly cautions: readonly [string, string, string]
  readonly week: { readonly heading: string; readonly intro: string; readonly after: string }
  readonly proof: { readonly heading: string; readonly lead: string; readonly after: string }
  readonly closing: { readonly heading: string; readonly sentences: readonly string[] }
}
