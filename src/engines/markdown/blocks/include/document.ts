// Content that several pages share, in a rich document.
import { block, linkTo, type ReadBlock } from '../../document/converting.ts'
import { parseReusableAddress } from '../../page/page.ts'

export const include: ReadBlock<'include'> = ({ data: { path }, tag }, conversion) => {
  if (path === undefined) return conversion.blocks(tag.children)
  const elsewhere = parseReusableAddress(path)
  const ref =
    elsewhere === undefined
      ? conversion.referenceOf('reusable-content', path, 'include')
      : { kind: 'reusable-content' as const, ...elsewhere }
  if (ref !== undefined) return [block('reusable-content', { ref }), ...conversion.blocks(tag.children)]
  conversion.problem('unresolved', tag, `no reusable content was found for ${path.slice(0, 200)}`)
  return [linkTo(conversion, path), ...conversion.blocks(tag.children)]
}
