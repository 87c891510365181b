// The second door of html/: what a block needs to draw itself, without the renderer that draws pages of blocks.
export {
  type Child,
  chosenIcon,
  el,
  type Hast,
  icon,
  type Properties,
  textOf,
  unseen,
} from './build.ts'
export { renderCode } from './code.ts'
export { alignedTo } from './drawn.ts'
export { idsOf, MISSING_TARGET, renderLink, renderLinkCard, resolve, targetMark } from './links.ts'
export { alignOf, iconName, paperClass, verticalClass } from './names.ts'
export { methodBadge, namesShown, renderPart } from './parts.ts'
export { optionChip } from './phrasing-elements.ts'
export { drawPicture, isBlank, missingPicture, resolveImage } from './pictures.ts'
export { captioned, embedCard, lastSegment } from './references.ts'
export type { DrawBlock, Scope } from './scope.ts'
export { asScroller } from './scrollers.ts'
