// Formulas: TeX to MathML, which browsers draw themselves. No fonts, no styles, no script.
import katex from 'katex'
import { htmlToHast } from 'satteri'
import { type Child, el, type Hast } from './build.ts'

/** KaTeX takes 0.2 ms for a usual formula; a longer one is shown as it was written. */
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

/** The formula as MathML, or its source when it is too long or not TeX; the second is a problem worth telling. */
export function renderMath(formula: string, isBlock: boolean): { node: Hast; isReadable: boolean } {
  const markup = formula.length > FORMULA_LENGTH_MAX ? undefined : toMathML(formula, isBlock)
  if (markup === undefined) return { node: wrap(isBlock, el('code', {}, formula)), isReadable: false }
  const tree = htmlToHast(markup, { fragment: true }) as unknown as { children: Hast[] }
  const [outer] = tree.children
  const math = outer?.type === 'element' ? outer.children : []
  return { node: wrap(isBlock, math), isReadable: true }
}

const wrap = (isBlock: boolean, child: Child): Hast =>
  isBlock
    ? el('div', { className: 'math-block', role: 'group', ariaLabel: 'Formula' }, child)
    : el('span', { className: 'math' }, child)

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
    // Anything that KaTeX refuses, its own errors and a stack it ran out of, is shown as source.
    return undefined
  }
}
