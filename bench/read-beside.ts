// The API of a server that is measured, asked as the administrator of its first start.
import { round } from './measure.ts'

export type Api = {
  /** The answer, whatever it holds. Throws where it is no success. */
  send(method: string, path: string, body?: unknown): Promise<Response>
  /** The JSON that comes back; undefined where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows which operation it asks, and reads a few of its fields
  call(method: string, path: string, body?: unknown): Promise<any>
}

export function apiOf({ url, token }: { readonly url: string; readonly token: string }): Api {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const send: Api['send'] = async (method, path, body) => {
    const answer = await fetch(`${url}/v1${path}`, { method, headers, body: JSON.stringify(body) ?? null })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  return {
    send,
    async call(method, path, body) {
      const text = await (await send(method, path, body)).text()
      return text === '' ? undefined : JSON.parse(text)
    },
  }
}

const PAUSE_MS = 20

/** How many milliseconds a page takes for one reader who asks for it again and again, for as long as `work` goes on. */
export async function readBeside<T>(
  api: Api,
  page: string,
  work: Promise<T>,
): Promise<{ result: T; pageMs: { p50: number; p99: number; max: number } }> {
  const times: number[] = []
  let isOver = false
  const reading = (async () => {
    while (!isOver) {
      const began = performance.now()
      await (await api.send('GET', page)).arrayBuffer()
      times.push(performance.now() - began)
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
    }
  })()
  const result = await work.finally(() => {
    isOver = true
  })
  await reading
  times.sort((a, b) => a - b)
  const at = (share: number) => round(times[Math.floor((times.length - 1) * share)] as number)
  return { result, pageMs: { p50: at(0.5), p99: at(0.99), max: at(1) } }
}
