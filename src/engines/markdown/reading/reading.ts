// The door of reading/: what tags, the elements that stand for them, and elements with a meaning of their own say.
export { type Button, buttonOf, questionOf } from './buttons.ts'
export { addressIn, captionOf, namesObject, repeatedLink } from './captions.ts'
export { coloursOf } from './colours.ts'
export { emojiOf } from './emojis.ts'
export { type Icon, iconName, iconOf, isIconName } from './icons.ts'
export { isDerived, readAnchor, readLink } from './links.ts'
export { firstNumberOf } from './lists.ts'
export { type Picture, pictureOf } from './pictures.ts'
export { playerOf } from './players.ts'
export { sideOf } from './sides.ts'
export {
  type BlockData,
  blockOf,
  type ContainerName,
  isContainer,
  itemsOf,
  type TagBlock,
} from './tag-blocks.ts'
