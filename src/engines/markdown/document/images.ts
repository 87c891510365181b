// Pictures outside of text: figures, rows of figures, and paragraphs of nothing but images.
import { defined } from '../../../base/objects.ts'
import { isOn, parseLength, sideOf } from '../attributes/attributes.ts'
import { childrenOf, type Element, hasClass, isNamed, type Node } from '../syntax/syntax.ts'
import type { Conversion } from './conversion.ts'
import { readLine } from './inlines.ts'
import { darkTwin } from './links.ts'
import {
  type Block,
  type BlockData,
  type BlockOf,
  block,
  fragment,
  paragraph,
  text,
  type Words,
} from './model.ts'

/** The images of a line that holds nothing else; undefined for any other line. */
export function toImages(line: readonly Node[], conversion: Conversion): BlockOf<'images'> | undefined {
  const images: Block[] = []
  for (const node of line) {
    const image = toImage(node, conversion)
    if (image !== undefined) images.push(image)
    else if (!isSpace(node)) return undefined
  }
  return images.length === 0 ? undefined : block('images', {}, { nodes: images })
}

const isPicture = (node: Node): node is Element & { readonly name: 'img' | 'picture' } =>
  isNamed(node, 'img') || isNamed(node, 'picture')

/** An image that is sized for a line stays in the line. */
const isInLine = (node: Node): boolean => isNamed(node, 'img') && node.attributes['data-size'] !== undefined

const isSpace = (node: Node): boolean =>
  (node.type === 'text' && node.value.trim() === '') || node.type === 'break' || isNamed(node, 'br')

/**
 * A drawing: a lone `<img class="gitbook-drawing">`, which the file's editor can open again. One with a description is
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
  if (node.type === 'image') {
    const data = defined({ ref: conversion.media(node.url), alt: node.alt || undefined })
    return imageBlock(data, node.title ? [text(node.title)] : [])
  }
  if (!isPicture(node) || [node, ...node.children].some(isInLine)) return undefined
  return pictureImage(node, [], conversion)
}

/** `<img>`, or the one in a `<picture>`. */
function pictureImage(picture: Element, caption: Words, conversion: Conversion) {
  const img = [picture, ...picture.children].find(node => isNamed(node, 'img'))
  if (img === undefined) return undefined
  const { src = '', alt, width, height } = img.attributes
  const data = {
    ...conversion.picture(src, darkTwin(picture)),
    alt: alt || undefined,
    width: parseLength(width),
    height: parseLength(height),
  }
  return imageBlock(defined(data), caption)
}

const imageBlock = (data: BlockData<'image'>, caption: Words): BlockOf<'image'> =>
  block('image', data, caption.length === 0 ? {} : { fragments: [fragment('caption', [paragraph(caption)])] })

/** What a figure holds: its pictures under one caption (the last of them carries it), and the rest. */
type Figure = { readonly images: readonly Block[]; readonly others: readonly Node[] }

function openFigure(figure: Element, conversion: Conversion): Figure {
  const pictures: Element[] = []
  const others: Node[] = []
  let caption: Words = []
  const open = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (isPicture(node)) pictures.push(node)
      else if (node.type === 'paragraph' || isNamed(node, 'p')) open(childrenOf(node))
      else if (isNamed(node, 'figcaption')) caption = readLine(node.children, conversion)
      else if (!isSpace(node)) others.push(node)
    }
  }
  open(figure.children)
  const last = pictures.at(-1)
  const images = pictures.flatMap(
    picture => pictureImage(picture, picture === last ? caption : [], conversion) ?? [],
  )
  // A caption without a picture is a paragraph.
  const captions = figure.children.filter(child => isNamed(child, 'figcaption'))
  return { images, others: images.length === 0 && caption.length > 0 ? [...others, ...captions] : others }
}

/**
 * A figure, or a `<div>` around figures that aligns them: an image block, then the rest of the content.
 * Undefined for a `<div>` that holds anything but figures and pictures.
 */
export function readFigures(node: Element, conversion: Conversion): Block[] | undefined {
  const figures = node.name === 'figure' ? [node] : node.children.filter(child => !isSpace(child))
  const isFigure = (child: Node): boolean =>
    isNamed(child, 'figure') || child.type === 'image' || (isPicture(child) && !isInLine(child))
  if (figures.length === 0 || !figures.every(isFigure)) return undefined
  const parts = figures.map((child): Figure => {
    if (isNamed(child, 'figure')) return openFigure(child, conversion)
    const image = toImage(child, conversion)
    return { images: image === undefined ? [] : [image], others: [] }
  })
  const images = parts.flatMap(part => part.images)
  const rest = conversion.blocks(parts.flatMap(part => part.others))
  return images.length === 0 ? rest : [block('images', lookOf(node), { nodes: images }), ...rest]
}

const SIDES = { start: 'left', center: 'center', end: 'right' } as const

function lookOf(node: Element): BlockData<'images'> {
  const { name, attributes } = node
  const side = sideOf(node)
  if (name === 'figure') return {}
  return defined({
    align: side && SIDES[side],
    fullWidth: isOn(attributes['data-full-width']) || undefined,
    withFrame: isOn(attributes['data-with-frame']) || undefined,
  })
}
