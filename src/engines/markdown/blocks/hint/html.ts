// A hint as HTML.

import { chosenIcon, type DrawBlock, el, icon, iconName } from '../../html/drawing.ts'
import type { BlockData } from '../../reading/reading.ts'

type Look = { readonly sign: string; readonly says: string }

const LOOKS: Readonly<Record<BlockData<'hint'>['style'], Look>> = {
  info: { sign: 'circle-info', says: 'Note' },
  success: { sign: 'circle-check', says: 'Success' },
  warning: { sign: 'triangle-exclamation', says: 'Warning' },
  danger: { sign: 'circle-exclamation', says: 'Danger' },
}

export const hint: DrawBlock<'hint'> = ({ data: { style, icon: asked }, tag }, scope) => {
  const { sign, says } = LOOKS[style]
  const chosen = iconName(asked)
  return el(
    'aside',
    { draws: { name: 'hint', style }, className: ['hint', `hint-${style}`], role: 'note', ariaLabel: says },
    chosen === undefined ? icon(sign) : chosenIcon(chosen),
    el('div.flow', { part: 'inside' }, scope.blocks(tag.children)),
  )
}
