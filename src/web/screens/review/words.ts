// Both versions of a block in one: the newer one, with the words that only the older one has put where they stood.
import { readMarkup } from '../../parts/markup.tsx'

/** Of HTML with `del` in the older and `ins` in the newer version; undefined where the two are not built alike. */
export function mergeVersions(before: string, after: string): string | undefined {
  const [old, now] = [readMarkup(before), readMarkup(after)]
  if (shapeOf(old) !== shapeOf(now)) return undefined
  const gone = removedIn(old)
  const kept = keptIn(now)
  if (gone.length !== lengthOf(kept) || kept.length === 0) return undefined
  // From the end, so that the places of earlier words stay.
  const holders = holdersIn(now)
  for (const { place, text, holder } of gone.removed.toReversed()) put(kept, place, text, holders[holder])
  const box = document.createElement('div')
  box.append(now)
  return box.innerHTML
}

/** A text that both versions have, from which of their common signs on to which. White space does not count. */
type Kept = { readonly node: Text; readonly start: number; readonly end: number }

function keptIn(root: Node): Kept[] {
  const kept: Kept[] = []
  let start = 0
  for (const node of textsIn(root)) {
    if (node.parentElement?.closest('ins') != null) continue
    const end = start + signsIn(node.data)
    kept.push({ node, start, end })
    start = end
  }
  return kept
}

const lengthOf = (kept: readonly Kept[]): number => kept.at(-1)?.end ?? 0

/** `holder`: which of the elements it stands in, as a paragraph or a cell. Both versions have the same ones. */
type Removed = { readonly place: number; readonly text: string; readonly holder: number }

const holdersIn = (root: DocumentFragment): Element[] => [...root.querySelectorAll(WITHIN_LINE)]
const holderOf = (node: Node): Element | null => node.parentElement?.closest(WITHIN_LINE) ?? null

function removedIn(root: DocumentFragment): { readonly removed: Removed[]; readonly length: number } {
  const removed: Removed[] = []
  const places = new Map<Element | null, number>(holdersIn(root).map((holder, index) => [holder, index]))
  let length = 0
  for (const node of textsIn(root))
    if (node.parentElement?.closest('del') == null) length += signsIn(node.data)
    else removed.push({ place: length, text: node.data, holder: places.get(holderOf(node)) ?? -1 })
  return { removed, length }
}

function put(all: readonly Kept[], place: number, text: string, holder: Element | undefined): void {
  const element = document.createElement('del')
  element.textContent = text
  const kept = holder === undefined ? all : all.filter(({ node }) => holderOf(node) === holder)
  const behind = kept.findLast(({ start, end }) => start < place && place <= end)
  if (behind !== undefined) behind.node.splitText(offsetOf(behind, place)).before(element)
  else if (kept.length === 0) holder?.prepend(element)
  else {
    const [first] = kept
    const ins = first?.node.parentElement?.querySelector(':scope > ins:first-child')
    const anchor = ins ?? first?.node
    anchor?.before(element)
  }
}

/** Behind the sign that makes it `place` of them, and white space that follows. */
function offsetOf({ node, start }: Kept, place: number): number {
  const { data } = node
  let offset = 0
  for (
    let signs = start;
    offset < data.length && (signs < place || /\s/.test(data.charAt(offset)));
    offset += 1
  )
    if (!/\s/.test(data.charAt(offset))) signs += 1
  return offset
}

const signsIn = (text: string): number => text.replace(/\s+/g, '').length

function* textsIn(root: Node): Generator<Text> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const nodes: Text[] = []
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node instanceof Text) nodes.push(node)
  yield* nodes
}

const WITHIN_LINE = ':not(a, em, strong, code, del, ins, mark, sub, sup, span)'

/** The elements in order, without their text. */
const shapeOf = (root: DocumentFragment): string =>
  [...root.querySelectorAll(WITHIN_LINE)].map(({ tagName }) => tagName).join()
