// The style of words at a place in a line.

import { coloursOf } from '../reading/reading.ts'
import type { Element } from '../syntax/syntax.ts'
import type { Mark, PlainMark } from './model.ts'

/** The marks around a place, and whether it is inside a link. */
export type Style = { readonly marks: readonly Mark[]; readonly isLinked: boolean }

export const PLAIN: Style = { marks: [], isLinked: false }

export const marked = (style: Style, type: PlainMark): Style =>
  style.marks.some(mark => mark.type === type)
    ? style
    : { ...style, marks: [...style.marks, { object: 'mark', type }] }

/** The style with an element's colours; a colour that it does not set stays that around it. */
export function colored(style: Style, node: Element): Style {
  const { ink = 'default', paper = 'default' } = coloursOf(node)
  if (ink === 'default' && paper === 'default') return style
  const outer = style.marks.find(mark => mark.type === 'color')
  const data = {
    text: ink === 'default' ? (outer?.data.text ?? 'default') : ink,
    background: paper === 'default' ? (outer?.data.background ?? 'default') : paper,
  }
  const others = style.marks.filter(mark => mark.type !== 'color')
  return { ...style, marks: [...others, { object: 'mark', type: 'color', data }] }
}
