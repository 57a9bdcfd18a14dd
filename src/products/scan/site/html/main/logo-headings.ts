import { attributeOf } from '../elements.ts'
import { around, type Element, isElement } from '../visible-text.ts'

/**
 * Whether a main heading is the logo of the site in its header: `<h1 class="logo">Lind Dental</h1>`. A template repeats it on
 * every page, so it says of none what the page is about.
 */
export function isLogoHeading(heading: Element): boolean {
  const outer = around(heading)
  if (!outer.some(isSiteTop)) return false
  return [heading, ...outer.slice(0, 2), ...heading.children.filter(isElement)].some((element) =>
    /(?:^|[\s_-])(?:logo|brand|site-?(?:name|title))(?:$|[\s_-])/i.test(
      `${attributeOf(element, 'class').slice(0, 300)} ${attributeOf(element, 'id').slice(0, 60)}`,
    ),
  )
}

function isSiteTop({ name, attribs }: Element): boolean {
  return name === 'header' || name === 'nav' || attribs.role === 'banner' || attribs.role === 'navigation'
}
