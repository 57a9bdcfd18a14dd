import { z } from 'zod'
import { writtenCatalog } from '../../core/catalog/catalog-schema.ts'

/**
 * The catalogue's shape for editors: `pricing/catalog.schema.json` is this text, so that whoever edits
 * a price is offered the right keys and told what they mean before the gateway has to refuse the file.
 * Draft 7, because that is what the YAML language server understands in full.
 */
export function catalogJsonSchema(): string {
  // `input` is the file as it is written: keys with a default may be left out.
  return `${JSON.stringify(z.toJSONSchema(writtenCatalog, { target: 'draft-07', io: 'input' }), null, 2)}\n`
}
