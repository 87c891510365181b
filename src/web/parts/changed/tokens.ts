// A rendered text as a list: its blocks, the words in them, and pictures and the like.

/** What two texts are compared by, and where it stands. */
export type Token = {
  /** Two tokens with the same key are the same. */
  readonly key: string
  /** The block that it begins, or in which it is. */
  readonly block: Element
} & (
  | { readonly kind: 'block' }
  | {
      readonly kind: 'word'
      readonly text: string
      readonly node: Text
      readonly start: number
      readonly end: number
    }
  | { readonly kind: 'thing'; readonly element: Element }
)

const BLOCKS =
  'p, h1, h2, h3, h4, h5, h6, li, td, th, pre, dt, dd, figcaption, summary, blockquote, section, details, aside, div'
const THINGS = 'img, video, audio, iframe, input, hr, svg, math, canvas'
// What readers do with a block, not what it says.
const CONTROLS = 'button, .anchor'
// In scripts without spaces every character is a word.
const WORDS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{M}\p{N}_]+|\s+|./gsu

export function tokensOf(root: Element): Token[] {
  const tokens: Token[] = []
  const visit = (node: Node, block: Element, marks: string) => {
    for (const child of node.childNodes) {
      if (child instanceof Text) tokens.push(...wordsOf(child, block, marks))
      else if (child instanceof Element) visitElement(child, block, marks)
    }
  }
  const visitElement = (element: Element, block: Element, marks: string) => {
    if (element.matches(CONTROLS)) return
    if (element.matches(THINGS)) tokens.push({ kind: 'thing', key: keyOfThing(element), block, element })
    else if (element.matches(BLOCKS)) {
      tokens.push({ kind: 'block', key: `${element.tagName}.${element.className}`, block: element })
      visit(element, element, '')
    } else visit(element, block, marks + markOf(element))
  }
  visit(root, root, '')
  return tokens
}

function* wordsOf(node: Text, block: Element, marks: string): Generator<Token> {
  const isVerbatim = block.closest('pre') !== null
  for (const { 0: word, index: start } of node.data.matchAll(WORDS)) {
    const isSpace = word.trim() === ''
    if (isSpace && !isVerbatim && isBetweenBlocks(node)) continue
    const shown = isSpace && !isVerbatim ? ' ' : word
    yield {
      kind: 'word',
      text: shown,
      key: `${shown}|${marks}`,
      block,
      node,
      start,
      end: start + word.length,
    }
  }
}

/** White space in the source that shows nothing. */
const isBetweenBlocks = ({ data, previousElementSibling, nextElementSibling, parentElement }: Text) =>
  data.trim() === '' &&
  ((previousElementSibling?.matches(BLOCKS) ?? false) ||
    (nextElementSibling?.matches(BLOCKS) ?? false) ||
    (parentElement?.matches('tr, table, thead, tbody, ul, ol, dl') ?? false))

const keyOfThing = (element: Element): string =>
  [element.tagName, element.getAttribute('src'), element.textContent, element.hasAttribute('checked')].join(
    '|',
  )

/** A word that becomes bold, or leads elsewhere, is another. Colours of code say nothing. */
const markOf = (element: Element): string =>
  element.tagName === 'SPAN' ? '' : `${element.tagName}${element.getAttribute('href') ?? ''} `
