// Answers a question: finds passages in the spaces that the caller may see, and answers from them, with a model if
// there is one.
import { personOf } from '../../access/roles.ts'
import { Failure, invalid } from '../../base/errors.ts'
import type { SignedInContext } from '../../http/operation.ts'
import type { LanguageModel } from '../../platform/model/model.ts'
import { toBody } from './body.ts'
import { findFor, followUps, type QuestionPassages, quoteFrom } from './quoting.ts'
import type { AnswerDetails, AnswerOptions, AnswerStream } from './schema.ts'
import { listAskedSpaces } from './spaces.ts'
import { NO_ANSWER, toDetails, toMarkdown, toSources } from './wire.ts'
import { NOTHING_WRITTEN, write } from './writing.ts'

export type AskRequest = AnswerOptions & {
  readonly query: string
  readonly previousQueries?: readonly string[]
  readonly signal: AbortSignal
}

/** Snapshots of the answer: each is whole and replaces the one before it. */
export async function* ask(
  context: SignedInContext,
  organizationId: string,
  asked: AskRequest,
): AsyncGenerator<AnswerStream> {
  if (asked.query.trim() === '') throw invalid('query_empty', 'query: say what you want to know.')
  const spaces = await listAskedSpaces(context.db, organizationId, personOf(context.principal))
  const found = await findFor(context, organizationId, spaces, asked)
  const input: AnswerInput = { context, organizationId, asked, found }
  const { model } = context
  const written: Outcome =
    model !== undefined && found.passages.length > 0
      ? yield* answerInWords(input, model)
      : { model: 'none', dropped: 0 }
  if (written.model !== 'used') yield await answerInQuotations(input, written)
}

type AnswerInput = {
  readonly context: SignedInContext
  readonly organizationId: string
  readonly asked: AskRequest
  readonly found: QuestionPassages
}

/** Whether the model was used; if not, the answer is made of quotations. */
type Outcome = Pick<AnswerDetails, 'model' | 'dropped'>

/** Snapshots of what the model writes. */
async function* answerInWords(
  { context, organizationId, asked, found }: AnswerInput,
  model: LanguageModel,
): AsyncGenerator<AnswerStream, Outcome> {
  const { query, previousQueries = [], signal, format } = asked
  const { passages } = found
  let last = NOTHING_WRITTEN
  try {
    const writing = { organizationId, query, previousQueries, passages, signal }
    for await (const written of write(context, model, writing)) {
      // The last one is repeated below, with its sources.
      const isNew = written.markdown !== last.markdown
      last = written
      if (isNew)
        yield answerOf({
          ...NO_ANSWER,
          answer: await toBody(context, organizationId, written.markdown, format),
        })
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Failure) || error.kind !== 'unavailable') throw error
    const { dropped } = last
    if (error.code === 'model_off') return { model: 'none', dropped }
    context.log.warn({ code: error.code, err: error.cause }, 'answered without the model')
    return { model: error.code === 'model_spent' ? 'spent' : 'failed', dropped }
  }
  const { markdown, cited, dropped, saysNothing } = last
  if (markdown === '' && !saysNothing) return { model: 'unsupported', dropped }
  const about = asked.details ? { octavo: toDetails('model', 'used', found, dropped) } : {}
  if (markdown === '') yield { ...answerOf(NO_ANSWER), ...about }
  else
    yield {
      ...answerOf({
        answer: await toBody(context, organizationId, markdown, format),
        followupQuestions: followUps(found, cited),
        sources: toSources(cited),
      }),
      ...about,
    }
  return { model: 'used', dropped }
}

async function answerInQuotations(
  { context, organizationId, asked, found }: AnswerInput,
  { model, dropped }: Outcome,
): Promise<AnswerStream> {
  const quoted = await quoteFrom(context, organizationId, found)
  const about = asked.details ? { octavo: toDetails('quotations', model, found, dropped) } : {}
  if (quoted === undefined) return { ...answerOf(NO_ANSWER), ...about }
  const said = quoted.parts.map(({ passage }) => passage)
  return {
    ...answerOf({
      answer: await toBody(context, organizationId, toMarkdown(context, quoted), asked.format),
      followupQuestions: followUps(found, said),
      sources: toSources(said),
    }),
    ...about,
  }
}

const answerOf = (answer: AnswerStream['answer']): AnswerStream => ({ type: 'answer', answer })
