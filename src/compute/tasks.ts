// Everything that can be carried out in a thread of the pool, by name.
import { anchorProblem, followedAnchors } from './anchors.ts'
import { blockChanges } from './block-changes.ts'
import { contentMerge } from './content-merge.ts'
import { jsonBody } from './json-body.ts'
import { pageDifferences } from './page-differences.ts'
import { pageDocument, plainDocument } from './page-document.ts'
import { pageFacts, pageLinks, plainFacts } from './page-facts.ts'
import { pageHtml } from './page-html.ts'
import { documentFacts, documentMarkdown, documentOver } from './rich-text.ts'
import { samlVerification } from './saml-verification.ts'
import { summaryOutline } from './summary-outline.ts'
import { destinations, retitle, rewriteLinks, undo } from './text-edits.ts'
import { gitbookConfig, yamlValue } from './yaml-files.ts'

export const catalogue = {
  blockChanges,
  anchorProblem,
  contentMerge,
  destinations,
  documentFacts,
  documentMarkdown,
  documentOver,
  followedAnchors,
  gitbookConfig,
  jsonBody,
  pageDifferences,
  pageDocument,
  pageFacts,
  pageHtml,
  pageLinks,
  plainDocument,
  plainFacts,
  retitle,
  rewriteLinks,
  samlVerification,
  summaryOutline,
  undo,
  yamlValue,
}

export type Catalogue = typeof catalogue

/** For platform/pool/worker.ts. */
export const tasks = Object.fromEntries(Object.entries(catalogue).map(([name, { run }]) => [name, run]))
