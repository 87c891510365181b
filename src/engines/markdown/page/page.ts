// The door of page/: what the text of a page says about itself: metadata, blocks, sections, anchors and references.

export { type GitbookConfig, parseGitbookYaml } from './gitbook-yaml.ts'
export { type PageMetadata, pageMetadata } from './page-metadata.ts'
export { type BlockSpan, blockKeys, blocks, sections } from './parts.ts'
export {
  foldAnchor,
  foldedPlace,
  foldedPlaces,
  headingAnchors,
  headingLevel,
  isHeading,
  otherHeadingIds,
  ownAnchor,
  placeIds,
  toAnchor,
} from './places.ts'
export { type TextProblem, textProblems } from './problems.ts'
export { distinctReferences, type MarkdownReference, placedReferences, references } from './references.ts'
export { isBrokenReference, personNamedBy, resolveFromPage, resolvePath } from './resolve-path.ts'
export { parseReusableAddress, writeReusableAddress } from './reusable-address.ts'
export { lastStart } from './starts.ts'
export {
  parseSummary,
  type SummaryEntry,
  type SummaryLines,
  type SummaryLink,
  type SummaryPage,
  textBetweenEntries,
} from './summary.ts'
export { textStart } from './text-start.ts'
export { LEADING_EMOJI, shownTitleOf, titleOf } from './titles.ts'
