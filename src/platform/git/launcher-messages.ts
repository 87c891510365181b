// The messages between the server and the launcher.

/** A request of the server; `id` names the command. */
export type Order = {
  readonly id: number
  readonly args: readonly string[]
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>
  /** The processor time after which the system kills it; absent: none. */
  readonly cpuSecondsMax?: number | undefined
}

export type Report =
  | { readonly kind: 'listening' }
  | { readonly kind: 'started'; readonly id: number; readonly pid: number }
  | { readonly kind: 'not_started'; readonly id: number; readonly message: string }
  | { readonly kind: 'exited'; readonly id: number; readonly code: number | null }

/** The only thing that is written to a socket before its command has started, as JSON. */
export type Label = readonly [id: number, stream: 0 | 1 | 2]
