// Pictures outside of text: figures, rows of figures, and lines of nothing but pictures.
import { defined } from '../../../../base/objects.ts'
import { type Picture, pictureOf, sideOf } from '../../reading/reading.ts'
import { isOn } from '../../schema/schema.ts'
import { childrenOf, type Element, isNamed, type Node } from '../../syntax/syntax.ts'

export type Images = {
  readonly node: Node
  readonly align?: 'left' | 'center' | 'right'
  readonly fullWidth?: true
  readonly withFrame?: true
  readonly figures: readonly Figure[]
}

export type Figure = {
  readonly node: Node
  /** Pictures, and what stands between them. */
  readonly content: readonly (Picture | readonly Node[])[]
  /** Empty if there is none; a title is plain words. */
  readonly caption: string | readonly Node[]
}

export const isPicture = (one: Figure['content'][number]): one is Picture => 'src' in one

/** The pictures of a line that holds nothing else; undefined for any other line. */
export function readLineImages(line: readonly Node[]): Images | undefined {
  const node = line.find(one => !isLayout(one))
  return node === undefined ? undefined : imagesOf(node, line)
}

/** A figure, or a box around figures and pictures that aligns them; undefined if it holds anything else. */
export function readFigures(node: Element): Images | undefined {
  if (node.name === 'figure') return imagesOf(node, [node])
  const [only, ...others] = node.children.filter(one => !isLayout(one))
  return imagesOf(node, others.length === 0 && only?.type === 'paragraph' ? only.children : node.children)
}

function imagesOf(node: Node, nodes: readonly Node[]): Images | undefined {
  const figures: Figure[] = []
  for (const one of nodes) {
    if (isLayout(one)) continue
    const figure = figureOf(one)
    if (figure === undefined) return undefined
    figures.push(figure)
  }
  if (figures.length === 0) return undefined
  return { node, ...lookOf([node, ...figures.map(figure => figure.node)]), figures }
}

const ALIGN = { start: 'left', center: 'center', end: 'right' } as const

/** What the box names, else its first figure that names it. */
function lookOf(nodes: readonly Node[]): Pick<Images, 'align' | 'fullWidth' | 'withFrame'> {
  const boxes = nodes.filter(one => one.type === 'element' && pictureOf(one) === undefined) as Element[]
  const side = boxes.map(sideOf).find(one => one !== undefined)
  const has = (name: string) =>
    isOn(boxes.map(box => box.attributes[name]).find(one => one !== undefined)) || undefined
  return defined({
    align: side && ALIGN[side],
    fullWidth: has('data-full-width'),
    withFrame: has('data-with-frame'),
  } as const)
}

function figureOf(node: Node): Figure | undefined {
  if (isNamed(node, 'figure')) return openFigure(node)
  const picture = pictureOf(node)
  return picture === undefined || picture.isInLine
    ? undefined
    : { node, content: [picture], caption: picture.title ?? '' }
}

/** Its pictures may stand in paragraphs. The first caption counts, a second one is content. */
function openFigure(figure: Element): Figure {
  const content: (Picture | Node[])[] = []
  let caption: readonly Node[] | undefined
  const add = (node: Node): void => {
    const last = content.at(-1)
    if (Array.isArray(last)) last.push(node)
    else content.push([node])
  }
  const open = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      const picture = pictureOf(node)
      if (picture !== undefined) content.push(picture)
      else if (isNamed(node, 'figcaption') && caption === undefined) caption = node.children
      else if (isParagraph(node) && node.children.some(holdsPart)) open(node.children)
      else if (!isLayout(node)) add(node)
    }
  }
  open(figure.children)
  const title = content.filter(isPicture).at(-1)?.title ?? ''
  return { node: figure, content, caption: caption === undefined || isEmpty(caption) ? title : caption }
}

const holdsPart = (node: Node): boolean => isNamed(node, 'figcaption') || pictureOf(node) !== undefined

const isParagraph = (node: Node): node is Element | Extract<Node, { type: 'paragraph' }> =>
  node.type === 'paragraph' || isNamed(node, 'p')

const isEmpty = (nodes: readonly Node[]): boolean =>
  nodes.every(node => isLayout(node) || (isParagraph(node) && isEmpty(childrenOf(node))))

/** White space, breaks and comments: they show nothing between pictures. */
const isLayout = (node: Node): boolean =>
  (node.type === 'text' && node.value.trim() === '') ||
  (node.type === 'html' && node.kind === 'comment') ||
  node.type === 'break' ||
  isNamed(node, 'br')
