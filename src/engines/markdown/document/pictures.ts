// `<picture>`: an image with a twin for dark schemes.
import { type Element, isNamed, type Node } from '../syntax/syntax.ts'

/** What follows an address in a `srcset`; the address itself may hold spaces. */
const DENSITY = /\s{1,10}\d{1,6}(?:\.\d{1,6})?[wx](?:,|$).*/s

/** Where the image for dark schemes is; of several densities the first. */
export function darkTwin(picture: Element): string | undefined {
  const isDark = (child: Node): child is Element =>
    isNamed(child, 'source') && (child.attributes.media ?? '').includes('dark')
  const srcset = picture.children.find(isDark)?.attributes.srcset?.trim()
  return srcset === undefined || srcset === '' ? undefined : srcset.replace(DENSITY, '')
}
