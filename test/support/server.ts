// Real services for a test file: its own database, its own folder, loopback allowed for git servers of the test.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { jobHandlers } from '../../src/api/index.ts'
import { createServices } from '../../src/cli/compose.ts'
import { buildServer } from '../../src/cli/server.ts'
import type { Services } from '../../src/http/context.ts'
import { type Config, type Environment, readConfig } from '../../src/platform/config.ts'
import { createLog } from '../../src/platform/log.ts'
import { openTestDatabase } from './database.ts'

export type TestServer = {
  readonly app: FastifyInstance
  readonly services: Services
  readonly config: Config
}

/** Another server over the same services, with other settings. */
export const serverWith = ({ services, config }: TestServer, settings: Partial<Config>): FastifyInstance =>
  buildServer({ ...services, config: { ...config, ...settings } })

let opening: Promise<TestServer> | undefined

/** The one server of this test file, with the settings of who asks first; closed after its last test. */
export function testServer(settings: Environment = {}): Promise<TestServer> {
  opening ??= open(settings)
  return opening
}

async function open(settings: Environment): Promise<TestServer> {
  const home = mkdtempSync(join(tmpdir(), 'octavo-test-'))
  const config = readConfig({
    OCTAVO_HOME: home,
    OCTAVO_PUBLIC_URL: 'http://octavo.test',
    OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    OCTAVO_LOG_LEVEL: 'silent',
    ...settings,
  })
  const log = createLog(process.env.OCTAVO_TEST_LOG ?? 'silent')
  const database = await openTestDatabase()
  const { services, runner } = await createServices(config, log, database)
  runner.start(jobHandlers(services))
  const app = buildServer(services)
  after(async () => {
    await app.close()
    await services.tasks.stop(5000)
    await runner.stop(5000)
    await database.close()
    rmSync(home, { recursive: true, force: true })
  })
  return { app, services, config }
}
