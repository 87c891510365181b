// The door of excerpt/: Markdown that is read away from its page.
export { type QuotedSection, quotations } from './quotations.ts'
export { sentencesOf } from './sentences.ts'
export { type StandaloneOptions, standalone } from './standalone.ts'
