import { attributeOf } from '../../site/html/elements.ts'
import { type Element, isElement, textWithin } from '../../site/html/visible-text.ts'
import { splitCamelCase } from '../../site/html/words.ts'

/**
 * Whether an element is the dark area behind a dialog, a picture or a menu. A click there closes what lies above, which
 * has a button for that, so the area is no control that a program would look for.
 */
export function isBackdrop(element: Element): boolean {
  if (!/^(?:div|span|section|aside)$/.test(element.name)) return false
  const written = `${attributeOf(element, 'id')} ${attributeOf(element, 'class').slice(0, 500)}`
  const names = splitCamelCase(written, '-').toLowerCase()
  if (part.test(names)) return false
  if (area.test(names)) return true
  const code = attributeOf(element, 'onclick').slice(0, 300)
  const isClosing = closing.test(code)
  return (layer.test(names) || attributeOf(element, 'role') === 'dialog') &&
    (isClosing || !opening.test(code))
    ? isClosing || holdsMore(element)
    : isClosing && !named.test(names) && isBlank(element)
}

const area = /(?:^|[\s_-])(?:overlay|backdrop|scrim|curtain|shade|mask|veil|dimmer)(?:$|[\s_-])/
const layer =
  /(?:^|[\s_-])(?:modal|lightbox|light-box|dialog|popup|pop-up|drawer|offcanvas|viewer|fancybox)s?(?:$|[\s_-])/

/** A part of a dialog, or what opens it. */
const part =
  /(?:^|[\s_-])(?:close|closer|btn|button|trigger|open|opener|toggle|toggler|link|prev|previous|next|arrow|thumb|thumbs|thumbnail|item|card|icon|burger|hamburger)(?:$|[\s_-])/
const named = /(?:^|[\s_-])(?:x|dismiss|cancel|exit)(?:$|[\s_-])/

const closing = /clos|hide|dismiss|display\s*=\s*["']none|\.remove\(|event\.target|e\.target|currentTarget/i
const opening = /open|show|toggle|zoom|enlarge/i

/** A dialog holds what it shows: text, a picture, a field. */
function holdsMore({ children }: Element): boolean {
  return children.some(isElement)
}

function isBlank(element: Element): boolean {
  return textWithin([element]) === '' && !element.children.some(isElement)
}
