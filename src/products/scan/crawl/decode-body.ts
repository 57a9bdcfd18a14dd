import { TextDecoder } from 'node:util'
import { gunzipSync } from 'node:zlib'

/**
 * Decodes a body by its byte order mark, its content type or its own declaration. Read as UTF-8, a page in
 * windows-1252 or Shift_JIS would be full of replacement characters, and the checks would blame the site for
 * that.
 */
export function decodeBody(bytes: Uint8Array, contentType: string): string {
  const label = byteOrderMark(bytes) ?? charsetParameter(contentType) ?? declaredInside(bytes)
  return decoderFor(label).decode(bytes)
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
