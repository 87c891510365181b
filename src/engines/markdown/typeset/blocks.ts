// Blocks: nodes with lines of their own. Elements of HTML are written here, and what a block drew by the block.
import type { Element, ElementContent } from 'hast'
import { sha256 } from '../../../base/canonical.ts'
import { TYPESET } from '../blocks/typeset.ts'
import {
  type BlockNamed,
  type Drawn,
  type DrawnBlock,
  drawnOf,
  drawnSide,
  isForScreens,
} from '../html/values.ts'
import { writeBox } from './boxes.ts'
import { writeFormula } from './formulas.ts'
import { isEmptyLine, POINTS_OF_PIXEL, readPicture, writeLine } from './inlines.ts'
import { directionOf } from './line-words.ts'
import type { Block, Item } from './nodes.ts'
import { writeTable } from './tables.ts'
import { BLOCK_DEPTH_MAX, type BlockWriters, elementsOf, textOf, type Writing } from './writing.ts'

type ElementWriter = (node: Element, writing: Writing) => Block[]

const ELEMENTS: Readonly<Record<string, ElementWriter>> = {
  p: (node, writing) => writeParagraph(node.children, writing, drawnSide(node)),
  ...Object.fromEntries(['h2', 'h3', 'h4', 'h5', 'h6'].map(name => [name, writeHeading])),
  ul: writeList,
  ol: writeList,
  blockquote: (node, writing) => [
    {
      kind: 'quotation',
      dir: directionOf(textOf(node.children)),
      inside: writeBlocks(node.children, writing),
    },
  ],
  figure: writeFigure,
  table: writeTableBlock,
  aside: (node, writing) => [
    {
      kind: 'note',
      style: 'info',
      dir: directionOf(textOf(node.children)),
      inside: writeBlocks(node.children, writing),
    },
  ],
  details: writeDetails,
  section: writeInside,
  div: writeDivision,
  hr: () => [{ kind: 'rule' }],
  dl: writeInside,
  dt: writeInBold,
  dd: (node, writing) => writeBox('indent', node, writing),
  article: writeInside,
  summary: writeInBold,
}

const DRAWN: BlockWriters<DrawnBlock['name']> = {
  ...TYPESET,
  formula(_, node, writing) {
    const math = elementsOf(node.children).find(({ tagName }) => tagName === 'math')
    const inside = math && writeFormula(math)
    return inside === undefined ? writeInside(node, writing) : [{ kind: 'formula-block', inside }]
  },
  footnotes: (_, node, writing) => writeBox('footnotes', node, writing),
  diagram: writeDiagram,
}

const isDrawnBlock = (drawn: Drawn): drawn is DrawnBlock => Object.hasOwn(DRAWN, drawn.name)

function isBlock(node: ElementContent): node is Element {
  if (node.type !== 'element') return false
  if (Object.hasOwn(ELEMENTS, node.tagName)) return true
  const drawn = drawnOf(node)
  return drawn !== undefined && isDrawnBlock(drawn)
}

/** Blocks and inlines mixed; runs of inlines become paragraphs. */
export function writeBlocks(nodes: readonly ElementContent[], writing: Writing): Block[] {
  const blocks: Block[] = []
  let run: ElementContent[] = []
  const endRun = () => {
    blocks.push(...writeParagraph(run, writing, undefined))
    run = []
  }
  for (const node of nodes) {
    if (!isBlock(node)) {
      run.push(node)
      continue
    }
    endRun()
    blocks.push(...writeBlock(node, writing))
  }
  endRun()
  return blocks
}

function writeBlock(node: Element, writing: Writing): Block[] {
  if (isForScreens(node)) return []
  if (writing.blockDepth >= BLOCK_DEPTH_MAX)
    return writeParagraph([{ type: 'text', value: textOf(node.children) }], writing, undefined)
  writing.blockDepth += 1
  const id = node.tagName.startsWith('h') ? undefined : writing.takeId(node)
  const drawn = drawnOf(node)
  const written =
    drawn !== undefined && isDrawnBlock(drawn)
      ? writeDrawn(drawn, node, writing)
      : (ELEMENTS[node.tagName]?.(node, writing) ?? [])
  writing.blockDepth -= 1
  return id === undefined ? written : [{ kind: 'anchor-block', id }, ...written]
}

function writeDrawn<Name extends DrawnBlock['name']>(
  drawn: BlockNamed<Name>,
  node: Element,
  writing: Writing,
): Block[] {
  return DRAWN[drawn.name as Name](drawn, node, writing)
}

