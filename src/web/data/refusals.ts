// Why the API refuses a call, as far as it has to be known before whoever made the call sees the answer.

/** Leaves the answer to be read. */
export async function reasonOf(answer: Response): Promise<unknown> {
  const body: { error?: { reason?: unknown } } = await answer
    .clone()
    .json()
    .catch(() => ({}))
  return body.error?.reason
}
