/**
 * The roles of WAI-ARIA 1.2 with its graphics and publishing modules: https://www.w3.org/TR/wai-aria-1.2/,
 * https://www.w3.org/TR/dpub-aria-1.1/, https://www.w3.org/TR/graphics-aria-1.0/. Abstract roles are left
 * out, because pages must not use them. The attributes include two of the draft of 1.3 that browsers support
 * already.
 */
export const ariaRoles: ReadonlySet<string> = words(
  'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox',
  'complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid',
  'gridcell group heading img image insertion link list listbox listitem log main mark marquee math menu menubar',
  'menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio',
  'radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong',
  'subscript suggestion superscript switch tab table tablist tabpanel term text textbox time timer toolbar tooltip tree',
  'treegrid treeitem graphics-document graphics-object graphics-symbol',
  'doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography',
  'doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote',
  'doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref',
  'doc-index doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part',
  'doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc',
)

export const ariaAttributes: ReadonlySet<string> = words(
  'aria-activedescendant aria-atomic aria-autocomplete aria-braillelabel aria-brailleroledescription aria-busy',
  'aria-checked aria-colcount aria-colindex aria-colindextext aria-colspan aria-controls aria-current aria-describedby',
  'aria-description aria-details aria-disabled aria-dropeffect aria-errormessage aria-expanded aria-flowto aria-grabbed',
  'aria-haspopup aria-hidden aria-invalid aria-keyshortcuts aria-label aria-labelledby aria-level aria-live aria-modal',
  'aria-multiline aria-multiselectable aria-orientation aria-owns aria-placeholder aria-posinset aria-pressed',
  'aria-readonly aria-relevant aria-required aria-roledescription aria-rowcount aria-rowindex aria-rowindextext',
  'aria-rowspan aria-selected aria-setsize aria-sort aria-valuemax aria-valuemin aria-valuenow aria-valuetext',
)

/** Attributes whose value is a list of ids in the same page. */
export const ariaReferences: readonly string[] = [
  'aria-activedescendant',
  'aria-controls',
  'aria-describedby',
  'aria-details',
  'aria-errormessage',
  'aria-flowto',
  'aria-labelledby',
  'aria-owns',
]

/** Field names of the HTML standard (https://html.spec.whatwg.org/#autofill). */
export const autofillFields: ReadonlySet<string> = words(
  'name honorific-prefix given-name additional-name family-name honorific-suffix nickname username new-password',
  'current-password one-time-code organization-title organization street-address address-line1 address-line2',
  'address-line3 address-level4 address-level3 address-level2 address-level1 country country-name postal-code cc-name',
  'cc-given-name cc-additional-name cc-family-name cc-number cc-exp cc-exp-month cc-exp-year cc-csc cc-type',
  'transaction-currency transaction-amount language bday bday-day bday-month bday-year sex url photo tel',
  'tel-country-code tel-national tel-area-code tel-local tel-local-prefix tel-local-suffix tel-extension email impp',
)

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}
