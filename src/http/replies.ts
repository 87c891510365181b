// Answers of an operation besides a plain value.

/** An answer as it is sent. */
export interface Rendered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | undefined
}

const JSON_TYPE = 'application/json; charset=utf-8'

export const asJson = (
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): Rendered => ({ status, headers: { ...headers, 'content-type': JSON_TYPE }, body })

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
 * The answer to a DELETE, whether something was there or not. The public interface distinguishes the two (205 and
 * 204); the specification says 204 for both, and so does Octavo.
 */
export const deleted = (): Answer<never> => new Answer<never>(204, undefined)

/** For callers with `context.prefersMinimal`; the operation lists `return=minimal` in `supportedHeaders`. */
export const minimal = (): Answer<never> =>
  new Answer<never>(MINIMAL_STATUS, undefined, { 'preference-applied': 'return=minimal' })
export const MINIMAL_STATUS = 204
