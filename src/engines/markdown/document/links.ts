// Links, mentions, images and emojis in a line, in any notation.
import { defined } from '../../../base/objects.ts'
import type { Picture } from '../reading/reading.ts'
import { type Node, renderEmoji } from '../syntax/syntax.ts'
import type { Conversion } from './conversion.ts'
import { Line } from './line.ts'
import { inline } from './model.ts'
import type { Style } from './style.ts'

/** Puts a link in a line; a link within a link splits it. */
export function putLink(
  children: readonly Node[],
  destination: string,
  line: Line,
  style: Style,
  conversion: Conversion,
): void {
  const inner = new Line()
  conversion.write(children, inner, { ...style, isLinked: true })
  if (inner.isEmpty) inner.write(destination, style.marks)
  inner.linkTo(conversion.reference(destination))
  line.append(inner)
}

export const putMention = (destination: string, line: Line, conversion: Conversion): void =>
  line.put(inline('mention', { ref: conversion.reference(destination) }))

export function putImage(picture: Picture, line: Line, conversion: Conversion): void {
  const { src, dark, alt, title, size } = picture
  const data = { ...conversion.picture(src, dark), alt: alt || undefined, caption: title, size }
  line.put(inline('inline-image', defined(data)))
}

/** An emoji; in a link, which cannot hold one, its character as text. */
export function putEmoji(code: string, line: Line, style: Style): void {
  if (style.isLinked) line.write(renderEmoji(code) ?? '', style.marks)
  else line.put(inline('emoji', { code }))
}
