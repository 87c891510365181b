// A prompt: its description, and its words as code.
import { chosenIcon, type DrawBlock, el, iconName, renderCode, unseen } from '../../html/drawing.ts'

export const prompt: DrawBlock<'prompt'> = ({ data: { description, icon }, tag }, scope) => {
  const sign = chosenIcon(iconName(icon) ?? 'wand-magic-sparkles')
  const title = el('span', {}, unseen('Prompt: '), description || 'Prompt')
  const head = el('p.prompt-head', { part: 'title' }, sign, title)
  const inside = tag.children.map(child =>
    child.type === 'code' ? renderCode(child, { overflow: 'wrap' }, scope) : scope.blocks([child]),
  )
  return el('section.prompt', { draws: { name: 'prompt' } }, head, inside)
}
