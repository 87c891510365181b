// Blocks: nodes with lines of their own.
import type { Element, ElementContent } from 'hast'
import { classAfter, classesOf, hasClass } from './classes.ts'
import { writeCodeLines } from './code.ts'
import { writeFormula } from './formulas.ts'
import { chosenIconOf, isEmptyLine, isUnseen, readPicture, writeLine, writeLink } from './inlines.ts'
import { directionOf } from './line-words.ts'
import type { Block, Item, Line } from './nodes.ts'
import { writeTable } from './tables.ts'
import { BLOCK_DEPTH_MAX, elementsOf, textOf, type Writing } from './writing.ts'

type BlockWriter = (node: Element, writing: Writing) => Block[]

const WRITERS: Readonly<Record<string, BlockWriter>> = {
  p: (node, writing) => writeParagraph(node.children, writing, alignOf(node)),
  ...Object.fromEntries(['h2', 'h3', 'h4', 'h5', 'h6'].map(name => [name, writeHeading])),
  ul: (node, writing) => (hasClass(node, 'cards') ? writeCards(node, writing) : writeList(node, writing)),
  ol: (node, writing) => (hasClass(node, 'stepper') ? writeSteps(node, writing) : writeList(node, writing)),
  blockquote: (node, writing) => [
    {
      kind: 'quotation',
      dir: directionOf(textOf(node.children)),
      inside: writeBlocks(node.children, writing),
    },
  ],
  figure: writeFigure,
  pre: node => [{ kind: 'code', isNumbered: false, lines: writeCodeLines(node.children) }],
  table: writeTableBlock,
  aside: writeAside,
  details: writeDetails,
  section: writeSection,
  div: writeDivision,
  hr: () => [{ kind: 'rule' }],
  dl: writeInside,
  dt: writeInBold,
  dd: (node, writing) => writeBox('indent', node, writing),
  article: writeInside,
  summary: writeInBold,
}

const isBlock = (node: ElementContent): node is Element =>
  node.type === 'element' &&
  (Object.hasOwn(WRITERS, node.tagName) || (node.tagName === 'a' && hasClass(node, 'link-card')))

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
  if (isUnseen(node)) return []
  if (writing.blockDepth >= BLOCK_DEPTH_MAX)
    return writeParagraph([{ type: 'text', value: textOf(node.children) }], writing, undefined)
  writing.blockDepth += 1
  const id = node.tagName.startsWith('h') ? undefined : writing.takeId(node)
  const written =
    node.tagName === 'a' ? writeCard(node, writing) : (WRITERS[node.tagName]?.(node, writing) ?? [])
  writing.blockDepth -= 1
  return id === undefined ? written : [{ kind: 'anchor-block', id }, ...written]
}

function writeParagraph(
  nodes: readonly ElementContent[],
  writing: Writing,
  align: string | undefined,
): Block[] {
  const seen = nodes.filter(node => !(node.type === 'text' && node.value.trim() === ''))
  const [only] = seen
  if (seen.length === 1 && only?.type === 'element' && only.tagName === 'img')
    return writePicture(only, writing, align)
  const inside = writeLine(nodes, writing)
  if (isEmptyLine(inside)) return []
  return [
    { kind: 'paragraph', inside, dir: directionOf(textOf(nodes)), ...(align === undefined ? {} : { align }) },
  ]
}

const alignOf = (node: Element): string | undefined => classAfter(node, 'align-')

function writeInside(node: Element, writing: Writing): Block[] {
  return writeBlocks(node.children, writing)
}

function writeInBold(node: Element, writing: Writing): Block[] {
  return writeParagraph([{ ...node, tagName: 'strong' }], writing, undefined)
}

function writeBox(look: string, node: Element, writing: Writing): Block[] {
  return [{ kind: 'box', look, inside: writeBlocks(node.children, writing) }]
}

function writeHeading(node: Element, writing: Writing): Block[] {
  const id = writing.takeId(node)
  const inside = writeLine(node.children, writing)
  const align = alignOf(node)
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
      items: itemsOf(node).map(item => writeItem(item, writing)),
    },
  ]
}

/** Whether a node is not the icon of a step or a hint, for which the template draws its own. */
const isNoIcon = (node: ElementContent): boolean => chosenIconOf(node) === undefined

const itemsOf = (node: Element): Element[] =>
  elementsOf(node.children).filter(({ tagName }) => tagName === 'li')

function writeItem(node: Element, writing: Writing): Item {
  const [box, ...rest] = node.children
  const isTask = box?.type === 'element' && box.tagName === 'input' && hasClass(node, 'task')
  const id = writing.takeId(node)
  return {
    ...(isTask ? { checked: box.properties.checked === true } : {}),
    ...(id === undefined ? {} : { id }),
    inside: writeBlocks((isTask ? rest : node.children).filter(isNoIcon), writing),
  }
}

const writeSteps = (node: Element, writing: Writing): Block[] => [
  {
    kind: 'steps',
    dir: directionOf(textOf(node.children)),
    items: itemsOf(node).map(item => writeItem(item, writing)),
  },
]

