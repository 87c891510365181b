// Reads YAML from outside: bounded, and with problems instead of exceptions.

import { type Document, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import type { SaidProblem } from '../../../base/problems.ts'

/** `line` counts from 1 within the piece of YAML, where it is known. */
export type YamlProblem = SaidProblem & { readonly line?: number }

// Each alias is looked up among all anchors, and a few lines of them can expand to gigabytes.
const ALIASES_MAX = 100
// The parser recurses with every level.
const NESTING_MAX = 100
const PROBLEMS_MAX = 20

/**
 * `marksMax`: characters other than letters, digits and blanks. They make nodes, which cost; long words cost nothing.
 * `nestingMax`: of brackets, including those in texts; 100 by default.
 * `aliasesMax`: in total, and in what one alias expands to; 100 by default. An alias repeats one value: a caller that
 * allows many checks the size of the value before writing it out.
 * `readNumber`: what stands for a number, by how it is written and the double that it is.
 */
export type YamlBounds = {
  readonly charactersMax: number
  readonly marksMax?: number
  readonly nestingMax?: number
  readonly aliasesMax?: number
  readonly readNumber?: (source: string, value: number) => unknown
}

/**
 * The value of a YAML document within its bounds as plain objects, arrays and scalars. Undefined, with a problem, if it
 * cannot be read; the last value of a repeated key counts, with a problem.
 */
export function parseYaml(text: string, bounds: YamlBounds): { value: unknown; problems: YamlProblem[] } {
  const { document, problems } = parseYamlDocument(text, bounds)
  if (!document) return { value: undefined, problems }
  if (bounds.readNumber !== undefined) replaceNumbers(document, bounds.readNumber)
  try {
    return { value: document.toJS({ maxAliasCount: bounds.aliasesMax ?? ALIASES_MAX }), problems }
  } catch (error) {
    return { value: undefined, problems: [...problems, refused(error)] }
  }
}

function replaceNumbers(document: Document, readNumber: (source: string, value: number) => unknown): void {
  visit(document, {
    Scalar: (key, scalar) => {
      if (key !== 'key' && typeof scalar.value === 'number' && scalar.source !== undefined)
        scalar.value = readNumber(scalar.source, scalar.value)
    },
  })
}

/** The same as nodes with their ranges; undefined if the text cannot be read. */
export function parseYamlDocument(
  text: string,
  {
    charactersMax,
    marksMax = Number.POSITIVE_INFINITY,
    nestingMax = NESTING_MAX,
    aliasesMax = ALIASES_MAX,
  }: YamlBounds,
): { document: Document | undefined; problems: YamlProblem[] } {
  const refuse = (code: string, message: string, max: number) => ({
    document: undefined,
    problems: [{ code, message, values: { max } }],
  })
  if (text.length > charactersMax)
    return refuse(
      'yaml_too_large',
      `YAML of more than ${charactersMax} characters is not read.`,
      charactersMax,
    )
  if (countMarks(text) > marksMax)
    return refuse(
      'yaml_too_large',
      `YAML with more than ${marksMax} signs and line ends is not read.`,
      marksMax,
    )
  if (bracketDepth(text) > nestingMax)
    return refuse('yaml_too_deep', `YAML nested deeper than ${nestingMax} levels is not read.`, nestingMax)
  try {
    const lines = new LineCounter()
    // The parser finds repeated keys and formats messages in quadratic time; both are done here.
    const document = parseDocument(text, {
      logLevel: 'silent',
      prettyErrors: false,
      uniqueKeys: false,
      lineCounter: lines,
    })
    if (document.errors.length > 0) {
      const problems = document.errors.slice(0, PROBLEMS_MAX).map(error => ({
        code: 'yaml_invalid',
        message: firstLine(error),
        values: { detail: firstLine(error) },
        line: lines.linePos(error.pos[0]).line,
      }))
      return { document: undefined, problems }
    }
    const { repeated, aliases } = survey(document)
    if (aliases > aliasesMax)
      return refuse(
        'yaml_too_many_aliases',
        `YAML with more than ${aliasesMax} aliases is not read.`,
        aliasesMax,
      )
    const problems = repeated.slice(0, PROBLEMS_MAX).map(({ key, offset }) => ({
      code: 'yaml_duplicate_key',
      message: `${key.slice(0, 100)} occurs more than once; the last value counts.`,
      values: { name: key.slice(0, 100) },
      line: lines.linePos(offset).line,
    }))
    return { document, problems }
  } catch (error) {
    return { document: undefined, problems: [refused(error)] }
  }
}

function survey(document: Document): { repeated: { key: string; offset: number }[]; aliases: number } {
  const repeated: { key: string; offset: number }[] = []
  let aliases = 0
  visit(document, {
    Alias: () => {
      aliases++
    },
    Map: (_key, map) => {
      const keys = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key) || key.value === undefined) continue
        if (keys.has(key.value)) repeated.push({ key: String(key.value), offset: key.range?.[0] ?? 0 })
        keys.add(key.value)
      }
    },
  })
  return { repeated, aliases }
}

const countMarks = (text: string): number => text.match(/[\u0000-\u001f!-/:-@[-`{-~]/g)?.length ?? 0

function bracketDepth(text: string): number {
  let depth = 0
  let deepest = 0
  for (const char of text) {
    if (char === '[' || char === '{') deepest = Math.max(deepest, ++depth)
    else if (char === ']' || char === '}') depth = Math.max(0, depth - 1)
  }
  return deepest
}

const refused = (error: unknown): YamlProblem => ({
  ...{ code: 'yaml_refused', message: firstLine(error), values: { detail: firstLine(error) } },
})

function firstLine(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return line.replace(/:$/, '').slice(0, 300)
}
