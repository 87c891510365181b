// Why a repository or an archive could not be read, in the language of the person. Its texts come with the screens that
// say it (`messages/new.ts`).
import { ApiError } from '../data/client.ts'
import type { Operation } from '../data/git.ts'
import { t } from '../messages/messages.ts'
import en from '../messages/new.en.json'
import { sayWhy } from './refusals.ts'

type Code = Exclude<keyof (typeof en)['git'], 'other'>

const isCode = (code: string): code is Code => code !== 'other' && Object.hasOwn(en.git, code)

/** A refusal of the API. */
export const sayGitWhy = (error: unknown): string =>
  error instanceof ApiError && error.reason !== undefined && isCode(error.reason)
    ? t(`git.${error.reason}`)
    : sayWhy(error)

/** How an operation ended. */
export const sayGitFailure = ({ errorCode = 'internal' }: Pick<Operation, 'errorCode'>): string =>
  isCode(errorCode) ? t(`git.${errorCode}`) : t('git.other', { code: errorCode })
