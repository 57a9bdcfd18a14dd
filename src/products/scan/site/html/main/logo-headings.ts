import { attributeOf, elementsWithin, isNavigation } from '../elements.ts'
import { isLogoPicture } from '../pictures/alternatives.ts'
import { around, type Element, isElement, textWithin } from '../visible-text.ts'
import { countWords } from '../words.ts'

/**
 * Whether a main heading is the logo of the site in its header: `<h1 class="logo">Lind Dental</h1>`, or the name beside the
 * picture of a logo. A template repeats it on every page, so it says of none what the page is about.
 */
export function isLogoHeading(heading: Element): boolean {
  const outer = around(heading)
  if (!outer.some(isNavigation)) return false
  const near = [heading, ...outer.slice(0, 2), ...heading.children.filter(isElement)]
  return near.some(isCalledLogo) || outer.slice(0, 3).some(isBoxOfLogo)
}

function isCalledLogo(element: Element): boolean {
  return /(?:^|[\s_-])(?:logo|brand|site-?(?:name|title))(?:$|[\s_-])/i.test(
    `${attributeOf(element, 'class').slice(0, 300)} ${attributeOf(element, 'id').slice(0, 60)}`,
  )
}

/** A picture that calls itself a logo, the name and a slogan. */
function isBoxOfLogo(box: Element): boolean {
  return elementsWithin(box, 'img').some(isLogoPicture) && countWords(textWithin([box])) <= 12
}
