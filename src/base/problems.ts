// What is odd about a text or a file, and does not stop its import.

/** What a problem says besides its words, from which it is said in another language. */
export type ProblemValues = {
  readonly line?: number
  /** A name in the file: of a key, a variable, a component, a path. */
  readonly name?: string
  readonly max?: number
  readonly count?: number
  /** Which of several things it is, where a code has several. */
  readonly reason?: string
  /** The words of a parser, in English. */
  readonly detail?: string
}

/** `code` is stable; `message` is for people, in English. */
export type SaidProblem = {
  readonly code: string
  readonly message: string
  readonly values?: ProblemValues
}

/** A problem of a line of a text, where the line is known. */
export function withLine({
  line,
  ...problem
}: SaidProblem & { readonly line?: number | undefined }): SaidProblem {
  if (line === undefined) return problem
  const { code, message, values } = problem
  return { code, message: `Line ${line}: ${message}`, values: { line, ...values } }
}