function writeParagraph(
  nodes: readonly ElementContent[],
  writing: Writing,
  align: string | undefined,
): Block[] {
  const seen = nodes.filter(
    node => !(node.type === 'text' && node.value.trim() === '') && !isForScreens(node),
  )
  const [only] = seen
  if (seen.length === 1 && only?.type === 'element' && only.tagName === 'img')
    return writePicture(only, writing, align)
  const inside = writeLine(nodes, writing)
  if (isEmptyLine(inside)) return []
  return [
    { kind: 'paragraph', inside, dir: directionOf(textOf(nodes)), ...(align === undefined ? {} : { align }) },
  ]
}

function writeInside(node: Element, writing: Writing): Block[] {
  return writeBlocks(node.children, writing)
}

function writeInBold(node: Element, writing: Writing): Block[] {
  return writeParagraph([{ ...node, tagName: 'strong' }], writing, undefined)
}

function writeHeading(node: Element, writing: Writing): Block[] {
  const id = writing.takeId(node)
  const inside = writeLine(node.children, writing)
  const align = drawnSide(node)
  const anchor: Block[] = id === undefined ? [] : [{ kind: 'anchor-block', id }]
  if (isEmptyLine(inside)) return anchor
  return [
    {
      kind: 'heading',
      level: Number(node.tagName.slice(1)),
      ...(id === undefined ? {} : { id }),
      inside,
      dir: directionOf(textOf(node.children)),
      ...(align === undefined ? {} : { align }),
    },
  ]
}

function writeList(node: Element, writing: Writing): Block[] {
  const { start } = node.properties
  return [
    {
      kind: 'list',
      start: node.tagName === 'ol' ? (typeof start === 'number' ? start : 1) : null,
      dir: directionOf(textOf(node.children)),
      items: elementsOf(node.children)
        .filter(({ tagName }) => tagName === 'li')
        .map(item => writeItem(item, writing)),
    },
  ]
}

function writeItem(node: Element, writing: Writing): Item {
  const drawn = drawnOf(node)
  const isTask = drawn?.name === 'task'
  const id = writing.takeId(node)
  return {
    ...(isTask ? { checked: drawn.isDone } : {}),
    ...(id === undefined ? {} : { id }),
    // A task begins with its box.
    inside: writeBlocks(isTask ? node.children.slice(1) : node.children, writing),
  }
}

function writeFigure(node: Element, writing: Writing): Block[] {
  const caption = elementsOf(node.children).find(({ tagName }) => tagName === 'figcaption')
  const rest = node.children.filter(child => child !== caption)
  const align = drawnSide(node)
  const inside = rest.flatMap(child => {
    const picture = pictureIn(child)
    return picture === undefined ? writeBlocks([child], writing) : writePicture(picture, writing, align)
  })
  return [
    { kind: 'figure', inside, caption: caption === undefined ? [] : writeBlocks(caption.children, writing) },
  ]
}

/** A picture, possibly within a link. */
function pictureIn(node: ElementContent): Element | undefined {
  if (node.type !== 'element') return undefined
  if (node.tagName === 'img') return node
  const [only, ...others] = node.children.filter(child => child.type !== 'text' || child.value.trim() !== '')
  return node.tagName === 'a' && only !== undefined && others.length === 0 ? pictureIn(only) : undefined
}

function writePicture(node: Element, writing: Writing, align: string | undefined): Block[] {
  const picture = readPicture(node, writing)
  return picture === undefined
    ? []
    : [{ kind: 'picture', picture, ...(align === undefined ? {} : { align }) }]
}

function writeDiagram(drawn: BlockNamed<'diagram'>, _: Element, writing: Writing): Block[] {
  const { svg, alt, title, width } = drawn
  const name = `diagram:${sha256(svg)}`
  writing.diagrams.set(name, svg)
  return [
    {
      kind: 'figure',
      inside: [{ kind: 'picture', picture: { name, alt, width: width * POINTS_OF_PIXEL }, align: 'center' }],
      caption: title === undefined ? [] : writeParagraph([{ type: 'text', value: title }], writing, 'center'),
    },
  ]
}

function writeTableBlock(node: Element, writing: Writing): Block[] {
  const table = writeTable(node, writing, cell => writeBlocks(cell.children, writing))
  return table === undefined ? [] : [{ kind: 'table', table }]
}

function writeDetails(node: Element, writing: Writing): Block[] {
  const summary = elementsOf(node.children).find(({ tagName }) => tagName === 'summary')
  return [
    {
      kind: 'box',
      look: 'details',
      title: summary === undefined ? [] : writeLine(summary.children, writing),
      inside: writeBlocks(
        node.children.filter(child => child !== summary),
        writing,
      ),
    },
  ]
}

function writeDivision(node: Element, writing: Writing): Block[] {
  const side = drawnSide(node)
  return side === undefined ? writeInside(node, writing) : writeBox(`align-${side}`, node, writing)
}
