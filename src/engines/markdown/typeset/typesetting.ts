// The second door of typeset/: what a block needs to write itself, without the writer of pages, which needs the blocks.
export { drawnOf, partNameOf, partOf, type TokenKind, tokenKindOf } from '../html/values.ts'
export { writeBox } from './boxes.ts'
export { writeLine, writeLink, writeWords } from './inlines.ts'
export { breakable, directionOf } from './line-words.ts'
export type { Block, CodeLine, CodeRun, Line } from './nodes.ts'
export { elementsOf, textOf, type WriteBlock, type Writing } from './writing.ts'
