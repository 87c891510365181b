// What the layers above the platform count, made once with the services and read by `/metrics`.
import { Durations, Tally } from '../base/tallies.ts'

/** Why a live stream ended. */
export type StreamEnd = 'left' | 'stopping' | 'rights' | 'slow'

const WEBHOOK_BOUNDS_MS = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]

export type Tallies = ReturnType<typeof createTallies>

export const createTallies = () => ({
  /** By way and outcome, `password wrong`. A token that the API refuses is `api wrong`. */
  signIns: new Tally<string>(['password done', 'password wrong', 'api wrong']),
  /** Attempts to send an event to a webhook, by outcome. */
  webhooks: new Tally<'delivered' | 'failed' | 'gone'>(['delivered', 'failed', 'gone']),
  webhookDurations: new Durations(WEBHOOK_BOUNDS_MS),
  streamEnds: new Tally<StreamEnd>(['left', 'stopping', 'rights', 'slow']),
  streamEvents: new Tally<'sent'>(['sent']),
})
