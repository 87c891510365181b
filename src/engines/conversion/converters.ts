// The converter of each format.
import type { Converter } from './arrangement.ts'
import { confluence } from './confluence.ts'
import { docusaurus } from './docusaurus.ts'
import type { Format } from './formats.ts'
import { mdbook } from './mdbook.ts'
import { mkdocs } from './mkdocs.ts'
import { notion } from './notion.ts'

export const converters: Readonly<Record<Format, Converter>> = {
  ...{ mdbook, mkdocs, docusaurus, notion, confluence },
}
