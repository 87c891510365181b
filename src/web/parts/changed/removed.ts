// Shows what was removed at the place where it was: words beside those that stayed, whole blocks as blocks.
import type { Token } from './tokens.ts'

type Segment = { readonly block: Element | undefined; readonly tokens: Token[] }

/** `previous` is what stayed before it in `root`. */
export function markRemoved(removed: readonly Token[], root: Element, previous: Token | undefined): void {
  const [words, ...blocks] = segmentsOf(removed)
  let cursor: Element = previous?.block ?? root
  let row: Row | undefined
  for (const { block, tokens } of blocks) {
    if (block === undefined || tokens.length === 0) continue
    if (row?.of === block.closest('tr') && row !== undefined) row.element.append(emptied(block, tokens))
    else {
      const placed = placeBlock(block, tokens, cursor, root)
      row = placed.row
      cursor = placed.cursor
    }
  }
  if (words.tokens.length > 0) placeWords(struck(words.tokens), root, previous)
}

/** What ends the block before, then each block with what is in it. */
function segmentsOf(removed: readonly Token[]): [Segment, ...Segment[]] {
  const first: Segment = { block: undefined, tokens: [] }
  const rest: Segment[] = []
  for (const token of removed) {
    if (token.kind === 'block') rest.push({ block: token.block, tokens: [] })
    else (rest.at(-1) ?? first).tokens.push(token)
  }
  return [first, ...rest]
}

function placeWords(mark: Element, root: Element, previous: Token | undefined): void {
  if (previous === undefined) root.prepend(mark)
  else if (previous.kind === 'block') (onlyChild(previous.block) ?? previous.block).prepend(mark)
  else if (previous.kind === 'thing') previous.element.after(mark)
  else {
    const { node, end, block } = previous
    if (end < node.data.length) node.splitText(end)
    let place: ChildNode & { after(...nodes: Node[]): void } = node
    // Behind a link that it was not a part of.
    while (place.nextSibling === null && place.parentElement !== null && place.parentElement !== block)
      place = place.parentElement
    place.after(mark)
  }
}

/** The code in a block of code. */
const onlyChild = (block: Element): Element | undefined => {
  const [first] = block.children
  return block.tagName === 'PRE' && first?.tagName === 'CODE' ? first : undefined
}

type Row = { readonly of: Element; readonly element: Element }
type Placed = { readonly cursor: Element; readonly row: Row | undefined }

function placeBlock(block: Element, tokens: readonly Token[], cursor: Element, root: Element): Placed {
  const copy = emptied(block, tokens)
  const of = block.closest('tr')
  if (of !== null) {
    const beside = cursor.closest('tr')
    // A cell of a row that stayed.
    if (beside === null || of.querySelector('td, th') !== block) return inside(cursor, copy)
    const element = of.cloneNode(false) as Element
    element.append(copy)
    beside.after(element)
    return { cursor: copy, row: { of, element } }
  }
  const item = block.closest('li')
  if (item === null) return beside(cursor, copy, root)
  const besideItem = cursor.closest('li')
  const list = root.querySelector('ul, ol')
  if (besideItem === null && list === null) return inside(root, copy)
  const element = item === block ? copy : (item.cloneNode(false) as Element)
  if (element !== copy) element.append(copy)
  if (besideItem !== null) besideItem.after(element)
  else list?.prepend(element)
  return { cursor: element, row: undefined }
}

function inside(cursor: Element, copy: Element): Placed {
  cursor.append(...copy.childNodes)
  return { cursor, row: undefined }
}

/** Behind what is of the same kind, or else behind the whole of what stayed there. */
function beside(cursor: Element, copy: Element, root: Element): Placed {
  if (cursor === root) root.prepend(copy)
  else {
    let place = cursor
    while (place.parentElement !== null && place.parentElement !== root) place = place.parentElement
    place.after(copy)
  }
  return { cursor: copy, row: undefined }
}

/** The block with what was removed of it, and nothing else. */
function emptied(block: Element, tokens: readonly Token[]): Element {
  const copy = block.cloneNode(false) as Element
  copy.append(struck(tokens))
  return copy
}

function struck(tokens: readonly Token[]): Element {
  const mark = document.createElement('del')
  for (const token of tokens) {
    if (token.kind === 'word') mark.append(token.text)
    else if (token.kind === 'thing') mark.append(token.element.cloneNode(true))
  }
  return mark
}
