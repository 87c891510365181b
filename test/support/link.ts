// The network between a browser and a server, which can be cut: what is open breaks, and nothing new gets through.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Link = {
  /** Where the server is found through it. */
  readonly origin: string
  cut(): void
  mend(): void
  close(): void
}

export async function linkTo(origin: string): Promise<Link> {
  const { hostname, port } = new URL(origin)
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer(near => {
    if (isCut) return near.destroy()
    const far = connect(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      // Whichever breaks, both end.
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, hostname)
  await once(server, 'listening')
  const breakAll = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    // A TCP server has an address of a host and a port.
    origin: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      breakAll()
    },
    mend() {
      isCut = false
    },
    close() {
      server.close()
      breakAll()
    },
  }
}
