// Colours as GitBook writes them into `style`, and as the model names them.
import { COLORS, type Color } from './rules.ts'

const names: ReadonlySet<string> = new Set(COLORS)

/** The colours of `color:red;background-color:$info;`; undefined when it names none that the model knows. */
export function colorsOf(style: string | undefined): { text: Color; background: Color } | undefined {
  if (style === undefined) return undefined
  const found = { text: 'default' as Color, background: 'default' as Color }
  for (const declaration of style.slice(0, 1000).split(';')) {
    const [property = '', value = ''] = declaration.split(':').map(part => part.trim().toLowerCase())
    if (!names.has(value)) continue
    if (property === 'color') found.text = value as Color
    else if (property === 'background-color' || property === 'background') found.background = value as Color
  }
  return found.text === 'default' && found.background === 'default' ? undefined : found
}
