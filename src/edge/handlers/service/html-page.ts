/** A page for people, with the headers that it needs. */
export interface HtmlPage {
  readonly html: string
  /** At least its Content-Security-Policy. */
  readonly headers: Readonly<Record<string, string>>
}
