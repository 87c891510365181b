// Formulas: TeX to MathML, which browsers draw themselves. No fonts, no styles, no script.

import type { Element } from 'hast'
import katex from 'katex'
import type { Node } from '../syntax/syntax.ts'
import { el, type Hast, text } from './build.ts'
import type { Scope } from './scope.ts'

/** KaTeX takes 0.2 ms for a usual formula; a longer one is shown as written. */
const FORMULA_LENGTH_MAX = 4_000

/** Expansions of macros in one formula, KaTeX's own guard against `\def\a{\a\a}`. */
const EXPANSIONS_MAX = 500

/** What KaTeX's MathML output is made of. `annotation-xml` is not: it may hold HTML. */
export const MATH_ELEMENTS: readonly string[] =
  `math semantics annotation mrow mi mo mn ms mtext mspace mfrac msqrt mroot msup msub msubsup
    munder mover munderover mmultiscripts mtable mtr mtd mlabeledtr mstyle mpadded mphantom
    menclose`.split(/\s+/)

export const MATH_ATTRIBUTES: readonly string[] =
  `accent accentunder columnalign columnlines columnspacing display displaystyle encoding fence
    form height depth voffset linebreak linethickness lspace mathbackground mathcolor mathsize
    mathvariant maxsize minsize movablelimits notation rowlines rowspacing rspace scriptlevel
    separator side stretchy width symmetric`.split(/\s+/)

/** A formula of the page; one that cannot be drawn is shown as written, and reported. */
export function renderFormula(node: Extract<Node, { type: 'math' | 'inlineMath' }>, scope: Scope): Hast[] {
  const drawn = renderMath(node.value, node.type === 'math')
  if (drawn === undefined)
    scope.report(
      'unreadable_formula',
      node.value,
      `This formula is not TeX: ${node.value.slice(0, 100)}`,
      node,
    )
  return drawn ?? [el('code', {}, node.value)]
}

/** A formula within a line, from HTML. */
export const renderLineMath = (formula: string): Hast[] =>
  renderMath(formula, false) ?? [el('code', {}, formula)]

/** The formula as MathML; undefined if it is too long or not TeX. */
function renderMath(formula: string, isBlock: boolean): Hast[] | undefined {
  const markup = formula.length > FORMULA_LENGTH_MAX ? undefined : toMathML(formula, isBlock)
  if (markup === undefined) return undefined
  const [outer] = readMarkup(markup)
  return outer?.type === 'element' ? outer.children : []
}

const PART = /<(?<close>\/?)(?<name>[a-z-]+)(?<attributes>(?:[ /][^<>]*)?)>|(?<words>[^<]+)/g
const ATTRIBUTE = / ([a-z-]+) ?="([^"]*)"/g

/**
 * The tree of KaTeX's markup, in which every element is closed and special characters are escaped. An HTML parser takes
 * three times as long for a formula as KaTeX.
 */
function readMarkup(markup: string): Hast[] {
  const outer = el('div')
  const open: Element[] = [outer]
  for (const { groups = {} } of markup.matchAll(PART)) {
    const { close, name, attributes = '', words } = groups
    const parent = open.at(-1) ?? outer
    if (words !== undefined) parent.children.push(text(unescaped(words)))
    else if (close !== '') open.pop()
    else {
      const values = [...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [
        key === 'class' ? 'className' : key,
        unescaped(value),
      ])
      const element = el(name ?? '', Object.fromEntries(values))
      parent.children.push(element)
      if (!attributes.endsWith('/')) open.push(element)
    }
  }
  return outer.children
}

const REFERENCES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

const unescaped = (written: string): string =>
  written.includes('&')
    ? written.replace(/&(?:amp|lt|gt|quot|#x27);/g, one => REFERENCES[one] ?? one)
    : written

function toMathML(formula: string, isBlock: boolean): string | undefined {
  try {
    return katex.renderToString(formula, {
      output: 'mathml',
      displayMode: isBlock,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxExpand: EXPANSIONS_MAX,
      maxSize: 50,
    })
  } catch {
    // A formula that KaTeX refuses, with an error of its own or by overflowing the stack, is shown as source.
    return undefined
  }
}
