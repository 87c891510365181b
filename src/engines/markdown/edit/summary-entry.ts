// An entry of a table of contents in Markdown: a heading, a link, or its title.
import { escapeLabel } from '../render/render.ts'
import type { ListedEntry } from './summary-lines.ts'

export const headingOf = ({ title, anchor }: ListedEntry): string =>
  `## ${escapeTitle(title)}${anchor === undefined ? '' : ` <a href="#${anchor}" id="${anchor}"></a>`}`

export function linkOf({ title, destination, linkTitle }: ListedEntry): string {
  if (destination === undefined) return escapeLabel(title, 'paragraph')
  const name = linkTitle === undefined ? '' : ` "${linkTitle.replace(/["\\]/g, '\\$&')}"`
  return `[${escapeTitle(title)}](${bracketed(destination)}${name})`
}

/** Escapes words so that Markdown reads them as words, even within the brackets of a link. */
const escapeTitle = (title: string): string =>
  escapeLabel(title, 'heading').replace(/(\\.)|[\]\\]/gs, (sign, escaped) => escaped ?? `\\${sign}`)

const bracketed = (destination: string): string =>
  destination === '' || /[\s()<>]/.test(destination)
    ? `<${destination.replace(/[<>\\]/g, '\\$&')}>`
    : destination.replace(/\\/g, '\\\\')
