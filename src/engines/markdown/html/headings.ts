// Headings, written in Markdown or in HTML: the same id as their search section, and a link to themselves.

import { headingLevel } from '../page/page.ts'
import { sideOf } from '../reading/reading.ts'
import type { Element, Heading, Node } from '../syntax/syntax.ts'
import { type Child, el, textOf } from './build.ts'
import { alignedTo } from './drawn.ts'
import { sideClass } from './names.ts'
import type { Scope } from './scope.ts'

const LINK_WORDS_MAX = 80

/**
 * The page's title is the only `h1`, so a `#` of the body becomes an `h2` like a `##`: two of GitBook's levels share
 * one of HTML's. Where the author skips a level, the heading looks as it was written and has an `aria-level` one deeper
 * than the one above it.
 */
export function renderHeading(node: Heading | Element, scope: Scope): Child {
  const inside = scope.inlines(linesOf(node.children))
  const words = textOf(inside).trim()
  const id = scope.headingId(node, words)
  const otherId = scope.takeOtherId(node)
  // A heading without words is invisible, but the section below it can still be linked to.
  if (inside.length === 0) return el('div', { id })
  const level = Math.max(2, headingLevel(node))
  const ariaLevel = scope.nextLevel(level)
  const ariaLabel = `Link to “${words.slice(0, LINK_WORDS_MAX)}”`
  return el(
    `h${level}`,
    {
      id,
      ariaLevel: ariaLevel !== level && ariaLevel,
      className: node.type === 'element' && sideClass(node),
      draws: node.type === 'element' && alignedTo(sideOf(node)),
    },
    otherId !== undefined && el('span', { id: otherId }),
    inside,
    el('a.anchor', { href: `#${encodeURIComponent(id)}`, ariaLabel, draws: { name: 'screen' } }, '#'),
  )
}

/** A heading holds one line: a paragraph that HTML put in it is replaced by its words. */
const linesOf = (children: readonly Node[]): readonly Node[] =>
  children.flatMap((child): readonly Node[] => (child.type === 'paragraph' ? child.children : [child]))
