const names = new Intl.DisplayNames('en', { type: 'language' })

/** `German` of `de`. A code without a name stays as it is. */
export function languageName(code: string): string {
  return names.of(code) ?? code
}
