// Refusals in the form of SCIM (RFC 7644 §3.12).
import { conflict, type Failure, invalid } from '../../base/errors.ts'
import { toErrorReply } from '../../http/failures.ts'

export const SCIM_TYPE = 'application/scim+json; charset=utf-8'
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** The keywords of RFC 7644 §3.12, table 9, by the code of the failure. */
const KEYWORDS: ReadonlyMap<string, string> = new Map([
  ['scim_filter_invalid', 'invalidFilter'],
  ['scim_attribute_unknown', 'invalidFilter'],
  ['scim_uniqueness', 'uniqueness'],
  ['scim_mutability', 'mutability'],
  // Not compatible with the current state of the attribute.
  ['last_admin', 'mutability'],
  ['scim_syntax_invalid', 'invalidSyntax'],
  ['scim_path_invalid', 'invalidPath'],
  ['scim_target_missing', 'noTarget'],
  ['scim_value_invalid', 'invalidValue'],
  ['body_no_json', 'invalidSyntax'],
  ['body_too_deep', 'invalidSyntax'],
  ['text_invalid', 'invalidValue'],
  ['name_forbidden', 'invalidSyntax'],
])

export const invalidFilter = (message: string): Failure =>
  invalid('scim_filter_invalid', `filter: ${message}.`)
/** Of a filter: another type of resource may have it. */
export const unknownAttribute = (name: string): Failure =>
  invalid('scim_attribute_unknown', `filter: there is no attribute ${name}, or it cannot be searched.`)
export const invalidValue = (message: string): Failure => invalid('scim_value_invalid', message)
export const invalidPath = (message: string): Failure => invalid('scim_path_invalid', message)
export const invalidSyntax = (message: string): Failure => invalid('scim_syntax_invalid', message)
export const noTarget = (message: string): Failure => invalid('scim_target_missing', message)
export const immutable = (message: string): Failure => invalid('scim_mutability', message)
export const notUnique = (message: string): Failure => conflict('scim_uniqueness', message)

export type ScimErrorReply = {
  readonly isBug: boolean
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** `method`: a DELETE has no keywords. */
export function toScimError(error: unknown, method: string): ScimErrorReply {
  const { isBug, status, headers, body } = toErrorReply(error)
  const code = String((error as { code?: unknown } | null)?.code)
  const keyword = method === 'DELETE' ? undefined : KEYWORDS.get(code)
  return {
    isBug,
    status,
    headers,
    body: {
      schemas: [ERROR_SCHEMA],
      // A text (RFC 7644 §3.12).
      status: String(status),
      ...(keyword === undefined ? {} : { scimType: keyword }),
      detail: body.error.message,
    },
  }
}
