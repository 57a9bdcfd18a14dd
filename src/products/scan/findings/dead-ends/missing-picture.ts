import { absolute, addressKey } from '../../site/addresses.ts'
import type { Page, Site } from '../../site/site.ts'
import { isGone } from '../document.ts'

/**
 * The address of a picture that markup or a preview names, where no file is there.
 * @param written as the page has it
 * @returns undefined where the file is there, or was not looked for
 */
export function missingPicture(
  written: string,
  { url }: Page,
  { repliesByAddress }: Pick<Site, 'repliesByAddress'>,
): { readonly url: string; readonly status: number } | undefined {
  const address = absolute(written, url)
  const reply = address === undefined ? undefined : repliesByAddress.get(addressKey(address))
  return address !== undefined && reply !== undefined && isGone(reply)
    ? { url: address, status: reply.status }
    : undefined
}
