// Links, mentions, images and emojis in a line, in whatever notation they were written.
import { type Node, renderEmoji } from '../syntax/syntax.ts'
import type { Conversion } from './conversion.ts'
import { Line } from './line.ts'
import { type InlineData, inline } from './model.ts'
import type { Style, Writer } from './style.ts'

/** A mention's words come from its destination; a label of the writer's own makes it a link. */
export const isDerived = (label: string, destination: string): boolean =>
  label === 'Broken link' || destination.toLowerCase().includes(label.toLowerCase())

/** A link; one within another takes its words out of it. */
export function putLink(
  children: readonly Node[],
  destination: string,
  line: Line,
  style: Style,
  writer: Writer,
): void {
  const inner = new Line()
  writer.write(children, inner, { ...style, isLinked: true })
  if (inner.isEmpty) inner.write(destination, style.marks)
  inner.linkTo(writer.conversion.reference(destination))
  line.append(inner)
}

type ImageAttributes = {
  readonly src: string
  readonly alt?: string
  readonly title?: string
  readonly size?: string
  /** Its twin for dark schemes. */
  readonly dark?: string
}

export function putImage(image: ImageAttributes, line: Line, conversion: Conversion): void {
  const { src, alt, title, size, dark } = image
  const data: InlineData<'inline-image'> = { ref: conversion.media(src) }
  if (dark !== undefined) data.refDark = conversion.media(dark)
  if (alt !== undefined && alt !== '') data.alt = alt
  if (title !== undefined && title !== '') data.caption = title
  if (size === 'line' || size === 'original') data.size = size
  line.put(inline('inline-image', data))
}

/** An emoji; in a link, which holds none, its sign as text. */
export function putEmoji(code: string, line: Line, style: Style): void {
  if (style.isLinked) line.write(renderEmoji(code) ?? '', style.marks)
  else line.put(inline('emoji', { code }))
}
