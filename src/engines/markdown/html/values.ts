// The second door of html/: values of content that become attributes and classes, for pages that the site builds
// itself. It loads no renderer.
export { safeHref, safeSource } from './destinations.ts'
export {
  type CodeBlock,
  type Highlight,
  type HighlightedCode,
  TOKEN_KINDS,
  type Token,
  type TokenKind,
} from './highlight.ts'
export { iconName, isIconName } from './names.ts'
export { PLAYER_ORIGINS } from './players.ts'
