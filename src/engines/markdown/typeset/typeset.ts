// The door of typeset/: pages as the typesetter reads them.
export { breakable, directionOf, scriptsIn } from './line-words.ts'
export { countLines } from './lines.ts'
export type { Block, Cell, Line, WrittenPage } from './nodes.ts'
export { writePage } from './page.ts'
