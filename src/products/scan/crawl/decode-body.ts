import { isAscii, isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { analyse } from 'chardet'

/**
 * Decodes a body by its byte order mark, its content type or its own declaration. Read as UTF-8, a page in
 * windows-1252 or Shift_JIS would be full of replacement characters, and the checks would blame the site for
 * that. Declarations lie: text that is valid UTF-8 is UTF-8, and text that is not is in the other charset that
 * the page declares. Where it declares no other, its letters tell the charset, as they do in browsers.
 */
export function decodeBody(bytes: Uint8Array, contentType: string): string {
  const mark = byteOrderMark(bytes)
  if (mark !== undefined) return decoderFor(mark).decode(bytes)
  const declared = [charsetParameter(contentType), declaredInside(bytes)].filter((one) => one !== undefined)
  // Some charsets are written in ASCII alone, so ASCII proves nothing.
  if (isAscii(bytes)) return decoderFor(declared[0]).decode(bytes)
  if (isCutUtf8(bytes)) return decoderFor('utf-8').decode(bytes)
  const other = declared.find((label) => !/^utf-?8$/i.test(label))
  if (other !== undefined) return decoderFor(other).decode(bytes)
  const text = decoderFor('utf-8').decode(bytes)
  return isMostlyBroken(text) ? decoderFor(charsetByLetters(bytes)).decode(bytes) : text
}

/** A page in UTF-8 with a few broken characters has more whole ones. */
function isMostlyBroken(text: string): boolean {
  const foreign = text.slice(0, maxSample).match(/[^\p{ASCII}]/gu) ?? []
  return foreign.filter((letter) => letter === '\ufffd').length * 2 > foreign.length
}

/** Tags are in English on every page, so only the text between them tells. */
function charsetByLetters(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, maxSample))
    .toString('latin1')
    .replace(/<[^<>]*>/g, ' ')
  const [best] = analyse(Buffer.from(text, 'latin1')).filter(({ name }) => !name.startsWith('UTF'))
  return best?.name ?? 'windows-1252'
}

const maxSample = 50_000

/** Whether the bytes are UTF-8 beyond ASCII, up to a character at the end that is not complete. */
function isCutUtf8(bytes: Uint8Array): boolean {
  return [0, 1, 2, 3].some((cut) => {
    const whole = bytes.subarray(0, Math.max(0, bytes.length - cut))
    return isUtf8(whole) && !isAscii(whole)
  })
}

/**
 * Unpacks a sitemap that is served as sitemap.xml.gz. A body that does not unpack within the limit stays
 * packed, and the checks report a broken sitemap.
 */
export function unpack(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes })
  } catch {
    return bytes
  }
}

/** False for pictures, films, fonts and archives, which no check reads. */
export function isText(contentType: string): boolean {
  const type = contentType.toLowerCase().split(';')[0]?.trim() ?? ''
  return !(/^(?:image|audio|video|font)\//.test(type) || /^application\/(?:pdf|zip|octet-stream)$/.test(type))
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return undefined
}

function charsetParameter(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1]
}

/** HTML has to declare its charset within the first 1,024 bytes, and an XML declaration comes first of all. */
function declaredInside(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const label =
    /^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]{1,40})/i.exec(start)?.[1] ??
    /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(start)?.[1]
  // A declaration that can be read byte by byte is not in UTF-16, whatever it says.
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label
}

function decoderFor(label: string | undefined): TextDecoder {
  try {
    return new TextDecoder(label ?? 'utf-8')
  } catch {
    // An unknown charset. Browsers fall back to UTF-8, too.
    return new TextDecoder('utf-8')
  }
}
