// Real services for test files: the database of the lane, a folder, loopback allowed for git servers of the tests.
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { jobHandlers } from '../../src/api/index.ts'
import { type Courier, startCourier } from '../../src/api/webhooks/courier.ts'
import { createServices } from '../../src/cli/compose.ts'
import { buildServer } from '../../src/cli/server.ts'
import type { Services } from '../../src/http/context.ts'
import { type Config, type Environment, readConfig } from '../../src/platform/config.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { createLog } from '../../src/platform/log.ts'
import { newTestDatabase, openTestDatabase } from './database.ts'
import { whenDone } from './lane.ts'

export type TestServer = {
  readonly app: FastifyInstance
  readonly services: Services
  readonly config: Config
  /** Sends what is due to webhooks, where jobs run. */
  readonly courier?: Courier
}

/** Another server over the same services, with other settings. */
export const serverWith = ({ services, config }: TestServer, settings: Partial<Config>): FastifyInstance =>
  buildServer({ ...services, config: { ...config, ...settings } })

/** Its address: it listens from the first time that somebody asks. */
export async function originOf({ app }: Pick<TestServer, 'app'>): Promise<string> {
  const address = app.server.address() as AddressInfo | null
  if (address === null) return await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${address.port}`
}

/** Of every server but those with one among their settings. */
export const PUBLIC_URL = 'http://octavo.test'

let opening: Promise<TestServer> | undefined

/** The one server of the lane. With settings: one of this test file, with a database of its own, where its jobs run. */
export async function testServer(settings?: Environment): Promise<TestServer> {
  if (settings !== undefined) return openFresh(settings)
  opening ??= openShared()
  return opening
}

async function openShared(): Promise<TestServer> {
  const { server, runner, close } = await open({}, await openTestDatabase())
  runner.start(jobHandlers(server.services))
  const courier = startCourier(server.services)
  whenDone(async () => {
    await courier.stop(5000)
    await close()
  })
  return { ...server, courier }
}

/** One of this test file over the database of the lane, in whose server jobs run: it opens in a quarter of the time. */
export async function serverBeside(settings: Environment): Promise<TestServer> {
  await testServer()
  const { server, close } = await open(settings, await openTestDatabase())
  after(close)
  return server
}

/** One over a database that its caller has opened, and closes after it. None of its jobs run. */
export const serverOn = async (
  database: Database,
  settings: Environment = {},
): Promise<TestServer & { close(): Promise<void> }> => {
  const { server, close } = await open(settings, database)
  return { ...server, close }
}

async function openFresh(settings: Environment): Promise<TestServer> {
  const database = await newTestDatabase()
  const { server, runner, close } = await open(settings, database)
  runner.start(jobHandlers(server.services))
  const courier = startCourier(server.services)
  after(async () => {
    await courier.stop(5000)
    await close()
    await database.close()
  })
  return { ...server, courier }
}

async function open(settings: Environment, database: Database) {
  const home = mkdtempSync(join(tmpdir(), 'octavo-test-'))
  const config = readConfig({
    OCTAVO_HOME: home,
    OCTAVO_PUBLIC_URL: PUBLIC_URL,
    OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    OCTAVO_LOG_LEVEL: 'silent',
    // Tests ask as fast as they can.
    OCTAVO_RATE_LIMIT: '0',
    OCTAVO_RATE_LIMIT_ADDRESS: '0',
    // The addresses of the people of every world.
    OCTAVO_EMAIL_DOMAINS: 'people.test',
    ...settings,
  })
  const log = createLog(process.env.OCTAVO_TEST_LOG ?? 'silent')
  const { services, runner } = await createServices(config, log, database)
  const app = buildServer(services)
  const close = async () => {
    const closed = app.close()
    // No test waits any more for what a connection is kept open by.
    app.server.closeAllConnections()
    await closed
    await services.tasks.stop(5000)
    await runner.stop(5000)
    rmSync(home, { recursive: true, force: true })
  }
  return { server: { app, services, config }, runner, close }
}
