// The door of syntax/: Markdown with GitBook's tags as a tree, with frontmatter, YAML and emojis.
export {
  type Block,
  type Code,
  childrenOf,
  type Definition,
  type Element,
  type FootnoteDefinition,
  type Heading,
  type Html,
  hasClass,
  type Image,
  type Inline,
  isCell,
  isInline,
  isNamed,
  type Link,
  type List,
  type ListItem,
  type LoneTag,
  type Node,
  type Paragraph,
  type Position,
  type Root,
  SKIP,
  type Table,
  type TableCell,
  type Tag,
  type Text,
  toBlocks,
  walk,
} from './ast.ts'
export { blockSignAt, FENCE } from './block-starts.ts'
export {
  flanksOf,
  inOneLine,
  isEscapable,
  lineEndOf,
  looseFlanksOf,
  pointAt,
  pointBefore,
  readable,
  trimEndOf,
} from './characters.ts'
export { CHARACTER_REFERENCE, decodeReferences, readCommonMark } from './commonmark.ts'
export {
  footnoteLink,
  footnoteOf,
  footnotesOf,
  isFootnoteElement,
  linkDefinitionsOf,
  linkedFootnote,
} from './definitions.ts'
export { emojiName, isEmojiAt, renderEmoji, splitEmojis } from './emoji.ts'
export {
  FRONTMATTER_BOUNDS,
  FRONTMATTER_CHARACTERS_MAX,
  findFrontmatter,
  frontmatterRange,
  parseFrontmatter,
} from './frontmatter.ts'
export { HEADING_ID } from './heading-line.ts'
export { isHtmlName } from './html-names.ts'
export { definitionDestination, destinationOf } from './link-syntax.ts'
export { maskTags } from './masking.ts'
export { PARSED_CHARACTERS_MAX, parseMarkdown, parseWholeMarkdown } from './parse.ts'
export { plainLine, plainText } from './plain-text.ts'
export { flatMapRuns } from './runs.ts'
export { matchAt } from './sticky.ts'
export { customTag, dataAttributes, tagIn } from './tag-elements.ts'
export { includedPath, includedRange, writtenTag } from './tag-text.ts'
export { expressionOf, splitExpressions, variableIn, variableOf, variableOfCode } from './variables.ts'
export { parseYaml, parseYamlDocument, type YamlProblem } from './yaml.ts'
