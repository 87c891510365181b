// A link as a card, on paper.
import { type WriteBlock, writeLink, writeWords } from '../../typeset/typesetting.ts'

export const card: WriteBlock<'card'> = ({ title, text = '' }, node, writing) => {
  const words = writeWords(title, writing)
  const [link] = node.tagName === 'a' ? writeLink(node, words, writing) : []
  return [
    { kind: 'card', title: words, text: writeWords(text, writing), ...(link === undefined ? {} : { link }) },
  ]
}
