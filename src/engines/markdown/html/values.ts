// The second door of html/: values of content that become attributes and classes, for pages that the site builds
// itself. It loads no renderer.

export { safeHref, safeSource } from './destinations.ts'
export {
  type BlockNamed,
  type Drawn,
  type DrawnBlock,
  type DrawnInline,
  drawnOf,
  drawnSide,
  type InlineNamed,
  isForScreens,
  partNameOf,
  partOf,
} from './drawn.ts'
export {
  type CodeBlock,
  DIAGRAMS,
  type Highlight,
  type HighlightedCode,
  isDiagram,
  type ShownCode,
  TOKEN_KINDS,
  type Token,
  type TokenKind,
  tokenKindOf,
  withoutColours,
} from './highlight.ts'
export { iconName, isIconName } from './names.ts'
export { PLAYER_ORIGINS } from './players.ts'
