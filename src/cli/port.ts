// The server's port, checked before anything is made.
import { createServer } from 'node:net'
import { type Failure, precondition } from '../base/errors.ts'
import { type Config, localUrl } from '../platform/config.ts'

/**
 * The config with a port that is free now. A first start that could not listen would have printed its token in vain,
 * and with PORT=0 the addresses that are handed out need a real port first.
 *
 * @throws {Failure} `port_unusable`.
 */
export async function withFreePort(config: Config): Promise<Config> {
  const port = config.port === 0 ? await findFreePort(config) : await probe(config, config.port)
  const hasOwnUrl = config.publicUrl !== localUrl(config.host, config.port)
  return { ...config, port, publicUrl: hasOwnUrl ? config.publicUrl : localUrl(config.host, port) }
}

// Below the ports that systems use for outgoing connections: one of those could be taken by the time the server
// listens.
const FREE_PORT_MIN = 20_000
const FREE_PORTS = 12_000
const TRIES = 20
// A prime, so that the ports of processes started in succession lie far apart.
const STRIDE = 7_919

async function findFreePort(config: Config): Promise<number> {
  for (let tried = 0; tried < TRIES; tried++) {
    const port = FREE_PORT_MIN + ((process.pid * STRIDE + tried) % FREE_PORTS)
    const isFree = await probe(config, port).then(
      () => true,
      () => false,
    )
    if (isFree) return port
  }
  return probe(config, 0)
}

/** The port, if it is free; for port 0, any free one. */
const probe = (config: Config, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', error => reject(refusal(error, config)))
    server.listen(port, config.host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port))
    })
  })

/** Why the server cannot listen, for the operator who chose the address; other errors are returned as they are. */
export function refusal(error: NodeJS.ErrnoException, { host, port }: Config): Failure | Error {
  const why = WHY[error.code ?? '']
  return why === undefined ? error : precondition('port_unusable', why(host, port))
}

const unknownName = (host: string) => `HOST: ${host} is no name that this machine knows.`

const WHY: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `PORT: ${port} on ${host} is in use by another program. Stop that program, or choose another port; 0 takes a free one.`,
  EACCES: (_host, port) =>
    `PORT: this user may not listen on ${port}. Choose one above 1023, and put a proxy in front.`,
  EADDRNOTAVAIL: host => `HOST: ${host} is no address of this machine.`,
  ENOTFOUND: unknownName,
  EAI_AGAIN: unknownName,
}
