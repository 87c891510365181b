// The style of words at a place in a line.

import { COLORS, type Color } from '../attributes/attributes.ts'
import { readColours } from '../syntax/syntax.ts'
import type { Mark, PlainMark } from './model.ts'

/** The marks around a place, and whether it is inside a link. */
export type Style = { readonly marks: readonly Mark[]; readonly isLinked: boolean }

export const PLAIN: Style = { marks: [], isLinked: false }

export const marked = (style: Style, type: PlainMark): Style =>
  style.marks.some(mark => mark.type === type)
    ? style
    : { ...style, marks: [...style.marks, { object: 'mark', type }] }

/** The style with the colours of a `style` attribute; a colour that it does not set stays that around it. */
export function colored(style: Style, css: string | undefined): Style {
  const colors = colorsOf(css)
  if (colors === undefined) return style
  const outer = style.marks.find(mark => mark.type === 'color')
  const data = {
    text: colors.text === 'default' ? (outer?.data.text ?? 'default') : colors.text,
    background: colors.background === 'default' ? (outer?.data.background ?? 'default') : colors.background,
  }
  const others = style.marks.filter(mark => mark.type !== 'color')
  return { ...style, marks: [...others, { object: 'mark', type: 'color', data }] }
}

/** The colours of `color:red;background-color:$info;`; undefined if it names none that the model knows. */
export function colorsOf(style: string | undefined): { text: Color; background: Color } | undefined {
  const { ink, paper } = readColours(style)
  const [text, background] = [colorOf(ink), colorOf(paper)]
  return text === 'default' && background === 'default' ? undefined : { text, background }
}

function colorOf(name: string | undefined): Color {
  const wanted = name?.trim().toLowerCase()
  return COLORS.find(color => color === wanted) ?? 'default'
}