function writeFigure(node: Element, writing: Writing): Block[] {
  const caption = elementsOf(node.children).find(({ tagName }) => tagName === 'figcaption')
  const rest = node.children.filter(child => child !== caption)
  if (hasClass(node, 'code')) {
    const pre = elementsOf(rest).find(({ tagName }) => tagName === 'pre')
    return [
      {
        kind: 'code',
        isNumbered: hasClass(node, 'code-numbered'),
        ...(caption === undefined ? {} : { title: writeLine(caption.children, writing) }),
        lines: writeCodeLines(pre?.children ?? []),
      },
    ]
  }
  const align = alignOf(node)
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

function writeTableBlock(node: Element, writing: Writing): Block[] {
  const table = writeTable(node, writing, cell => writeBlocks(cell.children, writing))
  return table === undefined ? [] : [{ kind: 'table', table }]
}

function writeAside(node: Element, writing: Writing): Block[] {
  return [
    {
      kind: 'note',
      style: classAfter(node, 'hint-') ?? 'info',
      dir: directionOf(textOf(node.children)),
      inside: writeBlocks(node.children.filter(isNoIcon), writing),
    },
  ]
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

function writeSection(node: Element, writing: Writing): Block[] {
  const classes = classesOf(node)
  const look = ['operation', 'prompt', 'update', 'footnotes'].find(name => classes.includes(name))
  if (look === undefined) return writeInside(node, writing)
  const head = elementsOf(node.children).find(child => hasClass(child, `${look}-head`))
  return [
    {
      kind: 'box',
      look,
      ...(head === undefined ? {} : { title: spaced(head, writing) }),
      inside: writeBlocks(
        node.children.filter(child => child !== head),
        writing,
      ),
    },
  ]
}

/** Separates parts that a stylesheet would separate. */
const spaced = (node: Element, writing: Writing): Line =>
  node.children.flatMap((child, index): Line => [...(index > 0 ? [' '] : []), ...writeLine([child], writing)])

function writeDivision(node: Element, writing: Writing): Block[] {
  const has = (name: string) => hasClass(node, name)
  if (has('tabs')) return writeTabs(node, writing)
  if (has('columns')) {
    const columns = elementsOf(node.children)
    return [
      {
        kind: 'row',
        shares: columns.map(column => Number(classAfter(column, 'span-') ?? 1)),
        cells: columns.map(each => writeBlocks(each.children, writing)),
      },
    ]
  }
  if (has('figures')) {
    const figures = elementsOf(node.children)
    return [
      { kind: 'row', shares: figures.map(() => 1), cells: figures.map(each => writeBlocks([each], writing)) },
    ]
  }
  if (has('math-block')) {
    const math = elementsOf(node.children).find(({ tagName }) => tagName === 'math')
    const inside = math && writeFormula(math)
    if (inside !== undefined) return [{ kind: 'formula-block', inside }]
  }
  if (has('link-card')) return writeCard(node, writing)
  if (has('condition')) return writeBox('condition', node, writing)
  const align = alignOf(node)
  return align === undefined ? writeInside(node, writing) : writeBox(`align-${align}`, node, writing)
}

function writeTabs(node: Element, writing: Writing): Block[] {
  const tabs: { title: Line; inside: Block[] }[] = []
  for (const child of elementsOf(node.children))
    if (child.tagName === 'label') tabs.push({ title: writeLine(child.children, writing), inside: [] })
    else if (child.tagName === 'div') tabs.at(-1)?.inside.push(...writeBlock(child, writing))
  return [{ kind: 'tabs', tabs }]
}

/** A link as a box: its title and a line of text. */
function writeCard(node: Element, writing: Writing): Block[] {
  const parts = elementsOf(node.children).flatMap(child => elementsOf(child.children))
  const part = (name: string): Line => {
    const found = parts.find(child => hasClass(child, name))
    return found === undefined ? [] : writeLine(found.children, writing)
  }
  const title = part('link-card-title')
  const [link] = node.tagName === 'a' ? writeLink(node, title, writing) : []
  return [{ kind: 'card', title, text: part('link-card-text'), ...(link === undefined ? {} : { link }) }]
}

function writeCards(node: Element, writing: Writing): Block[] {
  return [{ kind: 'cards', cards: itemsOf(node).map(card => writeCardOfTable(card, writing)) }]
}

/** Its first words link to where the whole card links in the reader. */
function writeCardOfTable(card: Element, writing: Writing): Block[] {
  const part = (name: string) => elementsOf(card.children).find(child => hasClass(child, name))
  const target = part('card-target')
  const blocks = ['card-cover', 'card-body'].flatMap(name => writeBlocks(part(name)?.children ?? [], writing))
  const first = blocks.findIndex(({ kind }) => kind === 'paragraph')
  const words = blocks[first]
  if (target === undefined || words?.kind !== 'paragraph') return blocks
  return blocks.with(first, { ...words, inside: writeLink(target, words.inside, writing) })
}
