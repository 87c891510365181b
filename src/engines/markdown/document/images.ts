// Pictures outside of text: figures, rows of figures, and paragraphs of nothing but images.
import { childrenOf, type Element, hasClass, type Image, isNamed, type Node } from '../syntax/syntax.ts'
import type { Conversion } from './conversion.ts'
import { readLine } from './inlines.ts'
import { parseLength } from './lengths.ts'
import {
  type Block,
  type BlockData,
  type BlockOf,
  block,
  fragment,
  type Inline,
  paragraph,
  type Text,
  text,
} from './model.ts'
import { darkTwin } from './pictures.ts'

type Side = BlockData<'images'>

/** The images of a line that holds nothing else; undefined for any other line. */
export function toImages(
  line: readonly Node[],
  conversion: Conversion,
  side: Side = {},
): BlockOf<'images'> | undefined {
  const images: Block[] = []
  for (const node of line) {
    const image = toImage(node, conversion)
    if (image !== undefined) images.push(image)
    else if (!isSpace(node)) return undefined
  }
  return images.length === 0 ? undefined : block('images', side, { nodes: images })
}

/** An image with a size of its line belongs to it. */
const isInLine = (node: Node): boolean => isNamed(node, 'img') && node.attributes['data-size'] !== undefined

const isSpace = (node: Node): boolean =>
  (node.type === 'text' && node.value.trim() === '') || node.type === 'break' || isNamed(node, 'br')

/**
 * A drawing: `<img class="gitbook-drawing">` alone, which its file's editor can open again. One with a description is
 * an image, because a drawing holds no words.
 */
export function toDrawing(line: readonly Node[], conversion: Conversion): Block | undefined {
  const [only, ...others] = line.filter(node => !isSpace(node))
  if (only === undefined || others.length > 0 || !isNamed(only, 'img') || only.attributes.alt)
    return undefined
  if (!hasClass(only, 'gitbook-drawing')) return undefined
  const ref = conversion.media(only.attributes.src ?? '')
  return ref.kind === 'file' ? block('drawing', { ref }) : undefined
}

function toImage(node: Node, conversion: Conversion): BlockOf<'image'> | undefined {
  if (node.type === 'image') return ofMarkdown(node, conversion)
  if (isNamed(node, 'img') && !isInLine(node)) return ofElement(node, undefined, [], conversion)
  if (isNamed(node, 'picture') && !node.children.some(isInLine)) return ofPicture(node, [], conversion)
  return undefined
}

function ofMarkdown({ url, alt, title }: Image, conversion: Conversion): BlockOf<'image'> {
  const data: BlockData<'image'> = { ref: conversion.media(url) }
  if (alt !== '') data.alt = alt
  return imageBlock(data, title === null || title === '' ? [] : [text(title)])
}

function ofElement(
  img: Element,
  dark: string | undefined,
  caption: readonly (Text | Inline)[],
  conversion: Conversion,
): BlockOf<'image'> {
  const { src = '', alt, width, height } = img.attributes
  const data: BlockData<'image'> = { ref: conversion.media(src) }
  if (dark !== undefined) data.refDark = conversion.media(dark)
  if (alt !== undefined && alt !== '') data.alt = alt
  const [wide, high] = [parseLength(width), parseLength(height)]
  if (wide !== undefined) data.width = wide
  if (high !== undefined) data.height = high
  return imageBlock(data, caption)
}

/** A picture's source for dark schemes is the image's dark twin. */
function ofPicture(
  picture: Element,
  caption: readonly (Text | Inline)[],
  conversion: Conversion,
): BlockOf<'image'> | undefined {
  const img = picture.children.find(child => isNamed(child, 'img'))
  return img === undefined ? undefined : ofElement(img, darkTwin(picture), caption, conversion)
}

const imageBlock = (data: BlockData<'image'>, caption: readonly (Text | Inline)[]): BlockOf<'image'> =>
  block('image', data, caption.length === 0 ? {} : { fragments: [fragment('caption', [paragraph(caption)])] })

/** What a figure holds: its pictures under one caption (the last of them carries it), and the rest. */
type Figure = { readonly images: Block[]; readonly others: Node[] }

function openFigure(figure: Element, conversion: Conversion): Figure {
  const pictures: Element[] = []
  const others: Node[] = []
  let caption: (Text | Inline)[] = []
  const open = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (isNamed(node, 'img') || isNamed(node, 'picture')) pictures.push(node)
      else if (node.type === 'paragraph' || isNamed(node, 'p')) open(childrenOf(node))
      else if (isNamed(node, 'figcaption')) caption = readLine(node.children, conversion)
      else if (!isSpace(node)) others.push(node)
    }
  }
  open(figure.children)
  const images = pictures.flatMap((picture, index) => {
    const words = index === pictures.length - 1 ? caption : []
    const image =
      picture.name === 'img'
        ? ofElement(picture, undefined, words, conversion)
        : ofPicture(picture, words, conversion)
    return image === undefined ? [] : [image]
  })
  // A caption without a picture is a paragraph.
  if (images.length === 0 && caption.length > 0)
    for (const child of figure.children) if (isNamed(child, 'figcaption')) others.push(child)
  return { images, others }
}

/**
 * A figure, or a `<div>` around figures that aligns them: an image block, then the rest of the content.
 * Undefined for a `<div>` that holds anything but figures and pictures.
 */
export function readFigures(
  node: Element,
  conversion: Conversion,
  read: (nodes: readonly Node[]) => Block[],
): Block[] | undefined {
  const figures = node.name === 'figure' ? [node] : node.children.filter(child => !isSpace(child))
  const isAll = figures.every(
    child =>
      isNamed(child, 'figure') ||
      (isNamed(child, 'img') && !isInLine(child)) ||
      isNamed(child, 'picture') ||
      child.type === 'image',
  )
  if (!isAll || figures.length === 0) return undefined
  const images: Block[] = []
  const others: Node[] = []
  for (const child of figures) {
    if (isNamed(child, 'figure')) {
      const figure = openFigure(child, conversion)
      for (const image of figure.images) images.push(image)
      for (const other of figure.others) others.push(other)
    } else {
      const image = toImage(child, conversion)
      if (image !== undefined) images.push(image)
    }
  }
  const rest = others.length === 0 ? [] : read(others)
  return images.length === 0 ? rest : [block('images', sideOf(node), { nodes: images }), ...rest]
}

function sideOf({ name, attributes }: Element): Side {
  if (name === 'figure') return {}
  const side: Side = {}
  const align = attributes.align
  if (align === 'left' || align === 'center' || align === 'right') side.align = align
  if (attributes['data-full-width'] === 'true') side.fullWidth = true
  if (attributes['data-with-frame'] === 'true') side.withFrame = true
  return side
}
