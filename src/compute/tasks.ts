// All tasks that threads of the pool can run, by name. Each task is loaded where and when it runs: a thread that
// finds links in pages does not need the code that draws formulas.
import { BYTES_OF_CHARACTER } from './json-body.ts'
import type { Entry, Question } from './task.ts'

function entry<Input, Output, Asks>(
  load: Entry<Input, Output, Asks>['load'],
  sizeOf: (input: NoInfer<Input>) => number,
): Entry<Input, Output, Asks> {
  let loaded: ReturnType<typeof load> | undefined
  // Importing a loaded module takes longer than reading the body of a small request. A failed import, as when too
  // many files are open, is tried again.
  const loadOnce = () =>
    (loaded ??= load().catch(error => {
      loaded = undefined
      throw error
    }))
  return { load: loadOnce, sizeOf }
}

const ofPage = ({ markdown }: { readonly markdown: string }) => markdown.length
const ofText = ({ text }: { readonly text: string }) => text.length
const ofDocument = ({ json }: { readonly json: string }) => json.length
const ofVersions = ({ before, after }: { readonly before: string | null; readonly after: string | null }) =>
  (before?.length ?? 0) + (after?.length ?? 0)
const charactersOf = (sections: readonly { readonly heading: string; readonly body: string }[]) =>
  sections.reduce((sum, { heading, body }) => sum + heading.length + body.length, 0)
/** The buffer, if the bytes fill it. */
const ownBytes = ({ bytes }: { readonly bytes: Uint8Array<ArrayBuffer> }) =>
  bytes.length === bytes.buffer.byteLength ? [bytes.buffer] : []

// What each conversation takes beside its messages.
const CONVERSATION_CHARACTERS = 100
// A line of SUMMARY.md.
const ENTRY_CHARACTERS = 60
// Of an issue, including the comparison with others.
const ISSUE_CHARACTERS = 100

// As many bytes of vectors as are scanned in the time that one character of text takes.
const BYTES_OF_A_CHARACTERS_TIME = 1_000

