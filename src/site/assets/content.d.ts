/** What content.js says to people. */
export type ContentWords = { readonly copy: string; readonly copied: string; readonly player: string }

/** Adds to written content what scripts add. The function that it returns stops watching. */
export function enhanceContent(content: ParentNode, words?: ContentWords): () => void

/** The place that the address names; undefined if there is none. `prefix` stands before the ids of content. */
export function namedPlace(prefix?: string): Element | undefined

/** Brings the place that the address names into sight. `prefix` stands before the ids of content. */
export function revealPlace(prefix?: string): void
