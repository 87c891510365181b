// Colours as GitBook writes them into `style`, and as the model names them.
import { readColours } from '../syntax/syntax.ts'
import { COLORS, type Color } from './allowed-values.ts'

/** The colours of `color:red;background-color:$info;`; undefined when it names none that the model knows. */
export function colorsOf(style: string | undefined): { text: Color; background: Color } | undefined {
  const { ink, paper } = readColours(style)
  const [text, background] = [colorOf(ink), colorOf(paper)]
  return text === 'default' && background === 'default' ? undefined : { text, background }
}

function colorOf(name: string | undefined): Color {
  const wanted = name?.trim().toLowerCase()
  return COLORS.find(color => color === wanted) ?? 'default'
}