export const catalogue = {
  blockChanges: entry(async () => (await import('./block-changes.ts')).blockChanges, ofVersions),
  blockTexts: entry(async () => (await import('./texts-html.ts')).blockTexts, ofDocument),
  anchorProblem: entry(async () => (await import('./anchors.ts')).anchorProblem, ofPage),
  appliedSuggestion: entry(async () => (await import('./anchors.ts')).appliedSuggestion, ofPage),
  clusterDescriptions: entry(
    async () => (await import('./issue-clusters.ts')).clusterDescriptions,
    ({ clusters }) =>
      clusters.flat().reduce((sum, { title, summary }) => sum + title.length + summary.length, 0),
  ),
  // The size of the two sides is unknown before they are read.
  contentMerge: entry(
    async () => (await import('./content-merge.ts')).contentMerge,
    () => Number.POSITIVE_INFINITY,
  ),
  conversionLayout: entry(
    async () => (await import('./conversion.ts')).conversionLayout,
    ({ sources }) => [...sources.values()].reduce((sum, text) => sum + text.length, 0),
  ),
  convertedPages: entry(
    async () => (await import('./conversion.ts')).convertedPages,
    ({ pages }) => pages.reduce((sum, { text }) => sum + text.length, 0),
  ),
  conversationIssues: entry(
    async () => (await import('./conversation-issues.ts')).conversationIssues,
    ({ conversations }) =>
      conversations
        .flatMap(({ messages }) => messages)
        .reduce((sum, { body }) => sum + body.length, conversations.length * CONVERSATION_CHARACTERS),
  ),
  destinations: entry(async () => (await import('./page-projection.ts')).destinations, ofPage),
  documentMetadata: entry(async () => (await import('./document-metadata.ts')).documentMetadata, ofDocument),
  documentMarkdown: entry(async () => (await import('./rich-text.ts')).documentMarkdown, ofDocument),
  documentOver: entry(
    async () => (await import('./rich-text.ts')).documentOver,
    ({ json, previous }) => json.length + previous.length,
  ),
  documentWords: entry(
    async () => (await import('./page-projection.ts')).documentWords,
    ({ sections }) => charactersOf(sections),
  ),
  followedAnchors: entry(async () => (await import('./anchors.ts')).followedAnchors, ofVersions),
  gitbookConfig: entry(async () => (await import('./yaml-files.ts')).gitbookConfig, ofText),
  issueClusters: entry(
    async () => (await import('./issue-clusters.ts')).issueClusters,
    ({ count }) => count * ISSUE_CHARACTERS,
  ),
  jsonBody: {
    ...entry(
      async () => (await import('./json-body.ts')).jsonBody,
      ({ bytes }) => bytes.length / BYTES_OF_CHARACTER,
    ),
    handedOver: ownBytes,
  },
  jsonExcerpt: {
    ...entry(
      async () => (await import('./json-excerpt.ts')).jsonExcerpt,
      ({ bytes }) => bytes.length / BYTES_OF_CHARACTER,
    ),
    handedOver: ownBytes,
  },
  pageComparison: entry(
    async () => (await import('./page-comparison.ts')).pageComparison,
    ({ before, after }) => before.markdown.length + after.markdown.length,
  ),
  pageDocument: entry(async () => (await import('./page-document.ts')).pageDocument, ofPage),
  pageProjection: entry(async () => (await import('./page-projection.ts')).pageProjection, ofPage),
  pageHtml: entry(async () => (await import('./page-html.ts')).pageHtml, ofPage),
  pagePreview: entry(async () => (await import('./page-preview.ts')).pagePreview, ofPage),
  pageLinks: entry(async () => (await import('./page-projection.ts')).pageLinks, ofPage),
  pageQuotations: entry(async () => (await import('./page-quotations.ts')).pageQuotations, ofPage),
  // Segments are in shared memory, which is not copied.
  mergedSegment: {
    ...entry(
      async () => (await import('./search-segments.ts')).mergedSegment,
      () => Number.POSITIVE_INFINITY,
    ),
    handedOver: () => [],
  },
  // Shared memory is not text, and concurrent searches for the same vector are rare.
  nearestVectors: {
    ...entry(
      async () => (await import('./nearest-vectors.ts')).nearestVectors,
      ({ parts }) =>
        parts.reduce((sum, { buffer }) => sum + buffer.byteLength, 0) / BYTES_OF_A_CHARACTERS_TIME,
    ),
    handedOver: () => [],
  },
  pageTypeset: entry(async () => (await import('./page-typeset.ts')).pageTypeset, ofPage),
  plainDocument: entry(async () => (await import('./page-document.ts')).plainDocument, ofPage),
  plainPageProjection: entry(async () => (await import('./page-projection.ts')).plainPageProjection, ofPage),
  relinkText: entry(async () => (await import('./text-edits.ts')).relinkText, ofPage),
  retitle: entry(async () => (await import('./text-edits.ts')).retitle, ofPage),
  rewriteLinks: entry(async () => (await import('./text-edits.ts')).rewriteLinks, ofPage),
  samlVerification: entry(
    async () => (await import('./saml-verification.ts')).samlVerification,
    ({ xml }) => xml.length,
  ),
  searchSegment: entry(
    async () => (await import('./search-segments.ts')).searchSegment,
    ({ pages }) => pages.reduce((sum, { sections }) => sum + charactersOf(sections), 0),
  ),
  // The size of the documents that it refers to is unknown.
  specification: entry(
    async () => (await import('./specification.ts')).specification,
    () => Number.POSITIVE_INFINITY,
  ),
  // Bytes are not text, and the parts of one document are not requested twice at once.
  specificationParts: {
    ...entry(
      async () => (await import('./specification-parts.ts')).specificationParts,
      ({ json }) => json.length,
    ),
    handedOver: () => [],
  },
  standaloneMarkdown: entry(
    async () => (await import('./standalone-markdown.ts')).standaloneMarkdown,
    ofPage,
  ),
  summaryEdits: entry(
    async () => (await import('./summary-edits.ts')).summaryEdits,
    ({ text, wanted }) => text.length + wanted.length * ENTRY_CHARACTERS,
  ),
  summaryOutline: entry(async () => (await import('./summary-outline.ts')).summaryOutline, ofText),
  textsHtml: entry(
    async () => (await import('./texts-html.ts')).textsHtml,
    ({ texts }) => texts.reduce((sum, { markdown }) => sum + markdown.length, 0),
  ),
  undo: entry(async () => (await import('./text-edits.ts')).undo, ofVersions),
  // It reads a file, of any size.
  unpackedSize: entry(
    async () => (await import('./unpacked-size.ts')).unpackedSize,
    () => Number.POSITIVE_INFINITY,
  ),
  yamlEdit: entry(async () => (await import('./yaml-files.ts')).yamlEdit, ofText),
  yamlValue: entry(async () => (await import('./yaml-files.ts')).yamlValue, ofText),
}

/** The entry for each name. */
export type Catalogue = {
  readonly [Name in keyof typeof catalogue]: Awaited<ReturnType<(typeof catalogue)[Name]['load']>>
}

/** For platform/pool/worker.ts. */
export const tasks = Object.fromEntries(
  Object.entries(catalogue).map(([name, { load }]) => [
    name,
    async (input: never, put: Put) => (await load())(input, askBy(put)),
  ]),
)

type Put = (question: Question) => Promise<never>

/** Has a function for every kind of question: only the types know which kinds a task asks. */
const askBy = (put: Put): never =>
  // The type of the questions that each task asks.
  new Proxy({}, { get: (_, kind) => (asked: unknown) => put({ kind: String(kind), asked }) }) as never
