// A tool: its description for programs, and one function from checked arguments to an answer.
import type { Static, TObject } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { Api } from './api.ts'
import { describeArguments } from './describe-arguments.ts'

/** Invalid arguments; the message names them. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError'
}

/** The same in words for a model, and as data for a program. */
export type ToolAnswer<Data = unknown> = { readonly text: string; readonly data: Data }

type Spec<T extends TObject, O extends TObject> = {
  readonly name: string
  readonly title: string
  /** What it does and when to use it, for the model that chooses. */
  readonly description: string
  readonly input: T
  readonly output: O
  /** It changes nothing. */
  readonly isReadOnly?: true
  /** It can take something away. */
  readonly isDestructive?: true
  readonly run: (api: Api, args: Static<T>) => Promise<ToolAnswer<Static<O>>>
}

export interface Tool extends Omit<Spec<TObject, TObject>, 'run'> {
  /** @throws {ArgumentError} for arguments that do not match `input`, before anything is done. */
  run(api: Api, given: unknown): Promise<ToolAnswer>
}

export function tool<T extends TObject, O extends TObject>({ run, ...spec }: Spec<T, O>): Tool {
  let check: Validator | undefined
  return {
    ...spec,
    async run(api, given = {}) {
      check ??= Compile(spec.input)
      const problems = describeArguments(spec.input, given, check)
      if (problems.length > 0) throw new ArgumentError(problems.join('\n'))
      // `check` is compiled from the schema that `T` is the type of.
      return run(api, given as Static<T>)
    },
  }
}
