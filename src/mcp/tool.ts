// A tool: its description for programs, and one function from checked arguments to text.
import type { Static, TObject } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { describeWrong } from '../http/validation.ts'
import type { Api } from './api.ts'
import { toLine } from './text.ts'

const NAME_CHARACTERS_MAX = 100

/** Invalid arguments; the message names them. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError'
}

type Spec<T extends TObject> = {
  readonly name: string
  readonly title: string
  /** What it does and when to use it, for the model that chooses. */
  readonly description: string
  readonly input: T
  /** It changes nothing. */
  readonly isReadOnly?: true
  /** It can take something away. */
  readonly isDestructive?: true
  readonly run: (api: Api, args: Static<T>) => Promise<string>
}

export interface Tool extends Omit<Spec<TObject>, 'run'> {
  /** @throws {ArgumentError} for arguments that do not match `input`, before anything is done. */
  run(api: Api, given: unknown): Promise<string>
}

export function tool<T extends TObject>({ run, ...spec }: Spec<T>): Tool {
  let check: Validator | undefined
  return {
    ...spec,
    async run(api, given = {}) {
      check ??= Compile(spec.input)
      const unknown = namesOf(given).find(name => !Object.hasOwn(spec.input.properties, name))
      if (unknown !== undefined)
        throw new ArgumentError(
          `arguments.${toLine(unknown, NAME_CHARACTERS_MAX)}: there is no such argument.`,
        )
      if (!check.Check(given)) throw new ArgumentError(describeWrong('arguments', spec.input, check, given))
      // `check` is compiled from the schema that `T` is the type of.
      return run(api, given as Static<T>)
    },
  }
}

const namesOf = (given: unknown): string[] =>
  typeof given === 'object' && given !== null ? Object.keys(given) : []
