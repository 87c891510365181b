// Whether matching a regular expression can take more than in proportion to the text. Two judges, both over the
// expression alone: scslre finds loops that share what they match with another loop, with themselves or with the places
// a search begins at (`\s*\s*$`, `(a+)+`, `\s+$`); `restart` finds what that leaves out, a loop that runs over beginnings
// of the whole expression (`<!--.*?-->` on `<!--<!--<!--`).
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import { isDisjointWith, JS, NFA } from 'refa'
import { analyse } from 'scslre'

export type Expression = { readonly source: string; readonly flags: string }

// A loop with a high bound costs that bound for each character: it is judged as if it had none.
const BOUND_MIN = 100
const NODES_MAX = 100_000

/** The part that makes it slow, or undefined where nothing does. Throws a SyntaxError for what is no expression. */
export function findSuperlinear(expression: Expression): string | undefined {
  const { flags } = expression
  const source = withoutHighBounds(expression)
  const [report] = analyse({ source, flags }, { maxReports: 1 }).reports
  if (report === undefined) return restart({ source, flags })
  if (report.type === 'Trade') return `${report.startQuant.raw} beside ${report.endQuant.raw}`
  return report.type === 'Self'
    ? `${report.quant.raw} in ${report.parentQuant.raw}`
    : `${report.quant.raw} from every place`
}

function withoutHighBounds({ source, flags }: Expression): string {
  const loops: AST.Quantifier[] = []
  visitRegExpAST(parse({ source, flags }), {
    onQuantifierEnter: loop => {
      if (loop.max >= BOUND_MIN && loop.max !== Number.POSITIVE_INFINITY) loops.push(loop)
    },
  })
  const fromTheEnd = loops.sort((one, other) => other.element.end - one.element.end)
  return fromTheEnd.reduce((text, loop) => {
    const end = `{${Math.min(loop.min, 1)},}${loop.greedy ? '' : '?'}`
    return text.slice(0, loop.element.end) + end + text.slice(loop.end)
  }, source)
}

/** A search begins at each place; where the loop that one runs in can hold the beginning of another, each runs it again. */
function restart({ source, flags }: Expression): string | undefined {
  if (flags.includes('y')) return undefined
  let found: string | undefined
  visitRegExpAST(parse({ source, flags }), {
    onQuantifierEnter: loop => {
      if (found !== undefined || loop.max !== Number.POSITIVE_INFINITY) return
      const around = surroundings(loop, flags)
      if (
        around === undefined ||
        accepts(around.after, flags, []) ||
        accepts(around.before, flags, [], 'ignore')
      )
        return
      const inLoop = toNfa(`(?:${loop.element.raw})*`, flags, 'ignore')
      const withBeginning = toNfa(`[^]*(?:${around.before})[^]*`, flags, 'ignore')
      if (!isDisjointWith(inLoop, withBeginning, NODES_MAX)) found = `${loop.raw} over ${around.before}`
    },
  })
  return found
}

/** What is matched before and after a loop; undefined where only one place of a text can lead into it. */
function surroundings(loop: AST.Quantifier, flags: string): { before: string; after: string } | undefined {
  let before = ''
  let after = ''
  for (let node: AST.Node = loop; node.parent !== null; node = node.parent as AST.Node) {
    if (node.type === 'Assertion' && node.kind === 'lookbehind') return undefined
    const { parent } = node
    if (parent.type !== 'Alternative') continue
    const at = parent.elements.indexOf(node as AST.Element)
    const elements = parent.elements.slice(0, at)
    if (!flags.includes('m') && elements.some(isStart)) return undefined
    before = elements.map(element => (isStart(element) ? '\\n' : element.raw)).join('') + before
    after += parent.elements
      .slice(at + 1)
      .map(element => element.raw)
      .join('')
  }
  return { before, after }
}

const isStart = (element: AST.Element): boolean => element.type === 'Assertion' && element.kind === 'start'

const accepts = (
  source: string,
  flags: string,
  word: number[],
  assertions: Assertions = 'disable',
): boolean => toNfa(source, flags, assertions).test(word)

type Assertions = 'disable' | 'ignore'

function toNfa(source: string, flags: string, assertions: Assertions): NFA {
  const parser = JS.Parser.fromLiteral({ source, flags: flags.replace(/[dgy]/g, '') })
  const { expression, maxCharacter } = parser.parse({ assertions, backreferences: 'disable' })
  return NFA.fromRegex(expression, { maxCharacter }, { assertions: 'disable' })
}

const parse = ({ source, flags }: Expression): AST.Pattern =>
  new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })
