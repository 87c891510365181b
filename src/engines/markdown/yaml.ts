// Reads a piece of YAML that strangers wrote: bounded, and with problems instead of exceptions.
import { type Document, parseDocument } from 'yaml'

/** `line` counts from 1 within the piece of YAML, where it is known. */
export type YamlProblem = { readonly code: string; readonly message: string; readonly line?: number }

/** Larger than any configuration people write; a page's frontmatter is a few hundred characters. */
export const YAML_CHARACTERS_MAX = 1_000_000
const ALIASES_MAX = 100
// The parser goes one call deeper with every bracket.
const NESTING_MAX = 200

/**
 * The value of a YAML document as plain objects, arrays and scalars. Undefined, with a problem, where it cannot be
 * read; of a key that is there twice the last value counts, with a problem.
 */
export function readYaml(text: string): { value: unknown; problems: YamlProblem[] } {
  const { document, problems } = readYamlDocument(text)
  if (!document) return { value: undefined, problems }
  try {
    return { value: document.toJS({ maxAliasCount: ALIASES_MAX }), problems }
  } catch (error) {
    return { value: undefined, problems: [...problems, { code: 'yaml_refused', message: firstLine(error) }] }
  }
}

/** The same as nodes that know where they stand; undefined where the text cannot be read. */
export function readYamlDocument(text: string): { document: Document | undefined; problems: YamlProblem[] } {
  const refuse = (code: string, message: string) => ({ document: undefined, problems: [{ code, message }] })
  if (text.length > YAML_CHARACTERS_MAX)
    return refuse('yaml_too_large', `YAML of more than ${YAML_CHARACTERS_MAX} characters is not read.`)
  if (bracketDepth(text) > NESTING_MAX)
    return refuse('yaml_too_deep', `YAML nested deeper than ${NESTING_MAX} levels is not read.`)
  try {
    const document = parseDocument(text, { logLevel: 'silent', prettyErrors: true, strict: true })
    const problems = document.errors.map(error => ({
      code: error.code === 'DUPLICATE_KEY' ? 'yaml_duplicate_key' : 'yaml_invalid',
      message: firstLine(error),
      ...(error.linePos ? { line: error.linePos[0].line } : {}),
    }))
    const isReadable = problems.every(problem => problem.code === 'yaml_duplicate_key')
    return { document: isReadable ? document : undefined, problems: problems.slice(0, 20) }
  } catch (error) {
    return refuse('yaml_refused', firstLine(error))
  }
}

function bracketDepth(text: string): number {
  let depth = 0
  let deepest = 0
  for (const char of text) {
    if (char === '[' || char === '{') deepest = Math.max(deepest, ++depth)
    else if (char === ']' || char === '}') depth = Math.max(0, depth - 1)
  }
  return deepest
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]!.replace(/:$/, '').slice(0, 300)
