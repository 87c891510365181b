// Code that is shown as the picture that it describes. The picture is in the address of an image: a browser runs nothing
// of such a picture and loads nothing for it, everyone who may read the page has it, and it goes wherever the page goes.
import type { Element } from 'hast'
import { el, type Hast } from './build.ts'
import { describe } from './drawn.ts'
import type { Diagram } from './highlight.ts'
import type { Scope } from './scope.ts'
import { asScroller } from './scrollers.ts'

/** Turns the figure of a block of code into that of its picture, with the code below it. */
export function showDiagram(
  figure: Element,
  diagram: Diagram,
  title: string | undefined,
  scope: Scope,
): void {
  const { alt, width, height, light } = diagram
  const shownTitle = title ?? diagram.title
  // Its title is that of the picture.
  const source: Element = {
    ...figure,
    properties: { className: ['code'] },
    children: figure.children.filter(child => !(child.type === 'element' && child.tagName === 'figcaption')),
  }
  const picture = (svg: string, theme: string): Hast =>
    el('img', { src: addressOf(svg), alt, width, height, className: [theme], decoding: 'async' })
  figure.properties = {
    ...figure.properties,
    className: ['diagram', ...(width > FITTING_WIDTH_MAX ? [] : ['diagram-fits'])],
  }
  figure.children = [
    el(
      'div.diagram-picture',
      asScroller(shownTitle ?? 'Diagram', scope),
      picture(light, 'only-light'),
      picture(diagram.dark, 'only-dark'),
    ),
    ...(shownTitle === undefined ? [] : [el('figcaption', {}, shownTitle)]),
    el('details.diagram-source', {}, el('summary', {}, 'Source of the diagram'), source),
  ]
  describe(figure, { name: 'diagram', title: shownTitle, alt, width, height, svg: light })
}

/** A wider picture is scrolled, since its words would be too small to be read if it was shrunk to the width of a page. */
const FITTING_WIDTH_MAX = 1_100

/** RFC 2397, with as little escaped as browsers need: a picture is some kilobytes of signs that would be longer. */
const addressOf = (svg: string): string =>
  `data:image/svg+xml,${svg.replace(/[%#<>"&]/g, encodeURIComponent)}`
