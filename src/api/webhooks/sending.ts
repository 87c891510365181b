// One attempt to send an event to a receiver.

import { openSecrets } from '../../access/sealed-secrets.ts'
import { monotonicMs, now } from '../../base/clock.ts'
import { Failure } from '../../base/errors.ts'
import type { Services } from '../../http/context.ts'
import { replaceUnstorable } from '../../platform/db/text.ts'
import type { Outgoing } from '../../platform/fetch.ts'
import type { WebhookRow } from './rows.ts'
import type { Attempt } from './schema.ts'
import { signatureOf } from './signature.ts'

/** For a receiver to answer. */
const ATTEMPT_MILLISECONDS_MAX = 10_000
/** Read of an answer. */
const ANSWER_BYTES_MAX = 16 * 1024
const ANSWER_CHARACTERS_KEPT = 500
const RETRY_AFTER_SECONDS_MAX = 3600

export type Sent = { readonly entry: Attempt; readonly retryAfterSeconds: number }

type OutgoingEvent = {
  readonly webhook: Pick<WebhookRow, 'id' | 'url' | 'secret'>
  readonly eventId: string
  readonly type: string
  readonly body: string
  readonly signal?: AbortSignal
}

/** Throws only for an abort: every behaviour of a receiver is a result. */
export async function send(
  { outgoing, signingKey }: Pick<Services, 'outgoing' | 'signingKey'>,
  event: OutgoingEvent,
): Promise<Sent> {
  const { webhook, eventId, type, body, signal } = event
  const at = now()
  const began = monotonicMs()
  const { secret = '' } = openSecrets(signingKey, webhook.secret)
  const signature = signatureOf(secret, body, at)
  const took = () => Math.round(monotonicMs() - began)
  try {
    const answer = await outgoing.fetch(webhook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-octavo-signature': signature,
        // The name that receivers written for the public service look for.
        'x-gitbook-signature': signature,
        'x-octavo-webhook': webhook.id,
        'x-octavo-delivery': eventId,
        'x-octavo-event': type,
      },
      body,
      bytesMax: ANSWER_BYTES_MAX,
      isCut: true,
      deadlineMs: ATTEMPT_MILLISECONDS_MAX,
      ...(signal === undefined ? {} : { signal }),
    })
    return {
      entry: {
        at: at.toISOString(),
        milliseconds: took(),
        status: answer.status,
        error: problemOf(answer.status),
        answer: excerptOf(answer),
      },
      retryAfterSeconds: retryAfter(answer.headers['retry-after']),
    }
  } catch (reason) {
    signal?.throwIfAborted()
    if (!(reason instanceof Failure)) throw reason
    return {
      entry: {
        at: at.toISOString(),
        milliseconds: took(),
        status: null,
        error: reason.message,
        answer: null,
      },
      retryAfterSeconds: 0,
    }
  }
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400)
    return `The receiver answered ${status}, a redirect, which is not followed. Give the address that it leads to.`
  return `The receiver answered ${status}.`
}

function excerptOf({ headers, body }: Awaited<ReturnType<Outgoing['fetch']>>): string | null {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') return null
  const text = replaceUnstorable(body.toString('utf8').slice(0, ANSWER_CHARACTERS_KEPT))
  return text === '' ? null : text
}

/** Seconds only: a date depends on the receiver's clock. */
const retryAfter = (header: string | undefined): number =>
  header !== undefined && /^\d{1,9}$/.test(header) ? Math.min(Number(header), RETRY_AFTER_SECONDS_MAX) : 0
