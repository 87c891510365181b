// `octavo serve`: from an empty folder to a server that answers, and a stop that loses nothing in flight.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { flushTokenUses } from '../api/accounts/jobs.ts'
import { markInterrupted } from '../api/git-sync/operation.ts'
import { jobHandlers, schedule } from '../api/index.ts'
import { flushSessionUses } from '../api/sessions/jobs.ts'
import { flushLinkUses } from '../api/visitors/jobs.ts'
import { startCourier } from '../api/webhooks/courier.ts'
import { monotonicMs } from '../base/clock.ts'
import type { Services } from '../http/context.ts'
import { expireLeases } from '../http/idempotency-rows.ts'
import { type Config, localUrl } from '../platform/config.ts'
import { startClock } from '../platform/jobs/clock.ts'
import type { Log } from '../platform/log.ts'
import { startTracing } from '../platform/tracing/start.ts'
import { startControl } from './control.ts'
import { type FirstStart, startFirst } from './first-start.ts'
import { refusal, withFreePort } from './port.ts'
import { openRuntime } from './runtime.ts'
import { buildServer } from './server.ts'

// How long a stop waits for requests and imports under way. A request whose body never arrives is then cut off; an
// import is ended and marked as interrupted. Below the 10 seconds after which `docker stop` kills.
const GRACE_MS = 8_000
// Of that, what is left for them at least after the time in which it still answers.
const GRACE_MS_MIN = 3_000
const IDLE_MS = 50
// Jobs are queued in the database: unfinished ones continue at the next start.
const JOB_GRACE_MS = 500

export type RunningServer = {
  readonly services: Services
  readonly url: string
  stop(drainMs: number): Promise<void>
}

/** Starts everything; resolves once it listens and can serve. `interruption` ends it between two migrations. */
export async function serve(
  given: Config,
  log: Log,
  print: (line: string) => void,
  interruption: AbortSignal,
): Promise<RunningServer> {
  const runtime = await openRuntime(given, log, withFreePort, interruption)
  const { services } = runtime
  const { config } = services
  const undo: (() => Promise<unknown>)[] = [await startTracing(config.traces, log), runtime.close]
  try {
    if (runtime.isExclusive) {
      await markInterrupted(services, { all: true })
      await expireLeases(services.db)
    }
    const first = await startFirst(services)
    const app = buildServer(services)
    undo.unshift(() => app.close())
    await services.compute.load()
    await app.listen({ host: config.host, port: config.port }).catch(error => {
      throw refusal(error, config)
    })
    const control = await startControl(services)
    const clock = startClock(
      schedule.map(job => ({ ...job, run: () => job.run(services) })),
      log,
    )
    runtime.runner.start(jobHandlers(services))
    const courier = startCourier(services)
    services.compute.warm()
    undo.unshift(async () => {
      await control.stop()
      await clock.stop()
      await courier.stop(JOB_GRACE_MS)
      await runtime.runner.stop(JOB_GRACE_MS)
    })
    greet(print, config, first)
    return {
      services,
      url: localUrl(config.host, config.port),
      stop: drainMs => stop(app, services, undo, drainMs),
    }
  } catch (error) {
    for (const step of undo) await step()
    throw error
  }
}

/**
 * Goes on answering for `drainMs`, until proxies have seen that it is going. Then streams end, requests under way are
 * answered, imports get their grace period, and data held only in memory is written.
 */
async function stop(
  app: FastifyInstance,
  services: Services,
  undo: readonly (() => Promise<unknown>)[],
  drainMs: number,
): Promise<void> {
  app.drain.begin()
  const graceMs = Math.max(GRACE_MS - drainMs, GRACE_MS_MIN)
  await sleep(drainMs)
  const end = monotonicMs() + graceMs
  // A client keeps its connection open for its next request, which will not be served.
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_MS)
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs)
  await app.close()
  clearInterval(idle)
  clearTimeout(cut)
  await services.tasks.stop(Math.max(0, end - monotonicMs()))
  await flushTokenUses(services)
  await flushSessionUses(services)
  await flushLinkUses(services)
  for (const step of undo) await step()
}

function greet(print: (line: string) => void, config: Config, first: FirstStart | undefined): void {
  const url = config.publicUrl
  print(`Octavo is ready at ${url}`)
  print(`API reference      ${url}/docs`)
  if (first === undefined) {
    print(`Sign in            ${url}/sign-in`)
    return
  }
  print('')
  print(`Administrator      ${config.adminEmail}`)
  print(`In a browser       ${url}${first.passwordPath}`)
  print('                   (choose a password there; works once, for a day)')
  if (config.adminToken === undefined) {
    print(`Token              ${first.token}`)
    print(`                   (shown once; kept in ${config.home}/admin-token)`)
  }
  const token = config.adminToken === undefined ? first.token : '$OCTAVO_ADMIN_TOKEN'
  print('')
  print('Try it:')
  print(`  curl -H "Authorization: Bearer ${token}" ${localUrl(config.host, config.port)}/v1/orgs`)
}
