// What an operation can answer besides a plain value.

/** A value with its status and headers. */
export class Answer<T> {
  readonly status: number
  readonly body: T | undefined
  readonly headers: Readonly<Record<string, string>>
  constructor(status: number, body: T | undefined, headers: Readonly<Record<string, string>> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** 201 with the address of what was made. */
export const created = <T>(body: T, location: string): Answer<T> => new Answer(201, body, { location })

/**
 * The answer to a DELETE, whether something was there or not. The public interface tells the two apart (205 and
 * 204); the specification says 204 for both, and so does Octavo (api-facts §8-1).
 */
export const DELETED_STATUS = 204
export const deleted = (): Answer<never> => new Answer<never>(DELETED_STATUS, undefined)

/** Accepted or done, with nothing to say. */
export const none = (): Answer<never> => new Answer<never>(204, undefined)
