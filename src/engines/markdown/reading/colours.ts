// Colours that elements give to their words.
import { defined } from '../../../base/objects.ts'
import { COLORS, type Color } from '../schema/schema.ts'
import type { Element } from '../syntax/syntax.ts'
import { declarationsOf } from './styles.ts'

type Colours = { readonly ink?: Color; readonly paper?: Color }

/** `<mark style="color:red;background-color:blue">`, `<span style>`, `<font color>`; a `<mark>` alone is yellow. */
export function coloursOf(node: Element): Colours {
  const declared = declarationsOf(node)
  const ink = colourNamed(declared.get('color') ?? (node.name === 'font' ? node.attributes.color : undefined))
  const paper = colourNamed(declared.get('background-color'))
  if (node.name === 'mark' && !declared.has('color') && !declared.has('background-color'))
    return { paper: 'yellow' }
  return defined({ ink, paper })
}

function colourNamed(name: string | undefined): Color | undefined {
  const wanted = name?.trim().toLowerCase()
  return COLORS.find(colour => colour === wanted)
}
